#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "delta.h"
#include "emit.h"
#include "gate.h"
#include "halves.h"

static void
unknown(struct delta_usage *u)
{
	u->prompt = u->completion = u->cached = -1;
	u->cache_write = u->reasoning = u->fresh = -1;
	u->cost = NAN;
	u->any = 0;
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
	unknown(&d->usage);
	unknown(&d->before);
	d->piece = 0;
	d->halves = 0;
	d->nblocks = 0;
	d->content = d->over = d->last = d->unfinished = d->blank = 0;
}

static void
sum(long long *a, long long b)
{
	if (*a >= 0 && b >= 0)
		*a += b;
	else if (*a < 0)
		*a = b;
}

struct delta_usage
delta_total(const struct delta *d)
{
	struct delta_usage u = d->usage;

	sum(&u.prompt, d->before.prompt);
	sum(&u.completion, d->before.completion);
	sum(&u.cached, d->before.cached);
	sum(&u.cache_write, d->before.cache_write);
	sum(&u.reasoning, d->before.reasoning);
	if (!isnan(d->before.cost))
		u.cost = d->before.cost + (isnan(u.cost) ? 0 : u.cost);
	return u;
}

void
delta_more(struct delta *d)
{
	struct blocks *bs = &d->blocks;

	d->before = delta_total(d);
	unknown(&d->usage);
	buf_reset(&d->finish);
	d->over = d->last = 0;
	if (bs->n > 0)
		bs->base = bs->v[bs->n - 1].index + 1;
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
	blocks_reset(&d->blocks);
	return n;
}

static int
complete(struct span s)
{
	struct gate g;

	return s.n > 0 && gate_check(s.p, s.n, &g) == 0;
}

struct delta_call *
delta_add(struct delta *d, long long index)
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
		return !span_same(id, buf_view(&c->id));
	if (name.n == 0)
		return 0;
	if (c->piece == d->piece)
		return 1;
	if (!complete(buf_view(&c->args)))
		return 0;
	if (span_same(name, buf_view(&c->name)))
		return args.n > 0 && !span_same(args, buf_view(&c->args));
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
			if (span_same(id, buf_view(&d->call[i].id)))
				return &d->call[i];
		/* An id that comes late belongs to the call still open. */
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || c->id.n > 0 || name.n > 0)
			return delta_add(d, -1);
		return c;
	}
	if (index < 0) {
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || another(d, c, id, name, args))
			return delta_add(d, -1);
		return c;
	}
	for (i = d->ncalls; i-- > 0;)
		if (d->call[i].index == index) {
			c = &d->call[i];
			return another(d, c, id, name, args)
			    ? delta_add(d, index) : c;
		}
	return delta_add(d, index);
}

void
delta_name(struct buf *have, struct span s)
{
	/* Whole, repeated, or in pieces. */
	if (s.n >= have->n
	    && (have->n == 0 || memcmp(s.p, have->p, have->n) == 0))
		buf_reset(have);
	buf_span(have, s);
}

void
delta_args(struct buf *have, struct span s)
{
	/* Some gateways send all of it once more at the end. */
	if (s.n > 1 && span_same(buf_view(have), s) && complete(s))
		return;
	buf_span(have, s);
}

int
delta_append(struct delta *d, const struct json *j, int i)
{
	size_t from = d->text.n;

	if (json_str(j, i, &d->text) < 0)
		return -1;
	if (d->halves) {
		halves_added(&d->text, from, d->blocks.n == d->nblocks);
		d->nblocks = d->blocks.n;
	}
	return 0;
}

void
delta_text(struct delta *d, const struct json *j, int i)
{
	if (delta_append(d, j, i) == 0)
		d->content = 1;
}

void
delta_settle(struct delta *d)
{
	struct delta_call *c;
	struct block *k;

	if (!d->halves)
		return;
	halves_end(&d->text);
	halves_end(&d->refusal);
	halves_end(&d->reasoning);
	extras_settle(&d->extra);
	for (c = d->call; c != NULL && c < d->call + d->ncalls; c++) {
		halves_end(&c->id);
		halves_end(&c->name);
		halves_end(&c->args);
		extras_settle(&c->extra);
	}
	for (k = d->blocks.v; k != NULL && k < d->blocks.v + d->blocks.n;
	     k++) {
		halves_end(&k->input);
		extras_settle(&k->x);
	}
}

void
delta_reason(struct delta *d, const struct json *j, int i)
{
	json_str(j, i, &d->reasoning);
	if (d->reasoning.n > 0)
		d->reasoning_name = "reasoning";
}

void
delta_number(const struct json *j, int i, const char *path, long long *v)
{
	long long n;

	/* No more than sums can hold. */
	if (json_int(j, json_at(j, i, path), &n) == 0 && n >= 0
	    && n < 1LL << 50)
		*v = n;
}

static int
repeated(const struct delta *d, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (span_same(buf_view(&d->call[i].id),
			buf_view(&d->call[n].id)))
			return 1;
	return 0;
}

void
delta_close(struct delta *d, size_t first)
{
	struct delta_call *c;
	size_t i, n;

	for (i = 0; i < d->ncalls; i++) {
		c = &d->call[i];
		for (n = first + i; c->id.n == 0 || repeated(d, i); n++) {
			buf_reset(&c->id);
			buf_printf(&c->id, "call_%zu", n);
		}
		if (c->args.n == 0)
			buf_puts(&c->args, "{}");
	}
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

static void
put_native(const struct delta *d, struct buf *b)
{
	struct span *ids;
	size_t i;

	emit_key(b, "native");
	emit_open(b, '{');
	emit_pair(b, "api", d->api);
	emit_pair(b, "provider", d->provider);
	emit_pair(b, "model", d->asked);
	emit_key(b, "blocks");
	ids = xreallocarray(NULL, d->ncalls + 1, sizeof(*ids));
	for (i = 0; i < d->ncalls; i++)
		ids[i] = buf_view(&d->call[i].id);
	blocks_put(&d->blocks, b, ids, d->ncalls);
	free(ids);
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
	if (!blocks_plain(&d->blocks))
		put_native(d, b);
}

void
delta_free(struct delta *d)
{
	delta_drop(d);
	extras_reset(&d->extra);
	free(d->extra.v);
	blocks_free(&d->blocks);
	free(d->call);
	buf_free(&d->text);
	buf_free(&d->refusal);
	buf_free(&d->reasoning);
	buf_free(&d->finish);
	buf_free(&d->model);
	buf_free(&d->request);
}
