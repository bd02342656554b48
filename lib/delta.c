#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "delta.h"
#include "emit.h"
#include "gate.h"

static const char *const reasonings[] = {
	"reasoning_content", "reasoning", "reasoning_text"};

static struct span
span_of(const struct buf *b)
{
	return (struct span){b->n > 0 ? b->p : "", b->n};
}

static int
same(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

void
delta_reset(struct delta *d)
{
	delta_drop(d);
	extras_reset(&d->extra);
	buf_reset(&d->text);
	buf_reset(&d->refusal);
	buf_reset(&d->reasoning);
	buf_reset(&d->finish);
	buf_reset(&d->model);
	buf_reset(&d->request);
	d->reasoning_name = NULL;
	d->usage.prompt = d->usage.completion = d->usage.cached = -1;
	d->usage.cache_write = d->usage.reasoning = -1;
	d->usage.cost = NAN;
	d->usage.any = 0;
	d->piece = 0;
	d->content = d->over = 0;
}

size_t
delta_drop(struct delta *d)
{
	size_t i, n = d->ncalls;

	for (i = 0; i < n; i++) {
		buf_free(&d->call[i].id);
		buf_free(&d->call[i].name);
		buf_free(&d->call[i].args);
		extras_reset(&d->call[i].extra);
		free(d->call[i].extra.v);
	}
	d->ncalls = 0;
	return n;
}

static int
complete(struct span s)
{
	struct gate g;

	return s.n > 0 && gate_check(s.p, s.n, &g) == 0;
}

static struct delta_call *
add(struct delta *d, long long index)
{
	struct delta_call *c;

	grow(&d->call, &d->cap, d->ncalls, sizeof(*d->call));
	c = &d->call[d->ncalls++];
	memset(c, 0, sizeof(*c));
	c->index = index;
	return c;
}

/*
 * Does a piece that would fit c begin another call?  Servers repeat the
 * name, or the whole call, at its end; others send several calls under one
 * index, each whole.
 */
static int
another(const struct delta *d, const struct delta_call *c, struct span id,
    struct span name, struct span args)
{
	if (id.n > 0 && c->id.n > 0)
		return !same(id, span_of(&c->id));
	if (name.n == 0)
		return 0;
	if (c->piece == d->piece)
		return 1;
	if (!complete(span_of(&c->args)))
		return 0;
	if (same(name, span_of(&c->name)))
		return args.n > 0 && !same(args, span_of(&c->args));
	return c->name.n > 0;
}

struct delta_call *
delta_find(struct delta *d, long long index, struct span id, struct span name,
    struct span args)
{
	struct delta_call *c;
	size_t i;

	if (id.n > 0 && index < 0) {
		for (i = d->ncalls; i-- > 0;)
			if (same(id, span_of(&d->call[i].id)))
				return &d->call[i];
		/* An id that comes late belongs to the call still open. */
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || c->id.n > 0 || name.n > 0)
			return add(d, -1);
		return c;
	}
	if (index < 0) {
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || another(d, c, id, name, args))
			return add(d, -1);
		return c;
	}
	for (i = d->ncalls; i-- > 0;)
		if (d->call[i].index == index) {
			c = &d->call[i];
			return another(d, c, id, name, args) ? add(d, index)
							     : c;
		}
	return add(d, index);
}

static void
add_name(struct buf *have, struct span s)
{
	/* Whole, repeated, or in pieces. */
	if (s.n >= have->n
	    && (have->n == 0 || memcmp(s.p, have->p, have->n) == 0))
		buf_reset(have);
	buf_span(have, s);
}

static void
add_args(struct buf *have, struct span s)
{
	/* Some gateways send all of it once more at the end. */
	if (s.n > 1 && same(span_of(have), s) && complete(s))
		return;
	buf_span(have, s);
}

static void
one_call(struct delta *d, const struct json *j, int i)
{
	static struct buf id, name, args;
	struct delta_call *c;
	long long index;
	int f = json_get(j, i, "function"), k, a;

	buf_reset(&id);
	buf_reset(&name);
	buf_reset(&args);
	json_str(j, json_get(j, i, "id"), &id);
	json_str(j, json_get(j, f, "name"), &name);
	a = json_get(j, f, "arguments");
	if (json_str(j, a, &args) < 0 && json_kind(j, a) != JSON_NULL)
		buf_span(&args, json_span(j, a));
	if (json_int(j, json_get(j, i, "index"), &index) < 0 || index < 0)
		index = -1;
	c = delta_find(d, index, span_of(&id), span_of(&name), span_of(&args));
	c->piece = d->piece;
	if (id.n > 0 && c->id.n == 0)
		buf_span(&c->id, span_of(&id));
	if (name.n > 0)
		add_name(&c->name, span_of(&name));
	if (args.n > 0)
		add_args(&c->args, span_of(&args));
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, "id") && !json_is(j, k, "index")
		    && !json_is(j, k, "type") && !json_is(j, k, "function"))
			extras_add(&c->extra, j, k);
}

/* Content is a string, or an array of parts, or not there. */
static void
add_content(struct delta *d, const struct json *j, int i)
{
	int k;

	if (json_str(j, i, &d->text) == 0) {
		d->content = 1;
	} else if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (json_kind(j, k) == JSON_STRING)
				json_str(j, k, &d->text);
			else
				json_str(j, json_get(j, k, "text"), &d->text);
		d->content |= d->text.n > 0;
	}
}

/*
 * Reasoning comes under several names, at times under two at once, alike:
 * the first one that has any is the one.
 */
