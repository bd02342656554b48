/*
 * llmreplay [-dw] [-M from=to] [-s fd] file
 *
 * - Takes the place of llmcall and answers from a recording that llmcall -R
 *   made: requests in, the records of their answers out, all else passes by.
 * - Options may also follow the file, since a driver adds its own
 *   (TURNPIPE_CALL).
 * - Needs neither a network nor a key.  What is recorded are records, not
 *   bytes of HTTP: see llmreplay(1) for why.
 */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "recording.h"
#include "terminal.h"
#include "utf8.h"

enum { RECORDING_MAX = 64 << 20, EXCERPT = 60 /* bytes */ };

static const char usage[] =
    "usage: llmreplay [-dw] [-M from=to] [-s fd] file\n"
    "\n"
    "  -w, --whole         answer only when the conversation's end has come\n"
    "  -M, --map FROM=TO   in what is compared, and back in what is played\n"
    "  -s, --stream FD     write the text to FD, too\n"
    "  -d, --deltas        with -s: as a delta record\n";

static const struct option options[] = {
	{"whole", no_argument, NULL, 'w'},
	{"map", required_argument, NULL, 'M'},
	{"stream", required_argument, NULL, 's'},
	{"deltas", no_argument, NULL, 'd'},
	{NULL, 0, NULL, 0}
};

struct entry {
	struct buf key; /* the canonical request */
	uint64_t hash;
	struct span answer; /* the array */
	int played;
};

static struct buf text; /* the file */
static struct entry *entries;
static size_t nentries, cap;
static int whole;
static int textfd = -1;
static int deltas;
static int status;
static int failed; /* upstream: nothing is asked in this conversation */
static int asked, said, faulty; /* a request, a message, an error was seen */

/* With -w: the conversation from its first request on. */
struct line {
	size_t at, n, ntok;
	int request;
};
static struct buf late;
static struct line *lines;
static size_t nlines, linecap;

/* Some text around the first byte in which a and b differ. */
static void
excerpt(struct buf *b, struct span s, size_t at)
{
	size_t start = at > EXCERPT / 3 ? at - EXCERPT / 3 : 0, n;

	while (start > 0 && start < s.n && (s.p[start] & 0xc0) == 0x80)
		start--;
	if (s.p == NULL) {
		buf_puts(b, "nothing");
		return;
	}
	n = utf8_cut(s.p + start, s.n - start, EXCERPT);
	buf_puts(b, start > 0 ? "..." : "");
	buf_add(b, s.p + start, n);
	buf_puts(b, start + n < s.n ? "..." : "");
}

/* Bytes that they have in common at their beginning. */
static size_t
differ_at(struct span a, struct span b)
{
	size_t i;

	for (i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++)
		continue;
	return i;
}

/*
 * Append to path the way down to the first value in which value i of x and
 * value k of y differ (".messages[1].content"), and to b the values there:
 * "expected ..., found ...", around the first byte that is another one.
 * Keys must be sorted; -1 means that the value is missing.
 */
static void
differ_in(struct buf *path, struct buf *b, const struct json *x, int i,
    const struct json *y, int k)
{
	struct span s = json_span(x, i), t = json_span(y, k), u, v;
	enum json_kind kind = json_kind(x, i);
	int a, z, n;

	if (kind == json_kind(y, k)
	    && (kind == JSON_OBJECT || kind == JSON_ARRAY)) {
		a = json_first(x, i);
		z = json_first(y, k);
		for (n = 0; a >= 0 || z >= 0; n++) {
			u = json_span(x, kind == JSON_OBJECT && a >= 0
				? a + 1 : a);
			v = json_span(y, kind == JSON_OBJECT && z >= 0
				? z + 1 : z);
			s = json_span(x, a);
			t = json_span(y, z);
			if (a >= 0 && z >= 0 && span_same(u, v)
			    && span_same(s, t)) {
				a = json_next(x, a);
				z = json_next(y, z);
				continue;
			}
			if (kind == JSON_ARRAY) {
				buf_printf(path, "[%d]", n);
				differ_in(path, b, x, a, y, z);
				return;
			}
			buf_putc(path, '.');
			json_str(s.p != NULL ? x : y, s.p != NULL ? a : z,
			    path);
			if (s.p != NULL && t.p != NULL
			    && !span_same(s, t))
				differ_in(path, b, x, -1, y, z + 1);
			else
				differ_in(path, b, x, a < 0 ? a : a + 1, y,
				    z < 0 ? z : z + 1);
			return;
		}
		return;
	}
	buf_puts(b, "expected ");
	excerpt(b, s, differ_at(s, t));
	buf_puts(b, ", found ");
	excerpt(b, t, differ_at(s, t));
}

