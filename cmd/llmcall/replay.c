#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "diag.h"
#include "differ.h"
#include "emit.h"
#include "file.h"
#include "hash.h"
#include "jsonstr.h"
#include "provider.h"
#include "replay.h"

enum { REPLAY_MAX = 64 << 20 };

struct entry {
	struct buf key; /* the canonical request */
	uint64_t hash;
	struct span answer; /* the array */
	int played;
};

static struct strs from, to;
static struct buf text; /* the file */
static struct entry *entries;
static size_t nentries, cap;
static int playing;
static const char *record_path;
static int lost; /* it can not be written any more */

void
replay_map(const char *arg)
{
	const char *eq = strrchr(arg, '=');

	if (eq == NULL || eq == arg || eq[1] == '\0')
		die(EX_USAGE, "--map %s: expected FROM=TO", arg);
	strs_addn(&from, arg, (size_t)(eq - arg));
	strs_add(&to, eq + 1);
}

static void
replace(struct buf *s, const char *a, const char *b)
{
	static struct buf t;
	const char *p = s->p, *end = p + s->n, *q;
	size_t n = strlen(a);

	buf_reset(&t);
	for (q = p; q + n <= end; q++)
		if (*q == *a && memcmp(q, a, n) == 0) {
			buf_add(&t, p, (size_t)(q - p));
			buf_puts(&t, b);
			p = q + n;
			q = p - 1;
		}
	if (t.n == 0 && p == s->p)
		return;
	buf_add(&t, p, (size_t)(end - p));
	buf_reset(s);
	buf_add(s, t.p, t.n);
}

static void
put_string(struct buf *b, const struct json *j, int i,
    const struct strs *a, const struct strs *z)
{
	static struct buf s;
	size_t k;

	buf_reset(&s);
	json_str(j, i, &s);
	if (s.n > 0 && a != NULL)
		for (k = 0; k < a->n; k++)
			replace(&s, a->v[k], z->v[k]);
	/* In strings alone: elsewhere it would be no JSON any more. */
	provider_hide(&s);
	emit_str(b, s.n > 0 ? s.p : "", s.n);
}

struct member {
	char *key;
	int k;
};

