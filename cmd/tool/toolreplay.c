/*
 * toolreplay [-erwy] [-c conversations] session
 *
 * - Takes the place of toolrun and answers the calls of an assistant message
 *   with the results that a session's log has for them: nothing is run.
 * - A call is the same where name and arguments are; of equal ones the results
 *   come in the order of the log, after those that TURNPIPE_SESSION has.
 * - One call that the log does not have, and none of its message is answered.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "chat.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "jsoncanon.h"
#include "jsonstr.h"
#include "opt.h"
#include "record.h"
#include "ring.h"
#include "session.h"
#include "utf8.h"

enum { SHOWN = 200 }; /* bytes of a call in a message */

static const char usage[] =
    "usage: toolreplay [-erwy] [-c conversations] session\n"
    "\n"
    "Answer tool calls from a session's log; run nothing.\n"
    "\n"
    "  -c, --conversations=N  of toolrun; nothing here, as -y\n"
    "  -e, --empty          an empty answer is one, too\n"
    "  -r, --results        write nothing but the tool messages\n"
    "  -w, --whole          input without an end record is a fault\n"
    "  -y, --yes            of toolrun\n";

static const struct option options[] = {
	{"conversations", required_argument, NULL, 'c'},
	{"empty", no_argument, NULL, 'e'},
	{"results", no_argument, NULL, 'r'},
	{"whole", no_argument, NULL, 'w'},
	{"yes", no_argument, NULL, 'y'},
	{NULL, 0, NULL, 0},
};

/* A call that has its result, and whether that was given. */
struct entry {
	struct buf key;
	struct span result; /* the message */
	int used;
};

static struct entry *entries;
static size_t nentries, cap;
static size_t first; /* of those that were not given, at most */
static struct chat said; /* the conversation of the stream */
static int empty, results, whole;
static int status = EXIT_NO, failed; /* of all conversations; of this one */

/* Name and arguments, one text for all that mean the same. */
static void
make_key(struct buf *b, const struct chat_call *d)
{
	static struct json j;
	static struct buf args;

	buf_reset(b);
	buf_reset(&args);
	if (d->args.n > 0 && json_parse(&j, d->args.p, d->args.n) == 0)
		jsoncanon_args(&args, &j, 0);
	jsonstr_text(b, d->name);
	buf_putc(b, ' ');
	buf_span(b, buf_view(&args));
}

/* The next one that was not given. */
static struct entry *
find(const struct buf *key)
{
	size_t i;

	while (first < nentries && entries[first].used)
		first++;
	for (i = first; i < nentries; i++)
		if (!entries[i].used
		    && span_same(buf_view(&entries[i].key), buf_view(key)))
			return &entries[i];
	return NULL;
}

/* The messages of a session, which last as long as t; 0 if there is none. */
static int
load(struct chat *c, struct tail *t, const char *path)
{
	struct rec r;
	int fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	tail_open(t, fd, path);
	while (session_prev(t, &r))
		if (r.type == REC_MESSAGE)
			chat_add(c, record_json(&r), (struct span){r.s, r.n});
	chat_reverse(c);
	chat_view(c);
	return 1;
}

static void
add(const struct chat *c, const struct chat_call *d)
{
	struct entry *e;

	if (d->result < 0)
		return;
	grow(&entries, &cap, nentries, sizeof(*entries));
	e = &entries[nentries++];
	memset(e, 0, sizeof(*e));
	make_key(&e->key, d);
	e->result = c->v[d->result].text;
}

static void
open_log(const char *path)
{
	static struct chat c;
	static struct tail t;
	size_t i, k;

	if (!load(&c, &t, path))
		die(EX_NOINPUT, "%s: no such session", path);
	for (i = 0; i < c.n; i++)
		for (k = 0; k < c.v[i].ncalls; k++)
			add(&c, &c.calls[c.v[i].call + k]);
}

/* What the session has that the calls are of was given before. */
static void
skip_given(void)
{
	static struct buf key;
	static struct chat c;
	const char *path = session_working();
	struct tail t;
	struct entry *e;
	size_t i;

	for (i = first = 0; i < nentries; i++)
		entries[i].used = 0;
	if (path == NULL || !load(&c, &t, path))
		return;
	/* The first ones, which were read last, first: the log's order. */
	for (i = c.ncalls; i-- > 0;) {
		make_key(&key, &c.calls[i]);
		e = c.calls[i].result >= 0 ? find(&key) : NULL;
		if (e != NULL)
			e->used = 1;
	}
	chat_reset(&c);
	fd_drop(t.fd);
	tail_close(&t);
}

static void
fault(int code, const char *why)
{
	failed = code;
	warn("%s", why);
	if (!results)
		record_error(code, why, (struct span){NULL, 0});
}

