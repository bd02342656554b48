#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "hash.h"
#include "out.h"
#include "record.h"
#include "utf8.h"

enum {
	READ_BLOCK = 65536,
	SEEN = 512,	   /* records that are remembered */
	SEEN_WAYS = 4,	   /* places that one of them may have */
	SEEN_MAX = 65536,  /* bytes of one */
	SEEN_HEAD = 64,	   /* of which the hash is */
	KEEP_MIN = 1 << 20, /* bytes: smaller ones are copied */
	FAULT_MAX = 1024   /* bytes of what is reported */
};

int record_untyped;
int record_lenient;

static struct buf in;	   /* read, not yet taken from pos on */
static size_t pos, scanned; /* scanned: no newline before it */
static size_t line;
static int fd = STDIN_FILENO;
static const char *file = "<stdin>";
static int eof, closed;
static int failed; /* what was read could not be taken */
static int faulty, worst; /* this conversation; the highest code of them all */
static int stream; /* a conversation has ended, so that more may follow */

static const char *const types[] = {
	[REC_SESSION] = "session",
	[REC_MESSAGE] = "message",
	[REC_MARK] = "mark",
	[REC_SECTION] = "section",
	[REC_TOOL] = "tool",
	[REC_SKILL] = "skill",
	[REC_AGENT] = "agent",
	[REC_CONFIG] = "config",
	[REC_TODO] = "todo",
	[REC_FACT] = "fact",
	[REC_STATE] = "state",
	[REC_REMINDER] = "reminder",
	[REC_SUMMARY] = "summary",
	[REC_PROMPT] = "prompt",
	[REC_REQUEST] = "request",
	[REC_DELTA] = "delta",
	[REC_USAGE] = "usage",
	[REC_NEXT] = "next",
	[REC_ERROR] = "error",
	[REC_END] = "end",
};

/*
 * What is known of a record: the conversations of a stream repeat their
 * tools, sections and settings, which each filter would check and tokenise
 * again.  They repeat them in one order, so that each knows which one came
 * after it: if the same bytes follow, not even the line's end is searched.
 */
struct rec_seen {
	struct buf text;
	struct json json; /* its tokens, once somebody asked; s is not its own */
	struct rec_seen *next; /* what was remembered after it, or NULL */
	size_t ntok, name, namen; /* name: where the type stands */
	uint64_t keys;
	enum rec_type type;
	int hasu;
};

static struct rec_seen seen[SEEN];
static struct rec_seen *last; /* the last one that came, or NULL */

static struct rec_seen *
seen_slot(const char *s, size_t n)
{
	return &seen[(hash_bytes(s, n < SEEN_HEAD ? n : SEEN_HEAD) + n)
	    % (SEEN / SEEN_WAYS) * SEEN_WAYS];
}

static void
cache_link(struct rec *r, struct rec_seen *k)
{
	if (last != NULL)
		last->next = k;
	last = r->seen = k;
}

/* Fill r from a record of the same text. */
static void
recall(struct rec *r, struct rec_seen *k, const char *s)
{
	r->s = s;
	r->n = k->text.n;
	r->ntok = k->ntok;
	r->name.p = s + k->name;
	r->name.n = k->namen;
	r->type = k->type;
	r->keys = k->keys;
	r->hasu = k->hasu;
	cache_link(r, k);
}

/* Fill r if the line is known; 0 if it is not. */
static int
find(struct rec *r, const char *s, size_t n)
{
	struct rec_seen *k;
	int i;

	if (!stream || n == 0 || n > SEEN_MAX)
		return 0;
	k = seen_slot(s, n);
	for (i = 0; i < SEEN_WAYS; i++, k++)
		if (k->text.n == n && memcmp(k->text.p, s, n) == 0) {
			recall(r, k, s);
			return 1;
		}
	return 0;
}

/* Fill r if what comes is what came after the last one; 0 if it is not. */
static int
next_is_cached(struct rec *r)
{
	struct rec_seen *k = last != NULL ? last->next : NULL;
	const char *s;

	if (k == NULL)
		return 0;
	s = in.p + pos;
	if (in.n - pos <= k->text.n || s[k->text.n] != '\n'
	    || memcmp(s, k->text.p, k->text.n) != 0)
		return 0;
	pos = scanned = pos + k->text.n + 1;
	line++;
	recall(r, k, s);
	return 1;
}

/*
 * Messages differ in each conversation, so cache only the other records; cache
 * nothing in a single conversation, because touching the table costs more than
 * it saves.
 */
