#include <stdlib.h>
#include <string.h>

#include "chat.h"
#include "emit.h"
#include "hash.h"
#include "media.h"
#include "settings.h"
#include "token.h"

struct span
chat_made(struct chat *c, const struct buf *b)
{
	struct span s;

	strs_addn(&c->made, b->n > 0 ? b->p : "", b->n);
	s.p = c->made.v[c->made.n - 1];
	s.n = b->n;
	return s;
}

static void
rehash(struct chat *c)
{
	size_t i, k;

	c->nslots = c->nslots > 0 ? 2 * c->nslots : 64;
	free(c->slots);
	c->slots = xreallocarray(NULL, c->nslots, sizeof(*c->slots));
	memset(c->slots, 0, c->nslots * sizeof(*c->slots));
	for (k = 0; k < c->nids; k++) {
		i = hash_bytes(c->ids[k].p, c->ids[k].n) & (c->nslots - 1);
		while (c->slots[i] != 0)
			i = (i + 1) & (c->nslots - 1);
		c->slots[i] = (long)k + 1;
	}
}

/* The number of the id that is string i; -1 for none and for an empty one. */
static long
intern(struct chat *c, const struct json *j, int i)
{
	static struct buf b;
	struct span s;
	size_t at;

	buf_reset(&b);
	if (json_str(j, i, &b) < 0 || b.n == 0)
		return -1;
	if (2 * c->nids >= c->nslots)
		rehash(c);
	s.p = b.p;
	s.n = b.n;
	at = hash_bytes(s.p, s.n) & (c->nslots - 1);
	for (; c->slots[at] != 0; at = (at + 1) & (c->nslots - 1))
		if (span_same(c->ids[c->slots[at] - 1], s))
			return c->slots[at] - 1;
	grow(&c->ids, &c->idcap, c->nids, sizeof(*c->ids));
	c->ids[c->nids] = chat_made(c, &b);
	c->slots[at] = (long)++c->nids;
	return (long)c->nids - 1;
}

/* A string of blanks; providers refuse it as they refuse an empty one. */
static int
blank(const struct json *j, int i)
{
	static struct buf b;
	size_t k;

	buf_reset(&b);
	if (json_str(j, i, &b) < 0)
		return 0;
	for (k = 0; k < b.n; k++)
		if (strchr(" \t\r\n", b.p[k]) == NULL || b.p[k] == '\0')
			return 0;
	return 1;
}

/* Content that says nothing: none, null, blanks, only parts of blanks. */
static int
silent(const struct json *j, int i)
{
	int k;

	switch (json_kind(j, i)) {
	case JSON_NONE:
	case JSON_NULL:
		return 1;
	case JSON_STRING:
		return blank(j, i);
	case JSON_ARRAY:
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (!blank(j, k) && !blank(j, json_get(j, k, "text")))
				return 0;
		return 1;
	default:
		return 0;
	}
}

static int
filled(const struct json *j, const char *key)
{
	int i = json_get(j, 0, key);

	return i >= 0 && json_kind(j, i) != JSON_NULL && !blank(j, i);
}

int
chat_silent(const struct json *j)
{
	return silent(j, json_get(j, 0, "content")) && !filled(j, "refusal")
	    && !filled(j, "audio");
}

/* Take call i of the message; 0 if it cannot be answered. */
static int
take_call(struct chat *c, const struct chat_msg *m, const struct json *j, int i)
{
	struct chat_call *d;
	size_t k;
	long key;
	int name = json_at(j, i, "function.name");

	key = intern(c, j, json_get(j, i, "id"));
	if (key < 0 || json_kind(j, name) != JSON_STRING || blank(j, name))
		return 0;
	for (k = m->call; k < c->ncalls; k++)
		if (c->calls[k].key == key)
			return 0;
	grow(&c->calls, &c->callcap, c->ncalls, sizeof(*c->calls));
	d = &c->calls[c->ncalls++];
	d->id = json_span(j, json_get(j, i, "id"));
	d->name = json_span(j, name);
	d->args = json_span(j, json_at(j, i, "function.arguments"));
	d->key = key;
	d->result = -1;
	return 1;
}

/* The message without calls, or with these ones alone. */
static void
edit(struct chat *c, struct chat_msg *m, const struct json *j,
    const struct buf *calls)
{
	static struct buf b;

	buf_reset(&b);
	emit_object(&b, j, 0, "tool_calls",
	    (struct span){calls->n > 0 ? calls->p : NULL, calls->n});
	m->text = chat_made(c, &b);
	m->tokens = token_count(b.p, b.n);
	m->edited = 1;
}