static void
load_line(const char *path, const char *s, size_t n, size_t line)
{
	static struct json j;
	static struct buf b;
	struct entry *e;
	struct span req;
	struct json r = {0};
	int a, q;

	if (json_parse(&j, s, n) < 0)
		die_at(EX_DATAERR, path, line, j.at + 1, j.why);
	q = json_get(&j, 0, "request");
	a = json_get(&j, 0, "answer");
	if (json_kind(&j, q) != JSON_OBJECT || json_kind(&j, a) != JSON_ARRAY)
		die_at(EX_DATAERR, path, line, 1,
		    "expected an object with request and answer");
	req = json_span(&j, q);
	if (json_parse(&r, req.p, req.n) < 0)
		die(EX_SOFTWARE, "internal error: a text part is not a text");
	grow(&entries, &cap, nentries, sizeof(*entries));
	e = &entries[nentries++];
	memset(e, 0, sizeof(*e));
	buf_reset(&b);
	recording_request(&b, &r, 0, NULL);
	buf_add(&e->key, b.p, b.n);
	e->hash = hash_bytes(b.p, b.n);
	e->answer = json_span(&j, a);
	json_free(&r);
}

static void
open_recording(const char *path)
{
	enum file_result r = file_read(path, &text, RECORDING_MAX);
	const char *p, *end, *nl;
	size_t line = 0;

	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	end = text.p + text.n;
	for (p = text.p; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		line++;
		load_line(path, p, (size_t)(nl - p), line);
	}
}

/* The entry that fits longest, those not played yet before the others. */
static const struct entry *
nearest(struct span key)
{
	const struct entry *best = NULL;
	struct span s;
	size_t i, n, most = 0;
	int fresh = 0;

	for (i = 0; i < nentries; i++)
		fresh |= !entries[i].played;
	for (i = 0; i < nentries; i++) {
		if (fresh && entries[i].played)
			continue;
		s.p = entries[i].key.p;
		s.n = entries[i].key.n;
		n = differ_at(s, key);
		if (best == NULL || n > most) {
			best = &entries[i];
			most = n;
		}
	}
	return best;
}

static void
fail(int code)
{
	if (status == 0)
		status = code;
}

/* An error with the first difference to the request that fits longest. */
static void
miss(struct span key, struct span id)
{
	static struct json x, y;
	static struct buf msg, path, b;
	const struct entry *e = nearest(key);

	buf_reset(&msg);
	buf_reset(&path);
	buf_reset(&b);
	if (e == NULL) {
		buf_puts(&msg, "the recording is empty");
	} else if (json_parse(&x, e->key.p, e->key.n) == 0
	    && json_parse(&y, key.p, key.n) == 0) {
		differ_in(&path, &b, &x, 0, &y, 0);
		buf_printf(&msg, "the request is not in the recording: %s: %s",
		    buf_cstr(&path) + (path.n > 0), buf_cstr(&b));
	}
	warn("%s", buf_cstr(&msg));
	record_error(EX_DATAERR, buf_cstr(&msg), id);
	fail(EX_DATAERR);
}

/*
 * The text of a played message; a terminal gets it cleaned, and a whole line.
 * What cannot be written there is let go.
 */
static void
stream(const struct json *j, int content, struct span id)
{
	static struct json t;
	static struct buf s, b, delta, clean;
	const struct buf *out = &b;
	void (*old)(int) = SIG_DFL;

	buf_reset(&s);
	buf_reset(&b);
	recording_play(&s, j, content);
	if (json_parse(&t, s.p, s.n) < 0 || json_str(&t, 0, &b) < 0)
		return;
	if (!deltas && b.n > 0 && terminal_leads(textfd)) {
		buf_reset(&clean);
		terminal_clean(&clean, b.p, b.n);
		if (clean.p[clean.n - 1] != '\n')
			buf_putc(&clean, '\n');
		out = &clean;
	}
	if (deltas) {
		buf_reset(&delta);
		emit_open(&delta, '{');
		emit_pair(&delta, "type", "delta");
		if (id.n > 0)
			emit_pairj(&delta, "id", id);
		emit_pairn(&delta, "text", b.p, b.n);
		emit_close(&delta, '}');
		buf_putc(&delta, '\n');
		out = &delta;
		old = signal(SIGPIPE, SIG_IGN);
	}
	if (fd_write(textfd, out->p, out->n) < 0) {
		if (errno != EPIPE)
			warn_sys("write text");
		textfd = -1;
	}
	if (deltas)
		signal(SIGPIPE, old);
}