static int
reasoning(struct delta *d, const struct json *j, int k)
{
	size_t n;

	for (n = 0; n < sizeof(reasonings) / sizeof(*reasonings); n++)
		if (json_is(j, k, reasonings[n]))
			break;
	if (n == sizeof(reasonings) / sizeof(*reasonings)
	    || json_kind(j, k + 1) != JSON_STRING)
		return 0;
	if (d->reasoning_name == NULL && json_span(j, k + 1).n > 2)
		d->reasoning_name = reasonings[n];
	if (d->reasoning_name == reasonings[n])
		json_str(j, k + 1, &d->reasoning);
	return 1;
}

static int
message(struct delta *d, const struct json *j, int i)
{
	int c, k, any = 0;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		/* type, id and tp are ours in a message record. */
		if (json_is(j, k, "role") || json_is(j, k, "type")
		    || json_is(j, k, "id") || json_is(j, k, "tp"))
			continue;
		if (json_kind(j, k + 1) == JSON_NULL)
			continue;
		any = 1;
		if (json_is(j, k, "content")) {
			add_content(d, j, k + 1);
		} else if (json_is(j, k, "refusal")) {
			json_str(j, k + 1, &d->refusal);
		} else if (json_is(j, k, "tool_calls")) {
			c = json_first(j, k + 1);
			for (; c >= 0; c = json_next(j, c))
				one_call(d, j, c);
		} else if (!reasoning(d, j, k)) {
			extras_add(&d->extra, j, k);
		}
	}
	return any;
}

static void
count(const struct json *j, int i, const char *path, long long *v)
{
	long long n;

	if (json_int(j, json_at(j, i, path), &n) == 0 && n >= 0)
		*v = n;
}

void
delta_count(struct delta *d, const struct json *j, int i)
{
	struct delta_usage *u = &d->usage;
	double cost;

	if (json_kind(j, i) != JSON_OBJECT)
		return;
	u->any = 1;
	count(j, i, "prompt_tokens", &u->prompt);
	count(j, i, "completion_tokens", &u->completion);
	count(j, i, "prompt_cache_hit_tokens", &u->cached);
	count(j, i, "prompt_tokens_details.cached_tokens", &u->cached);
	count(j, i, "prompt_tokens_details.cache_write_tokens",
	    &u->cache_write);
	count(j, i, "completion_tokens_details.reasoning_tokens",
	    &u->reasoning);
	/* Routers know what they asked for (OpenRouter, usage accounting). */
	if (json_num(j, json_get(j, i, "cost"), &cost) == 0 && cost >= 0)
		u->cost = cost;
}

int
delta_chat(struct delta *d, const struct json *j)
{
	int c, i, any = 0;

	d->piece++;
	if (d->model.n == 0)
		json_str(j, json_get(j, 0, "model"), &d->model);
	delta_count(d, j, json_get(j, 0, "usage"));
	delta_count(d, j, json_at(j, 0, "x_groq.usage"));
	if (!d->usage.any)
		count(j, 0, "timings.cache_n", &d->usage.cached);
	c = json_at(j, 0, "choices.0");
	if (c < 0)
		return 0;
	delta_count(d, j, json_get(j, c, "usage"));
	i = json_get(j, c, "delta");
	if (json_kind(j, i) != JSON_OBJECT)
		i = json_get(j, c, "message");
	if (json_kind(j, i) == JSON_OBJECT)
		any = message(d, j, i);
	i = json_get(j, c, "finish_reason");
	if (json_kind(j, i) == JSON_STRING && json_span(j, i).n > 2) {
		buf_reset(&d->finish);
		json_str(j, i, &d->finish);
		d->over = 1;
	}
	return any;
}

void
delta_close(struct delta *d, size_t first)
{
	struct delta_call *c;
	size_t i;

	for (i = 0; i < d->ncalls; i++) {
		c = &d->call[i];
		if (c->id.n == 0)
			buf_printf(&c->id, "call_%zu", first + i);
		if (c->args.n == 0)
			buf_puts(&c->args, "{}");
	}
}

int
delta_whole(const struct delta *d)
{
	size_t i;

	for (i = 0; i < d->ncalls; i++)
		if (!complete(span_of(&d->call[i].args)))
			return 0;
	return 1;
}

static void
put_call(const struct delta_call *c, struct buf *b)
{
	emit_open(b, '{');
	emit_pairn(b, "id", c->id.p, c->id.n);
	emit_pair(b, "type", "function");
	emit_key(b, "function");
	emit_open(b, '{');
	emit_pairn(b, "name", c->name.n > 0 ? c->name.p : "", c->name.n);
	emit_pairn(b, "arguments", c->args.p, c->args.n);
	emit_close(b, '}');
	extras_put(&c->extra, b);
	emit_close(b, '}');
}

void
delta_put(const struct delta *d, struct buf *b)
{
	size_t i;

	emit_pair(b, "role", "assistant");
	emit_key(b, "content");
	if (d->text.n > 0 || d->ncalls == 0)
		emit_str(b, d->text.n > 0 ? d->text.p : "", d->text.n);
	else
		emit_null(b);
	if (d->refusal.n > 0)
		emit_pairn(b, "refusal", d->refusal.p, d->refusal.n);
	if (d->reasoning_name != NULL)
		emit_pairn(b, d->reasoning_name, d->reasoning.p,
		    d->reasoning.n);
	if (d->ncalls > 0) {
		emit_key(b, "tool_calls");
		emit_open(b, '[');
		for (i = 0; i < d->ncalls; i++)
			put_call(&d->call[i], b);
		emit_close(b, ']');
	}
	extras_put(&d->extra, b);
}

void
delta_free(struct delta *d)
{
	delta_drop(d);
	extras_reset(&d->extra);
	free(d->extra.v);
	free(d->call);
	buf_free(&d->text);
	buf_free(&d->refusal);
	buf_free(&d->reasoning);
	buf_free(&d->finish);
	buf_free(&d->model);
	buf_free(&d->request);
}
