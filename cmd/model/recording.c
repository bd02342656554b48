#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "recording.h"

static struct strs from, to;

void
recording_map(const char *arg)
{
	const char *eq = strrchr(arg, '=');

	if (eq == NULL || eq == arg || eq[1] == '\0')
		die(EX_USAGE, "--map %s: expected FROM=TO", arg);
	strs_addn(&from, arg, (size_t)(eq - arg));
	strs_add(&to, eq + 1);
}

/* Put b for each a in s. */
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

/* How the strings of a value are to be written. */
struct way {
	const struct strs *from, *to; /* from NULL: as they are */
	void (*mask)(struct buf *);
	int sort; /* keys in order, and what is ours of messages left out */
};

static void
put_string(struct buf *b, const struct json *j, int i, const struct way *w)
{
	static struct buf s;
	size_t k;

	buf_reset(&s);
	json_str(j, i, &s);
	if (s.n > 0 && w->from != NULL)
		for (k = 0; k < w->from->n; k++)
			replace(&s, w->from->v[k], w->to->v[k]);
	/* In strings alone: elsewhere it would be no JSON any more. */
	if (w->mask != NULL)
		w->mask(&s);
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

static void
put_value(struct buf *b, const struct json *j, int i, int depth,
    const struct way *w)
{
	struct member *m;
	size_t n = 0, k;
	int c;

	switch (json_kind(j, i)) {
	case JSON_STRING:
		put_string(b, j, i, w);
		return;
	case JSON_ARRAY:
		emit_open(b, '[');
		for (c = json_first(j, i); c >= 0; c = json_next(j, c))
			if (!w->sort || depth != 1 || !volatile_message(j, c))
				put_value(b, j, c, depth + 1, w);
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
		if (w->sort && depth == 0 && !json_is(j, c, "messages")
		    && !json_is(j, c, "model") && !json_is(j, c, "tools"))
			continue;
		if (w->sort && depth == 2
		    && (json_is(j, c, "tp") || json_is(j, c, "id")))
			continue;
		m[n].key = json_dup(j, c);
		m[n].k = c;
		if (m[n].key == NULL)
			m[n].key = xstrdup("");
		n++;
	}
	if (w->sort && n > 1)
		qsort(m, n, sizeof(*m), compare);
	emit_open(b, '{');
	for (k = 0; k < n; k++) {
		emit_keyj(b, json_span(j, m[k].k));
		put_value(b, j, m[k].k + 1, depth + 1, w);
		free(m[k].key);
	}
	emit_close(b, '}');
	free(m);
}

void
recording_request(struct buf *b, const struct json *j, int mapped,
    void (*mask)(struct buf *))
{
	struct way w = {mapped ? &from : NULL, &to, mask, 1};

	put_value(b, j, 0, 0, &w);
}

void
recording_play(struct buf *b, const struct json *j, int i)
{
	struct way w = {&to, &from, NULL, 0};

	put_value(b, j, i, 0, &w);
}

/* No times and no ids of the server's: the same call, the same line. */
static int
changes(const struct json *j, int k)
{
	return json_is(j, k, "id") || json_is(j, k, "ms")
	    || json_is(j, k, "ms_first") || json_is(j, k, "request_id")
	    || json_is(j, k, "retry_after");
}

void
recording_line(struct buf *b, const struct json *j, struct span answer,
    void (*mask)(struct buf *))
{
	static struct json r;
	struct way w = {&from, &to, mask, 0};
	const char *p, *nl, *end = answer.p + answer.n;
	int k;

	emit_open(b, '{');
	emit_key(b, "request");
	recording_request(b, j, 1, mask);
	emit_key(b, "answer");
	emit_open(b, '[');
	for (p = answer.p; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (json_parse(&r, p, (size_t)(nl - p)) < 0)
			die(EX_SOFTWARE, "a record of an answer is not JSON");
		emit_open(b, '{');
		for (k = json_first(&r, 0); k >= 0; k = json_next(&r, k)) {
			if (changes(&r, k))
				continue;
			emit_keyj(b, json_span(&r, k));
			put_value(b, &r, k + 1, 0, &w);
		}
		emit_close(b, '}');
	}
	emit_close(b, ']');
	emit_close(b, '}');
	buf_putc(b, '\n');
}