static int
compare(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static int
volatile_message(const struct json *j, int i)
{
	return json_true(j, json_at(j, i, "tp.volatile"));
}

/* sort: keys in order, and what is ours of messages left out. */
static void
put_value(struct buf *b, const struct json *j, int i, int sort, int depth,
    const struct strs *a, const struct strs *z)
{
	struct member *m;
	size_t n = 0, k;
	int c;

	switch (json_kind(j, i)) {
	case JSON_STRING:
		put_string(b, j, i, a, z);
		return;
	case JSON_ARRAY:
		emit_open(b, '[');
		for (c = json_first(j, i); c >= 0; c = json_next(j, c))
			if (!sort || depth != 1 || !volatile_message(j, c))
				put_value(b, j, c, sort, depth + 1, a, z);
		emit_close(b, ']');
		return;
	case JSON_OBJECT:
		break;
	default:
		emit_span(b, json_span(j, i));
		return;
	}
	m = xreallocarray(NULL, json_count(j, i) + 1, sizeof(*m));
	for (c = json_first(j, i); c >= 0; c = json_next(j, c)) {
		if (sort && depth == 0 && !json_is(j, c, "messages")
		    && !json_is(j, c, "model") && !json_is(j, c, "tools"))
			continue;
		if (sort && depth == 2
		    && (json_is(j, c, "tp") || json_is(j, c, "id")))
			continue;
		m[n].key = json_dup(j, c);
		m[n].k = c;
		if (m[n].key == NULL)
			m[n].key = xstrdup("");
		n++;
	}
	if (sort && n > 1)
		qsort(m, n, sizeof(*m), compare);
	emit_open(b, '{');
	for (k = 0; k < n; k++) {
		emit_keyj(b, json_span(j, m[k].k));
		put_value(b, j, m[k].k + 1, sort, depth + 1, a, z);
		free(m[k].key);
	}
	emit_close(b, '}');
	free(m);
}

/* The canonical form of request j, with the maps applied if map. */
static void
canonical(struct buf *b, const struct json *j, int map)
{
	put_value(b, j, 0, 1, 0, map ? &from : NULL, &to);
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
		die(EX_SOFTWARE, "part of a text is no text");
	grow(&entries, &cap, nentries, sizeof(*entries));
	e = &entries[nentries++];
	memset(e, 0, sizeof(*e));
	buf_reset(&b);
	canonical(&b, &r, 0);
	buf_add(&e->key, b.p, b.n);
	e->hash = hash_bytes(b.p, b.n);
	e->answer = json_span(&j, a);
	json_free(&r);
}

void
replay_open(const char *path)
{
	enum file_result r = file_read(path, &text, REPLAY_MAX);
	const char *p, *end, *nl;
	size_t line = 0;

	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	playing = 1;
	end = text.p + text.n;
	for (p = text.p; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		line++;
		load_line(path, p, (size_t)(nl - p), line);
	}
}

void
replay_to(const char *path)
{
	/* Before anything is paid for. */
	if (file_append(path, "", 0, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	record_path = path;
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
miss(struct call *c, struct span key)
{
	static struct json x, y;
	struct buf msg = {NULL, 0, 0}, path = {NULL, 0, 0};
	const struct entry *e = nearest(key);
	struct buf b = {NULL, 0, 0};

	if (e == NULL) {
		buf_puts(&msg, "the recording is empty");
	} else if (json_parse(&x, e->key.p, e->key.n) == 0
	    && json_parse(&y, key.p, key.n) == 0) {
		differ_json(&path, &b, &x, 0, &y, 0);
		buf_printf(&msg, "the request is not in the recording: %s: %s",
		    buf_cstr(&path) + (path.n > 0), buf_cstr(&b));
	}
	warn("%s", buf_cstr(&msg));
	answer_error(c, EX_DATAERR, &msg, -1);
	c->code = EX_DATAERR;
	buf_free(&msg);
	buf_free(&path);
	buf_free(&b);
}

static void
play(struct call *c, const struct entry *e)
{
	static struct json j;
	static struct buf s;
	struct buf *b = &c->out;
	long long code;
	int i, k;

	if (json_parse(&j, e->answer.p, e->answer.n) < 0)
		die(EX_SOFTWARE, "part of a text is no text");
	for (i = json_first(&j, 0); i >= 0; i = json_next(&j, i)) {
		emit_open(b, '{');
		for (k = json_first(&j, i); k >= 0; k = json_next(&j, k)) {
			emit_keyj(b, json_span(&j, k));
			put_value(b, &j, k + 1, 0, 0, &to, &from);
			if (json_is(&j, k, "type") && c->id.n > 0)
				emit_pairj(b, "id", buf_view(&c->id));
		}
		emit_close(b, '}');
		buf_putc(b, '\n');
		if (json_is(&j, json_get(&j, i, "type"), "message")) {
			buf_reset(&s);
			buf_reset(&c->delta.text);
			put_string(&s, &j, json_get(&j, i, "content"), &to,
			    &from);
			if (s.n > 2)
				jsonstr_decode(
				    &c->delta.text, s.p + 1, s.n - 2);
		}
		if (json_is(&j, json_get(&j, i, "type"), "error")
		    && json_int(&j, json_get(&j, i, "code"), &code) == 0
		    && code > 0 && code < 128)
			c->code = (int)code;
	}
}

int
replay_play(struct call *c)
{
	static struct buf key;
	struct entry *e, *hit = NULL;
	uint64_t hash;
	size_t i;

	if (!playing)
		return 0;
	buf_reset(&key);
	canonical(&key, &c->json, 1);
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
		miss(c, (struct span){key.p, key.n});
		return 1;
	}
	hit->played = 1;
	play(c, hit);
	return 1;
}

/* No times and no ids of the server's: the same call, the same line. */
static int
passing(const struct json *j, int k)
{
	return json_is(j, k, "id") || json_is(j, k, "ms")
	    || json_is(j, k, "ms_first") || json_is(j, k, "request_id")
	    || json_is(j, k, "retry_after");
}

void
replay_record(struct call *c)
{
	static struct json j;
	struct buf b = {NULL, 0, 0};
	const char *p, *nl, *end = c->out.p + c->out.n;
	int k;

	if (record_path == NULL)
		return;
	emit_open(&b, '{');
	emit_key(&b, "request");
	canonical(&b, &c->json, 1);
	emit_key(&b, "answer");
	emit_open(&b, '[');
	for (p = c->out.p; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (json_parse(&j, p, (size_t)(nl - p)) < 0)
			die(EX_SOFTWARE, "a record of ours is no JSON");
		emit_open(&b, '{');
		for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
			if (passing(&j, k))
				continue;
			emit_keyj(&b, json_span(&j, k));
			put_value(&b, &j, k + 1, 0, 0, &from, &to);
		}
		emit_close(&b, '}');
	}
	emit_close(&b, ']');
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	/* The answer is paid for: it goes on. */
	if (file_append(record_path, b.p, b.n, 0600) < 0) {
		warn_sys("write %s", record_path);
		record_path = NULL;
		lost = 1;
	}
	buf_free(&b);
}

int
replay_lost(void)
{
	return lost;
}
