#include <string.h>

#include "emit.h"
#include "json.h"
#include "pairs.h"
#include "template.h"
#include "textfile.h"

/* A message: its tokens in list. */
struct message {
	int at;
	int calls; /* the first one, or -1 */
	int id;	   /* of a result; else -1 */
	int isused;
};

static struct json list;
static struct message *v;
static size_t n, cap;
static long *results; /* for each call, or -1 */
static size_t nresults, resultcap;

static void
load(const struct buf *b)
{
	static struct buf text;
	struct message *m;
	int k;

	buf_reset(&text);
	buf_putc(&text, '[');
	buf_add(&text, b->p, b->n - 1);
	buf_putc(&text, ']');
	json_parse(&list, text.p, text.n);
	n = nresults = 0;
	for (k = json_first(&list, 0); k >= 0; k = json_next(&list, k)) {
		grow(&v, &cap, n, sizeof(*v));
		m = &v[n++];
		m->at = k;
		m->calls = json_first(&list, json_get(&list, k, "tool_calls"));
		m->id = -1;
		m->isused = 0;
		if (!json_is(&list, json_get(&list, k, "role"), "tool"))
			continue;
		m->id = json_get(&list, k, "tool_call_id");
		if (m->id < 0)
			m->id = 0;
	}
}

static int
is_same(int a, int b)
{
	static struct buf x, y;
	struct span s = json_span(&list, a), t = json_span(&list, b);

	if (span_same(s, t))
		return 1;
	if (memchr(s.p, '\\', s.n) == NULL && memchr(t.p, '\\', t.n) == NULL)
		return 0;
	buf_reset(&x);
	buf_reset(&y);
	return json_str(&list, a, &x) == 0 && json_str(&list, b, &y) == 0
	    && span_same(buf_view(&x), buf_view(&y));
}

static int
is_of(const struct message *m, int id)
{
	return m->id >= 0 && !m->isused && is_same(m->id, id);
}

/* Does the message call by that id? */
static int
calls(const struct message *m, int id)
{
	int c;

	for (c = m->calls; c >= 0; c = json_next(&list, c))
		if (is_same(json_get(&list, c, "id"), id))
			return 1;
	return 0;
}

/* Has a result that is used said the same? */
static int
is_said(size_t i)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (v[k].isused && span_same(json_span(&list, v[k].at),
		    json_span(&list, v[i].at)))
			return 1;
	return 0;
}

/* The result for a call of message i, before its id is used again; or -1. */
static long
find_near(size_t i, int id)
{
	for (i++; i < n && !calls(&v[i], id); i++)
		if (is_of(&v[i], id))
			return (long)i;
	return -1;
}

/* Of what is left, wherever it stands. */
static long
find_far(int id)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (is_of(&v[i], id) && !is_said(i))
			return (long)i;
	return -1;
}

/* Pair them; 0 if they are in order. */
static int
match(int far)
{
	size_t i, k, nth = 0;
	int c, id, astray = 0;

	for (i = 0; i < n; i++)
		for (c = v[i].calls, k = i + 1; c >= 0;
		     c = json_next(&list, c), k++, nth++) {
			id = json_get(&list, c, "id");
			if (!far) {
				grow(&results, &resultcap, nth,
				    sizeof(*results));
				results[nth] = find_near(i, id);
			} else if (results[nth] < 0) {
				results[nth] = find_far(id);
			}
			if (results[nth] >= 0)
				v[results[nth]].isused = 1;
			astray |= results[nth] != (long)k;
		}
	for (i = 0; i < n; i++)
		astray |= v[i].id >= 0 && !v[i].isused;
	return astray;
}

static void
put(struct buf *b, size_t i)
{
	buf_span(b, json_span(&list, v[i].at));
	buf_putc(b, ',');
}

static void
put_missing(struct buf *b, int call)
{
	static struct buf missing, id, name, said;
	struct hole holes[] = {{"name", {NULL, 0}}, {NULL, {NULL, 0}}};

	if (missing.n == 0)
		textfile_read(&missing, "prompts/missing-result.md");
	buf_reset(&id);
	buf_reset(&name);
	buf_reset(&said);
	json_str(&list, json_get(&list, call, "id"), &id);
	json_str(&list, json_at(&list, call, "function.name"), &name);
	holes[0].value = buf_view(&name);
	template_holes(&said, buf_cstr(&missing), missing.n, holes);
	emit_open(b, '{');
	emit_pair(b, "role", "tool");
	emit_pairn(b, "tool_call_id", buf_cstr(&id), id.n);
	emit_pair(b, "name", name.n > 0 ? buf_cstr(&name) : NULL);
	emit_pairn(b, "content", said.p, said.n);
	emit_close(b, '}');
	buf_putc(b, ',');
}

size_t
pairs_repair(struct buf *b)
{
	size_t i, nth = 0, count = 0;
	int c;

	load(b);
	if (!match(0))
		return n;
	match(1);
	buf_reset(b);
	for (i = 0; i < n; i++) {
		if (v[i].id >= 0)
			continue;
		put(b, i);
		count++;
		for (c = v[i].calls; c >= 0; c = json_next(&list, c)) {
			if (results[nth] >= 0)
				put(b, (size_t)results[nth]);
			else
				put_missing(b, c);
			nth++;
			count++;
		}
	}
	return count;
}