static void
play(const struct entry *e, struct span id)
{
	static struct json j;
	static struct buf b;
	long long code;
	int i, k, type;

	if (json_parse(&j, e->answer.p, e->answer.n) < 0)
		die(EX_SOFTWARE, "internal error: a text part is not a text");
	for (i = json_first(&j, 0); i >= 0; i = json_next(&j, i)) {
		emit_open(&b, '{');
		for (k = json_first(&j, i); k >= 0; k = json_next(&j, k)) {
			emit_keyj(&b, json_span(&j, k));
			recording_play(&b, &j, k + 1);
			if (json_is(&j, k, "type") && id.n > 0)
				emit_pairj(&b, "id", id);
		}
		emit_close(&b, '}');
		record_put(&b);
		type = json_get(&j, i, "type");
		if (textfd >= 0 && json_is(&j, type, "message"))
			stream(&j, json_get(&j, i, "content"), id);
		if (json_is(&j, type, "error")
		    && json_int(&j, json_get(&j, i, "code"), &code) == 0
		    && code > 0 && code < 128)
			fail((int)code);
	}
}

/* The recorded answer; of one recorded more than once the next. */
static void
answer(const char *s, size_t n, size_t ntok)
{
	static struct json j;
	static struct buf key, own;
	struct entry *e, *hit = NULL;
	uint64_t hash;
	size_t i;

	json_tokens(&j, s, n, ntok);
	buf_reset(&own);
	buf_span(&own, json_span(&j, json_get(&j, 0, "id")));
	buf_reset(&key);
	recording_request(&key, &j, 1, NULL);
	hash = hash_bytes(key.p, key.n);
	for (i = 0; i < nentries; i++) {
		e = &entries[i];
		if (e->hash != hash
		    || !span_same(buf_view(&e->key), buf_view(&key)))
			continue;
		hit = e;
		if (!e->played)
			break;
	}
	if (hit == NULL) {
		miss(buf_view(&key), buf_view(&own));
		return;
	}
	hit->played = 1;
	play(hit, buf_view(&own));
}

/* Keep a line until the conversation's end. */
static void
keep(const struct rec *r)
{
	struct line *l;

	grow(&lines, &linecap, nlines, sizeof(*lines));
	l = &lines[nlines++];
	l->at = late.n;
	l->n = r->n;
	l->ntok = r->ntok;
	l->request = r->type == REC_REQUEST;
	buf_add(&late, r->s, r->n);
	buf_putc(&late, '\n');
}

/* What was kept goes on; ok: with its answers. */
static void
release(int ok)
{
	struct line *l;

	for (l = lines; nlines > 0 && l < lines + nlines; l++)
		if (!l->request)
			out_add(late.p + l->at, l->n + 1);
		else if (ok)
			answer(late.p + l->at, l->n, l->ntok);
	nlines = 0;
	buf_reset(&late);
}

static void
pass(const struct rec *r)
{
	if (nlines > 0)
		keep(r);
	else
		record_pass(r);
}

static void
cut_short(void)
{
	static const char why[] = "expected an end record: no call";

	faulty = 1;
	release(0);
	warn("%s", why);
	record_error(EX_PROTOCOL, why, (struct span){NULL, 0});
	fail(EX_PROTOCOL);
}

static void
take_record(const struct rec *r)
{
	switch (r->type) {
	case REC_REQUEST:
		asked = 1;
		if (whole)
			keep(r);
		else if (!failed)
			answer(r->s, r->n, r->ntok);
		return;
	case REC_ERROR:
		failed = faulty = 1;
		fail(record_code(r));
		break;
	case REC_END:
		if (r->implied && whole && !failed)
			cut_short();
		release(!failed);
		record_pass(r);
		failed = 0;
		return;
	case REC_MESSAGE:
		said = 1;
		break;
	case REC_OTHER:
		record_unknown(r);
		break;
	default:
		break;
	}
	pass(r);
}

/* The recording; options may come before and after it. */
static const char *
read_options(int argc, char **argv)
{
	const char *path = NULL;
	int c;

	for (;; path = argv[optind++]) {
		while ((c = opt_next(argc, argv, "dM:s:w", options, usage))
		    != -1)
			switch (c) {
			case 'd': deltas = 1; break;
			case 'M': recording_map(optarg); break;
			case 's':
				textfd = (int)opt_int("-s", optarg, 0, 1023);
				break;
			case 'w': whole = 1; break;
			}
		if (path != NULL || argv[optind] == NULL)
			break;
	}
	if (path == NULL || argv[optind] != NULL)
		opt_die(usage, "expected one recording");
	if (textfd == STDOUT_FILENO)
		opt_die(usage, "-s 1: standard output holds the records");
	return path;
}

int
main(int argc, char **argv)
{
	struct rec r;

	prog = "llmreplay";
	record_filter(1);
	open_recording(read_options(argc, argv));
	while (record_next(&r))
		take_record(&r);
	if (said && !asked && !faulty)
		warn("no request in the input, so no answer: promptcompose "
		    "makes a request of messages");
	record_close();
	return status;
}