static void
miss(const struct buf *key)
{
	static struct buf why;

	buf_reset(&why);
	buf_puts(&why, "the log has no such call: ");
	buf_add(&why, key->p, utf8_cut(key->p, key->n, SHOWN));
	if (first < nentries) {
		key = &entries[first].key;
		buf_puts(&why, "; expected ");
		buf_add(&why, key->p, utf8_cut(key->p, key->n, SHOWN));
	}
	fault(EX_TEMPFAIL, buf_cstr(&why));
}

/* What the log had given it, the log will give it anew. */
static int
is_ofthelog(const struct json *j, int k)
{
	return json_is(j, k, "n") || json_is(j, k, "message")
	    || json_is(j, k, "turn") || json_is(j, k, "time");
}

static void
put_tp(struct buf *b, const struct json *j, int tp)
{
	int k;

	emit_open(b, '{');
	for (k = json_first(j, tp); k >= 0; k = json_next(j, k))
		if (!is_ofthelog(j, k))
			emit_member(b, j, k);
	emit_close(b, '}');
}

/* The result as it was, for the call that has it now. */
static void
put(const struct chat_call *d, const struct entry *e)
{
	static struct json j;
	static struct buf b;
	int k, tp;

	if (json_parse(&j, e->result.p, e->result.n) < 0)
		die(EX_SOFTWARE, "internal error: %s", j.why);
	emit_open(&b, '{');
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
		tp = json_is(&j, k, "tp");
		if (!tp && !json_is(&j, k, "tool_call_id")) {
			emit_member(&b, &j, k);
			continue;
		}
		emit_keyj(&b, json_span(&j, k));
		if (tp)
			put_tp(&b, &j, k + 1);
		else
			buf_span(&b, d->id);
	}
	emit_close(&b, '}');
	record_put(&b);
}

/* The calls of the last answer that have no result yet. */
static void
answer(void)
{
	static struct buf key;
	static struct entry **hits;
	static size_t hitcap;
	const struct chat_msg *m;
	const struct chat_call *d;
	size_t i = said.n, k, n = 0;

	while (i > 0 && said.v[i - 1].role != CHAT_ASSISTANT)
		i--;
	if (i == 0) {
		if (whole)
			fault(EX_PROTOCOL, "expected an answer");
		return;
	}
	m = &said.v[i - 1];
	if (m->partial) {
		fault(EX_PROTOCOL, "the answer is not whole");
		return;
	}
	if (m->empty && m->ncalls == 0 && !empty) {
		fault(EX_PROTOCOL, "the answer is empty");
		return;
	}
	skip_given();
	for (k = m->call; k < m->call + m->ncalls; k++) {
		if (said.calls[k].result >= 0)
			continue;
		make_key(&key, &said.calls[k]);
		grow(&hits, &hitcap, n, sizeof(struct entry *));
		hits[n] = find(&key);
		if (hits[n] == NULL) {
			miss(&key);
			return;
		}
		hits[n++]->used = 1;
	}
	for (k = m->call, i = 0; i < n; k++) {
		d = &said.calls[k];
		if (d->result < 0)
			put(d, hits[i++]);
	}
	if (n > 0 && status == EXIT_NO)
		status = 0;
}

static void
take_record(const struct rec *r)
{
	static struct json j;
	static struct buf b;
	struct span s;

	buf_reset(&b);
	buf_add(&b, r->s, r->n);
	s = chat_made(&said, &b);
	if (json_parse(&j, s.p, s.n) == 0)
		chat_add(&said, &j, s);
}

static void
conversation(const struct rec *r)
{
	if (failed == 0 && whole && r->implied)
		fault(EX_PROTOCOL, "expected an end record");
	if (failed == 0 && !record_isfaulty()) {
		chat_view(&said);
		answer();
	}
	if (failed != 0 && (status == 0 || status == EXIT_NO))
		status = failed;
	chat_reset(&said);
	failed = 0;
}

/* They may also follow the file, since a driver adds its own. */
static const char *
read_options(int argc, char **argv)
{
	const char *path = NULL;
	int c;

	for (;; path = argv[optind++]) {
		while ((c = opt_next(argc, argv, "c:erwy", options, usage))
		    != -1)
			switch (c) {
			case 'e': empty = 1; break;
			case 'r': results = 1; break;
			case 'w': whole = 1; break;
			}
		if (path != NULL || argv[optind] == NULL)
			break;
	}
	if (path == NULL || argv[optind] != NULL)
		opt_die(usage, "expected one session file");
	return path;
}

int
main(int argc, char **argv)
{
	struct rec r;

	prog = "toolreplay";
	record_filter(1);
	open_log(read_options(argc, argv));
	while (record_next(&r)) {
		ring_enter(&r);
		if (r.type == REC_MESSAGE)
			take_record(&r);
		else if (r.type == REC_ERROR && failed == 0)
			failed = record_code(&r);
		else if (r.type == REC_END)
			conversation(&r);
		if (!results && r.type != REC_TOOL)
			record_pass(&r);
	}
	record_close();
	return status;
}