static void
remember(struct rec *r)
{
	static unsigned turn; /* of the places whose record goes */
	struct rec_seen *k;
	int i;

	if (!stream || r->n > SEEN_MAX || r->type < REC_SECTION
	    || r->type > REC_TODO || r->role.p != NULL
	    || r->name.p < r->s || r->name.p >= r->s + r->n)
		return;
	k = seen_slot(r->s, r->n);
	for (i = 0; i < SEEN_WAYS && k[i].text.n > 0; i++)
		continue;
	k += i < SEEN_WAYS ? (unsigned)i : turn++ % SEEN_WAYS;
	buf_reset(&k->text);
	buf_add(&k->text, r->s, r->n);
	k->json.ntok = 0;
	k->ntok = r->ntok;
	k->name = (size_t)(r->name.p - r->s);
	k->namen = r->name.n;
	k->type = r->type;
	k->keys = r->keys;
	k->hasu = r->hasu;
	cache_link(r, k);
}

const char *
record_name(enum rec_type t)
{
	return types[t];
}

enum rec_type
record_type(struct span name)
{
	size_t i;

	for (i = REC_SESSION; i < sizeof(types) / sizeof(*types); i++)
		if (span_is(name, types[i]))
			return (enum rec_type)i;
	return span_is(name, "function") ? REC_TOOL : REC_OTHER;
}

void
record_error(int code, const char *msg, struct span id)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", prog);
	emit_pairi(&b, "code", code);
	emit_pair(&b, "message", msg);
	if (id.n > 0)
		emit_pairj(&b, "id", id);
	emit_close(&b, '}');
	record_put(&b);
}

static void
error_record(int code, const char *msg)
{
	struct span none = {NULL, 0};

	if (out_failed())
		return;
	record_error(code, msg, none);
	out_flush();
}