static void
take_calls(struct chat *c, struct chat_msg *m, const struct json *j)
{
	static struct buf good;
	int i, k, lost = 0;

	i = json_get(j, 0, "tool_calls");
	buf_reset(&good);
	if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			if (m->partial || !take_call(c, m, j, k)) {
				lost = 1;
				continue;
			}
			if (good.n == 0)
				emit_open(&good, '[');
			emit_span(&good, json_span(j, k));
		}
		if (good.n > 0)
			emit_close(&good, ']');
	}
	m->ncalls = c->ncalls - m->call;
	if (lost)
		edit(c, m, j, &good);
}

/* What is sent: without our own object in it. */
static size_t
tokens(const struct json *j, struct span s, int own)
{
	struct span tp = json_span(j, own);
	size_t at;

	if (own < 0)
		return token_count(s.p, s.n);
	at = (size_t)(tp.p - s.p);
	return token_count(s.p, at)
	    + token_count(tp.p + tp.n, s.n - at - tp.n);
}

/* Made up, stopped, not allowed, or an error, which tools begin so. */
static int
failed(const struct json *j, const struct chat_msg *m, int own)
{
	return m->interrupted || json_true(j, json_get(j, own, "denied"))
	    || (m->content.n > 6 && memcmp(m->content.p, "\"error:", 7) == 0);
}

struct chat_msg *
chat_add(struct chat *c, const struct json *j, struct span text)
{
	struct chat_msg *m;
	int content, own, role;

	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	m = &c->v[c->n++];
	memset(m, 0, sizeof(*m));
	m->text = text;
	m->key = -1;
	m->call = c->ncalls;
	own = json_get(j, 0, "tp");
	content = json_get(j, 0, "content");
	role = json_get(j, 0, "role");
	m->content = json_span(j, content);
	m->tokens = tokens(j, text, own);
	if (json_kind(j, content) == JSON_ARRAY)
		m->tokens -= (size_t)media_excess(j,
		    settings_int("image_tokens"), MEDIA_FILE_BYTES);
	m->partial = json_true(j, json_get(j, own, "partial"));
	m->interrupted = json_true(j, json_get(j, own, "interrupted"));
	m->shortened = json_get(j, own, "shortened") >= 0;
	if (json_is(j, role, "tool")) {
		m->role = CHAT_TOOL;
		m->failed = failed(j, m, own);
		m->parts = json_get(j, own, "parts") >= 0;
		m->key = intern(c, j, json_get(j, 0, "tool_call_id"));
	} else if (json_is(j, role, "assistant")) {
		m->role = CHAT_ASSISTANT;
		take_calls(c, m, j);
		m->empty = m->ncalls == 0 && chat_silent(j)
		    && (m->partial || !filled(j, "function_call"));
	} else if (json_is(j, role, "user")) {
		m->role = CHAT_USER;
		m->empty = silent(j, content);
	} else {
		m->empty = (json_is(j, role, "system")
			       || json_is(j, role, "developer"))
		    && silent(j, content);
	}
	return m;
}

void
chat_reverse(struct chat *c)
{
	struct chat_msg t;
	size_t i;

	for (i = 0; i < c->n / 2; i++) {
		t = c->v[i];
		c->v[i] = c->v[c->n - 1 - i];
		c->v[c->n - 1 - i] = t;
	}
}

static void
show(struct chat *c, size_t i, long call)
{
	struct chat_item *it;

	grow(&c->view, &c->viewcap, c->nview, sizeof(*c->view));
	it = &c->view[c->nview++];
	it->text = c->v[i].text;
	it->tokens = c->v[i].tokens;
	it->msg = (long)i;
	it->call = call;
	it->made = c->v[i].edited;
}

/* Is message i half of what the model said again at once? */
static int
said_again(const struct chat *c, size_t i)
{
	if (!c->v[i].partial)
		return 0;
	for (i++; i < c->n; i++)
		if (!c->v[i].empty && c->v[i].role != CHAT_TOOL)
			return c->v[i].role == CHAT_ASSISTANT;
	return 0;
}

void
chat_view(struct chat *c)
{
	const struct chat_msg *m;
	long *last = xreallocarray(NULL, c->nids + 1, sizeof(*last)), own;
	size_t i, k;

	for (i = 0; i < c->nids; i++)
		last[i] = -1;
	c->nview = 0;
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++) {
			c->calls[k].msg = (long)i;
			last[c->calls[k].key] = (long)k;
		}
		own = m->key < 0 ? -1 : last[m->key];
		if (own >= 0) {
			c->calls[own].result = (long)i;
			last[m->key] = -1;
		}
		if (!m->empty && !said_again(c, i))
			show(c, i, own);
	}
	free(last);
}

void
chat_reset(struct chat *c)
{
	strs_reset(&c->made);
	if (c->nslots > 0)
		memset(c->slots, 0, c->nslots * sizeof(*c->slots));
	c->n = c->ncalls = c->nview = c->nids = 0;
}
