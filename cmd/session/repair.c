#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "jsonstr.h"
#include "repair.h"
#include "template.h"
#include "token.h"

static void
answer(struct chat *c, long call, size_t result)
{
	c->calls[call].result = (long)result;
	c->v[result].owner = call;
}

/* Does it say what the call's result, or the one just before it, says? */
static int
repeats(const struct chat *c, const struct chat_msg *m, long call, long before)
{
	return (call >= 0
		   && span_same(c->v[c->calls[call].result].content,
		       m->content))
	    || (before >= 0 && span_same(c->v[before].content, m->content));
}

/*
 * A result's call is the last one of its id before it.  left gets those
 * whose call has one already that says something else, or is not there yet.
 */
static void
match_near(struct chat *c, long *last, long *before, char *left)
{
	struct chat_msg *m;
	size_t i, k;
	long own;

	for (i = 0; i < c->nids; i++)
		last[i] = before[i] = -1;
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++) {
			c->calls[k].msg = (long)i;
			last[c->calls[k].key] = (long)k;
			before[c->calls[k].key] = -1;
		}
		if (m->key < 0)
			continue;
		own = last[m->key];
		if (own >= 0 && c->calls[own].result < 0)
			answer(c, own, i);
		else
			left[i] = !repeats(c, m, own, before[m->key]);
		before[m->key] = (long)i;
	}
}

/* Left over results, in order, for the calls before them that got none. */
static void
match_later(struct chat *c, long *head, long *tail, long *next, char *left)
{
	struct chat_msg *m;
	size_t i, k;
	long key;

	for (i = 0; i < c->nids; i++)
		head[i] = tail[i] = -1;
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++) {
			if (c->calls[k].result >= 0)
				continue;
			key = c->calls[k].key;
			next[k] = -1;
			if (head[key] < 0)
				head[key] = (long)k;
			else
				next[tail[key]] = (long)k;
			tail[key] = (long)k;
		}
		if (left[i] && head[m->key] >= 0) {
			answer(c, head[m->key], i);
			head[m->key] = next[head[m->key]];
			left[i] = 0;
		}
	}
}

/* The rest for calls after them: results stored before their call. */
static void
match_before(struct chat *c, long *top, long *next, const char *left)
{
	struct chat_msg *m;
	size_t i, k;
	long key;

	for (i = 0; i < c->nids; i++)
		top[i] = -1;
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		for (k = m->call; k < m->call + m->ncalls; k++) {
			key = c->calls[k].key;
			if (c->calls[k].result >= 0 || top[key] < 0)
				continue;
			answer(c, (long)k, (size_t)top[key]);
			top[key] = next[top[key]];
		}
		if (left[i]) {
			next[i] = top[m->key];
			top[m->key] = (long)i;
		}
	}
}

static void
match(struct chat *c)
{
	size_t nnext = c->n > c->ncalls ? c->n : c->ncalls;
	long *head, *next, *tail;
	char *left;

	head = xreallocarray(NULL, c->nids + 1, sizeof(*head));
	tail = xreallocarray(NULL, c->nids + 1, sizeof(*tail));
	next = xreallocarray(NULL, nnext + 1, sizeof(*next));
	left = xmalloc(c->n + 1);
	memset(left, 0, c->n + 1);
	match_near(c, head, tail, left);
	match_later(c, head, tail, next, left);
	match_before(c, head, next, left);
	free(head);
	free(tail);
	free(next);
	free(left);
}

static void
show(struct chat *c, long msg, long call)
{
	struct chat_item *it;

	grow(&c->view, &c->viewcap, c->nview, sizeof(*c->view));
	it = &c->view[c->nview++];
	memset(it, 0, sizeof(*it));
	it->msg = msg;
	it->call = call;
	if (msg >= 0) {
		it->text = c->v[msg].text;
		it->tokens = c->v[msg].tokens;
		it->made = c->v[msg].edited;
	}
}

static void
show_missing(struct chat *c, long call, const char *missing, size_t n)
{
	static struct buf b, name, text;
	struct hole holes[] = {{"name", {NULL, 0}}, {NULL, {NULL, 0}}};
	struct chat_call *d = &c->calls[call];
	struct chat_item *it;

	buf_reset(&name);
	jsonstr_text(&name, d->name);
	holes[0].value = buf_view(&name);
	buf_reset(&text);
	template_holes(&text, missing, n, holes);
	buf_reset(&b);
	buf_puts(&b, "{\"role\":\"tool\",\"tool_call_id\":");
	buf_span(&b, d->id);
	buf_puts(&b, ",\"name\":");
	buf_span(&b, d->name);
	emit_pairn(&b, "content", text.p, text.n);
	buf_puts(&b, ",\"tp\":{\"missing\":true}}");
	show(c, -1, call);
	it = &c->view[c->nview - 1];
	it->text = chat_made(c, &b);
	it->tokens = token_count(b.p, b.n);
	it->made = 1;
}

void
repair_chat(struct chat *c, const char *missing, size_t n)
{
	const struct chat_msg *m;
	size_t i, k;

	match(c);
	c->nview = 0;
	for (i = 0; i < c->n; i++) {
		m = &c->v[i];
		if (m->role == CHAT_TOOL || m->empty)
			continue;
		show(c, (long)i, -1);
		for (k = m->call; k < m->call + m->ncalls; k++)
			if (c->calls[k].result >= 0)
				show(c, c->calls[k].result, (long)k);
			else
				show_missing(c, (long)k, missing, n);
	}
}