void
record_fault(int code, const char *fmt, ...)
{
	struct span none = {NULL, 0};
	char why[FAULT_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	warn("%s", why);
	record_error(code, why, none);
	faulty = 1;
	worst = code > worst ? code : worst;
}

void
record_fault_sys(int code, const char *path)
{
	record_fault(code, "%s: %s", path, strerror(errno));
}

void
record_drop(void)
{
	faulty = 1;
}

int
record_isfaulty(void)
{
	return faulty;
}

void
record_filter(int inpipe)
{
	die_hook = inpipe ? error_record : NULL;
}

int
record_failed(void)
{
	return failed;
}

static _Noreturn void
bad(size_t at, size_t col, const char *why)
{
	failed = 1;
	die_at(EX_DATAERR, file, at, col, why);
}

void
record_from(int from, const char *name)
{
	fd = from;
	file = name;
	in.n = pos = scanned = line = 0;
	eof = closed = 0;
}

static _Noreturn void
too_long(size_t number)
{
	char why[80];

	snprintf(why, sizeof(why),
	    "expected the end of the line within %d bytes", RECORD_MAX);
	bad(number, RECORD_MAX + 1, why);
}

/*
 * Read more after the line that has begun.  Bytes before pos may have been
 * lent to the output, so that is flushed before anything moves.
 */
static void
fill(void)
{
	ssize_t r;

	out_flush();
	if (pos > 0) {
		memmove(in.p, in.p + pos, in.n - pos);
		in.n -= pos;
		scanned -= pos;
		pos = 0;
	}
	if (in.n > RECORD_MAX)
		too_long(line + 1);
	buf_room(&in, READ_BLOCK + 1);
	do
		r = read(fd, in.p + in.n, READ_BLOCK);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		die_sys(EX_IOERR, "read %s", file);
	if (r > 0) {
		in.n += (size_t)r;
		return;
	}
	eof = 1;
	if (in.n > 0) {
		in.p[in.n++] = '\n';
	}
}

/* The next line, newline left out; NULL at the end of input. */
static const char *
next_line(size_t *n)
{
	const char *s, *nl;

	for (;;) {
		nl = NULL;
		if (in.n > scanned)
			nl = memchr(in.p + scanned, '\n', in.n - scanned);
		if (nl != NULL)
			break;
		scanned = in.n;
		if (eof)
			return NULL;
		fill();
	}
	s = in.p + pos;
	*n = (size_t)(nl - s);
	pos = scanned = (size_t)(nl - in.p) + 1;
	line++;
	if (*n > RECORD_MAX)
		too_long(line);
	return s;
}

int
record_check(struct rec *r, const char *s, size_t n, const char **why,
    size_t *at)
{
	struct gate g;

	memset(r, 0, sizeof(*r));
	*at = 0;
	if (utf8_bom(s, n) > 0) {
		*why = "expected no byte order mark";
		return -1;
	}
	if (gate_check(s, n, &g) < 0) {
		*why = g.why;
		*at = g.at;
		return -1;
	}
	if (!g.isobject) {
		*why = "expected an object";
		return -1;
	}
	if (g.badtype) {
		*why = "expected a string as type";
		*at = g.at;
		return -1;
	}
	r->s = s;
	r->n = n;
	r->ntok = g.ntok;
	r->keys = g.keys;
	r->hasu = g.hasu;
	r->name = g.type;
	r->role = g.role;
	if (g.type.p != NULL) {
		r->type = record_type(g.type);
	} else if (g.role.p != NULL) {
		r->type = REC_MESSAGE;
		r->name.p = types[REC_MESSAGE];
		r->name.n = strlen(r->name.p);
	} else if (record_untyped) {
		r->type = REC_UNTYPED;
	} else {
		*why = "expected a type or a role";
		return -1;
	}
	return 0;
}

static int
next_record(struct rec *r)
{
	const char *s, *why;
	size_t at, n;

	memset(r, 0, sizeof(*r));
	if (next_is_cached(r)) {
		r->line = line;
		closed = 0;
		return 1;
	}
again:
	s = next_line(&n);
	if (s == NULL) {
		if (closed)
			return 0;
		closed = 1;
		r->type = REC_END;
		r->line = line + 1;
		r->implied = 1;
		return 1;
	}
	if (!find(r, s, n)) {
		if (record_check(r, s, n, &why, &at) < 0) {
			if (!record_lenient)
				bad(line, at + 1, why);
			warn("%s:%zu:%zu: %s", file, line, at + 1, why);
			failed = 1;
			goto again;
		}
		remember(r);
	}
	r->line = line;
	closed = r->type == REC_END;
	stream |= closed;
	return 1;
}

int
record_next(struct rec *r)
{
	int got;

	if (closed)
		faulty = 0;
	do
		got = next_record(r);
	while (faulty && got && r->type != REC_END && r->type != REC_ERROR);
	return got;
}

int
record_ready(void)
{
	if (!eof && in.n > scanned
	    && memchr(in.p + scanned, '\n', in.n - scanned) == NULL)
		scanned = in.n;
	return eof || in.n > scanned;
}

void
record_read(void)
{
	if (!eof)
		fill();
}

void
record_pass(const struct rec *r)
{
	if (!r->implied)
		out_pass(r->s, r->n + 1);
	if (r->type == REC_END)
		out_flush();
}

void
record_keep(const struct rec *r, struct buf *b)
{
	size_t from = (size_t)(r->s - in.p);
	struct buf rest = {NULL, 0, 0};

	if (r->n < KEEP_MIN || r->s < in.p || r->s >= in.p + in.n) {
		buf_add(b, r->s, r->n);
		return;
	}
	out_flush();
	buf_add(&rest, in.p + pos, in.n - pos);
	scanned -= pos;
	pos = 0;
	buf_free(b);
	*b = in;
	in = rest;
	memmove(b->p, b->p + from, r->n);
	b->n = r->n;
}

void
record_put(struct buf *b)
{
	out_record(b);
}

struct json *
record_json(const struct rec *r)
{
	static struct json one;
	struct json *j = r->seen != NULL ? &r->seen->json : &one;

	if (r->seen == NULL || j->ntok == 0)
		json_tokens(j, r->s, r->n, r->ntok);
	j->s = r->s;
	return j;
}

void
record_bad(const struct rec *r, int i, const char *why)
{
	struct span s = json_span(record_json(r), i < 0 ? 0 : i);

	bad(r->line, (size_t)(s.p - r->s) + 1, why);
}

int
record_code(const struct rec *r)
{
	struct json *j = record_json(r);
	long long code;

	if (json_int(j, json_get(j, 0, "code"), &code) < 0 || code < 1
	    || code > 127)
		return EX_SOFTWARE;
	return (int)code;
}

int
record_has(const struct rec *r, const char *key)
{
	return (r->keys & gate_key(key, strlen(key))) != 0;
}

struct span
record_member(const struct rec *r, const char *key)
{
	const char *at = r->s;
	struct span k, v = {NULL, 0};

	while (record_has(r, key) && json_member(&at, r->s + r->n, &k, &v))
		if (json_iskey(k, key))
			return v;
	v.p = NULL;
	return v;
}

void
record_unknown(const struct rec *r)
{
	static struct strs warned;
	char *name = xstrndup(r->name.p, r->name.n);

	if (strs_find(&warned, name) < 0) {
		strs_add(&warned, name);
		warn("passed on '%s': no such record type", name);
	}
	free(name);
}

int
record_close(void)
{
	out_end();
	return worst;
}
