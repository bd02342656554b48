#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "gate.h"
#include "jsonrepair.h"
#include "reply.h"

struct extra *
extras_find(const struct extras *x, const char *key)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (strcmp(x->v[i].key, key) == 0)
			return &x->v[i];
	return NULL;
}

/* The member of that name, made if there is none. */
static struct extra *
take_extra(struct extras *x, const char *key)
{
	struct extra *e = extras_find(x, key);

	if (e != NULL)
		return e;
	grow(&x->v, &x->cap, x->n, sizeof(*x->v));
	e = &x->v[x->n++];
	memset(e, 0, sizeof(*e));
	e->key = xstrdup(key);
	return e;
}

static void
push(struct extra *e, struct span elements)
{
	if (e->value.n > 0)
		buf_putc(&e->value, ',');
	buf_span(&e->value, elements);
}

void
extras_push(struct extras *x, const char *key, struct span element)
{
	struct extra *e = take_extra(x, key);

	e->kind = JSON_ARRAY;
	push(e, element);
}

void
extras_add(struct extras *x, const struct json *j, int k)
{
	struct extra *e;
	struct span s = json_span(j, k + 1);
	enum json_kind kind = json_kind(j, k + 1);
	char *key = json_dup(j, k);

	if (key == NULL || kind == JSON_NULL) {
		free(key);
		return;
	}
	e = take_extra(x, key);
	free(key);
	if (kind != e->kind || (kind != JSON_STRING && kind != JSON_ARRAY))
		buf_reset(&e->value);
	e->kind = kind;
	if (kind == JSON_STRING) {
		json_str(j, k + 1, &e->value);
	} else if (kind != JSON_ARRAY) {
		buf_span(&e->value, s);
	} else if (json_count(j, k + 1) > 0) {
		push(e, (struct span){s.p + 1, s.n - 2});
	}
}

/* Write key and value of each. */
static void
extras_put(const struct extras *x, struct buf *b)
{
	const struct extra *e;

	for (e = x->v; e != NULL && e < x->v + x->n; e++) {
		emit_key(b, e->key);
		if (e->kind == JSON_STRING) {
			emit_str(b, e->value.p, e->value.n);
		} else if (e->kind == JSON_ARRAY) {
			emit_open(b, '[');
			buf_span(b, (struct span){e->value.p, e->value.n});
			emit_close(b, ']');
		} else {
			emit_raw(b, e->value.p, e->value.n);
		}
	}
}

/* The values are whole: jsonrepair.h. */
static void
extras_settle(struct extras *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		halves_end(&x->v[i].value);
}

void
extras_reset(struct extras *x)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		free(x->v[i].key);
		buf_free(&x->v[i].value);
	}
	x->n = 0;
}

struct block *
blocks_at(const struct blocks *bs, long long index)
{
	size_t i;

	for (i = bs->n; i-- > 0;)
		if (bs->v[i].index == index + bs->base)
			return &bs->v[i];
	return NULL;
}

struct block *
blocks_add(struct blocks *bs, long long index, enum block_kind kind)
{
	struct block *k;

	grow(&bs->v, &bs->cap, bs->n, sizeof(*bs->v));
	k = &bs->v[bs->n++];
	memset(k, 0, sizeof(*k));
	k->index = index + bs->base;
	k->kind = kind;
	return k;
}

void
blocks_keep(struct blocks *bs, size_t at, size_t n)
{
	size_t i, from = 0, to, a, z;

	for (i = 0; i < bs->n; i++, from = to) {
		to = from + bs->v[i].bytes;
		a = from > at ? from : at;
		z = to < at + n ? to : at + n;
		bs->v[i].bytes = z > a ? z - a : 0;
	}
}

/* Do text and calls say it all: one text at most, then the calls? */
static int
blocks_plain(const struct blocks *bs)
{
	size_t i;
	int calls = 0;

	for (i = 0; i < bs->n; i++)
		switch (bs->v[i].kind) {
		case BLOCK_TEXT:
			if ((calls && bs->v[i].bytes > 0)
			    || bs->v[i].x.n > 0)
				return 0;
			break;
		case BLOCK_CALL: calls = 1; break;
		case BLOCK_OTHER: return 0;
		}
	return 1;
}

static void
put_other(const struct block *k, struct buf *b)
{
	struct gate g;

	emit_open(b, '{');
	extras_put(&k->x, b);
	if (k->input.n > 0
	    && gate_check(k->input.p, k->input.n, &g) == 0)
		emit_pairj(b, "input", buf_view(&k->input));
	emit_close(b, '}');
}

/*
 * Write an array: {"text":BYTES} and {"call":ID}, which point into the
 * message, and other blocks as they came.  ids are the calls', n of them.
 */
static void
blocks_put(const struct blocks *bs, struct buf *b, const struct span *ids,
    size_t n)
{
	const struct block *k;
	size_t i;

	emit_open(b, '[');
	for (i = 0; i < bs->n; i++) {
		k = &bs->v[i];
		if (k->kind == BLOCK_OTHER) {
			if (k->x.n > 0)
				put_other(k, b);
			continue;
		}
		if (k->kind == BLOCK_TEXT && k->bytes == 0)
			continue;
		emit_open(b, '{');
		if (k->kind == BLOCK_TEXT) {
			emit_pairi(b, "text", (long long)k->bytes);
			extras_put(&k->x, b);
		} else if (k->call < n) {
			emit_pairn(b, "call", ids[k->call].p, ids[k->call].n);
		}
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

/* Forget all of them, or all but the texts. */
static void
clear_blocks(struct blocks *bs, int texts)
{
	struct block *k;
	size_t i, n = 0;

	for (i = 0; i < bs->n; i++) {
		k = &bs->v[i];
		if (texts && k->kind == BLOCK_TEXT) {
			bs->v[n++] = *k;
			continue;
		}
		extras_reset(&k->x);
		free(k->x.v);
		buf_free(&k->input);
	}
	bs->n = n;
}

static void
blocks_reset(struct blocks *bs)
{
	clear_blocks(bs, 0);
	bs->base = 0;
}

void
blocks_free(struct blocks *bs)
{
	blocks_reset(bs);
	free(bs->v);
	memset(bs, 0, sizeof(*bs));
}

static void
drop_sources(struct reply *d)
{
	while (d->nsources > 0)
		buf_free(&d->source[--d->nsources].members);
}

void
reply_reset(struct reply *d)
{
	reply_drop(d);
	blocks_reset(&d->blocks);
	drop_sources(d);
	extras_reset(&d->extra);
	buf_reset(&d->text);
	buf_reset(&d->refusal);
	buf_reset(&d->reasoning);
	buf_reset(&d->finish);
	buf_reset(&d->model);
	buf_reset(&d->request);
	buf_reset(&d->held);
	d->sift = SIFT_BEFORE;
	d->reasoning_name = NULL;
	usage_reset(&d->usage);
	usage_reset(&d->before);
	d->piece = 0;
	d->halves = 0;
	d->nblocks = 0;
	d->content = d->over = d->last = d->unfinished = d->blank = 0;
}

struct usage
reply_total(const struct reply *d)
{
	struct usage u = d->usage;

	usage_add(&u, &d->before);
	return u;
}

void
reply_more(struct reply *d)
{
	struct blocks *bs = &d->blocks;

	d->before = reply_total(d);
	usage_reset(&d->usage);
	buf_reset(&d->finish);
	d->over = d->last = 0;
	if (bs->n > 0)
		bs->base = bs->v[bs->n - 1].index + 1;
}

size_t
reply_drop(struct reply *d)
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
	clear_blocks(&d->blocks, 1);
	return n;
}

static int
complete(struct span s)
{
	struct gate g;

	return s.n > 0 && gate_check(s.p, s.n, &g) == 0;
}

struct reply_call *
reply_add(struct reply *d, long long index)
{
	struct reply_call *c;

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
another(const struct reply *d, const struct reply_call *c, struct span id,
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

struct reply_call *
reply_find(struct reply *d, long long index, struct span id, struct span name,
    struct span args)
{
	struct reply_call *c;
	size_t i;

	if (id.n > 0 && index < 0) {
		for (i = d->ncalls; i-- > 0;)
			if (span_same(id, buf_view(&d->call[i].id)))
				return &d->call[i];
		/* An id that comes late belongs to the call still open. */
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || c->id.n > 0 || name.n > 0)
			return reply_add(d, -1);
		return c;
	}
	if (index < 0) {
		c = d->ncalls > 0 ? &d->call[d->ncalls - 1] : NULL;
		if (c == NULL || another(d, c, id, name, args))
			return reply_add(d, -1);
		return c;
	}
	for (i = d->ncalls; i-- > 0;)
		if (d->call[i].index == index) {
			c = &d->call[i];
			return another(d, c, id, name, args)
			    ? reply_add(d, index) : c;
		}
	return reply_add(d, index);
}

void
reply_name(struct buf *have, struct span s)
{
	/* Whole, repeated, or in pieces. */
	if (s.n >= have->n
	    && (have->n == 0 || memcmp(s.p, have->p, have->n) == 0))
		buf_reset(have);
	buf_span(have, s);
}

void
reply_args(struct buf *have, struct span s)
{
	/* Some gateways send all of it once more at the end. */
	if (s.n > 1 && span_same(buf_view(have), s) && complete(s))
		return;
	buf_span(have, s);
}

int
reply_append(struct reply *d, const struct json *j, int i)
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
reply_text(struct reply *d, const struct json *j, int i)
{
	if (reply_append(d, j, i) == 0)
		d->content = 1;
}

/* Does held, from at on, begin with s?  -1 if it may yet. */
static int
begins(const struct buf *held, size_t at, const struct buf *s)
{
	size_t n = held->n - at < s->n ? held->n - at : s->n;

	if (n > 0 && memcmp(held->p + at, s->p, n) != 0)
		return 0;
	return n == s->n ? 1 : -1;
}

static size_t
blanks(const struct buf *b)
{
	size_t n = 0;

	while (n < b->n && strchr(" \t\r\n", b->p[n]) != NULL)
		n++;
	return n;
}

static void
unhold(struct buf *held, size_t n)
{
	memmove(held->p, held->p + n, held->n - n);
	held->n -= n;
}

/* Has a thought begun, or the answer?  0 if it is not known yet. */
static int
sift_start(struct reply *d)
{
	static struct buf open;
	const struct json *j = d->thoughts;
	size_t at = blanks(&d->held);
	int k, fits, maybe = 0;

	for (k = json_first(j, d->thoughts_at); k >= 0; k = json_next(j, k)) {
		buf_reset(&open);
		json_str(j, k, &open);
		fits = begins(&d->held, at, &open);
		maybe |= fits < 0;
		if (fits <= 0)
			continue;
		buf_reset(&d->close);
		json_str(j, k + 1, &d->close);
		unhold(&d->held, at + open.n);
		d->sift = SIFT_IN;
		return 1;
	}
	if (!maybe)
		d->sift = SIFT_OVER;
	return !maybe;
}

void
reply_sift(struct reply *d, size_t at)
{
	struct buf *held = &d->held;
	size_t n;

	if (d->thoughts_at <= 0 || d->sift == SIFT_OVER)
		return;
	buf_add(held, d->text.p + at, d->text.n - at);
	d->text.n = at;
	if (d->sift == SIFT_BEFORE && !sift_start(d))
		return;
	if (d->sift == SIFT_IN) {
		if (d->reasoning.n == 0)
			unhold(held, blanks(held));
		for (n = 0; n < held->n && begins(held, n, &d->close) == 0;)
			n++;
		buf_add(&d->reasoning, held->p, n);
		if (d->reasoning.n > 0 && d->reasoning_name == NULL)
			d->reasoning_name = "reasoning_content";
		unhold(held, n);
		if (begins(held, 0, &d->close) <= 0)
			return;
		unhold(held, d->close.n);
		d->sift = SIFT_BEHIND;
	}
	if (d->sift == SIFT_BEHIND) {
		unhold(held, blanks(held));
		if (held->n == 0)
			return;
		d->sift = SIFT_OVER;
	}
	buf_span(&d->text, buf_view(held));
	buf_reset(held);
}

void
reply_settle(struct reply *d)
{
	struct reply_call *c;
	struct block *k;

	buf_span(d->sift == SIFT_IN ? &d->reasoning : &d->text,
	    buf_view(&d->held));
	buf_reset(&d->held);
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
reply_reason(struct reply *d, const struct json *j, int i)
{
	json_str(j, i, &d->reasoning);
	if (d->reasoning.n > 0)
		d->reasoning_name = "reasoning";
}

long long
reply_characters(const char *s, size_t n)
{
	long long sum = 0;

	for (; n > 0; n--, s++)
		sum += (*s & 0xc0) != 0x80;
	return sum;
}

/* The first of these members that is a string goes out as the first one. */
static void
put_name(struct buf *b, const struct json *j, int i, const char *const *names)
{
	const char *as = *names;
	int k = -1;

	for (; *names != NULL && k < 0; names++)
		if (json_kind(j, json_get(j, i, *names)) == JSON_STRING)
			k = json_get(j, i, *names);
	if (k >= 0)
		emit_pairj(b, as, json_span(j, k));
}

void
reply_source(struct reply *d, const struct block *k, const struct json *j,
    int i, long long base)
{
	static const char *const url[] = {"url", "source", NULL};
	static const char *const file[] = {"file_id", NULL};
	static const char *const title[] = {
		"title", "document_title", "filename", NULL};
	static const char *const text[] = {"content", "cited_text", NULL};
	struct source *s;
	int at = json_get(j, i, "start_index");

	if (json_kind(j, i) != JSON_OBJECT)
		return;
	grow(&d->source, &d->sourcecap, d->nsources, sizeof(*d->source));
	s = &d->source[d->nsources++];
	memset(s, 0, sizeof(*s));
	s->block = k->index;
	s->to = -1;
	/* A file's mark has a place and no length. */
	if (json_int(j, at >= 0 ? at : json_get(j, i, "index"), &s->from) == 0
	    && s->from >= 0) {
		if (json_int(j, json_get(j, i, "end_index"), &s->to) < 0
		    || s->to < s->from)
			s->to = s->from;
		s->from += base;
		s->to += base;
	} else {
		s->from = 0;
	}
	put_name(&s->members, j, i, url);
	s->type = s->members.n > 0 ? "url_citation" : "file_citation";
	put_name(&s->members, j, i, file);
	put_name(&s->members, j, i, title);
	put_name(&s->members, j, i, text);
}

static int
repeated(const struct reply *d, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (span_same(buf_view(&d->call[i].id),
			buf_view(&d->call[n].id)))
			return 1;
	return 0;
}

void
reply_close(struct reply *d, size_t first)
{
	struct reply_call *c;
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
put_call(const struct reply_call *c, struct buf *b)
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
put_native(const struct reply *d, struct buf *b)
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

/* Of a text that begins at character first and has n of them. */
static void
put_source(struct buf *b, const struct source *s, long long first, long long n)
{
	long long to = s->to < 0 || s->to > n ? n : s->to;

	emit_open(b, '{');
	emit_pair(b, "type", s->type);
	emit_key(b, s->type);
	emit_open(b, '{');
	emit_pairi(b, "start_index", first + (s->from < to ? s->from : to));
	emit_pairi(b, "end_index", first + to);
	if (s->members.n > 0)
		buf_putc(b, ',');
	buf_span(b, buf_view(&s->members));
	emit_close(b, '}');
	emit_close(b, '}');
}

/* As a chat completion has them, the offsets in characters of the content. */
static void
put_sources(const struct reply *d, struct buf *b)
{
	const struct source *s;
	const struct block *k;
	const char *p = d->text.p;
	long long first = 0, n;

	emit_key(b, "annotations");
	emit_open(b, '[');
	for (k = d->blocks.v; k < d->blocks.v + d->blocks.n; k++) {
		if (k->kind != BLOCK_TEXT)
			continue;
		n = reply_characters(p, k->bytes);
		for (s = d->source; s < d->source + d->nsources; s++)
			if (s->block == k->index)
				put_source(b, s, first, n);
		first += n;
		p += k->bytes;
	}
	emit_close(b, ']');
}

void
reply_put(const struct reply *d, struct buf *b)
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
	if (d->nsources > 0)
		put_sources(d, b);
	if (!blocks_plain(&d->blocks))
		put_native(d, b);
}

void
reply_free(struct reply *d)
{
	reply_drop(d);
	drop_sources(d);
	free(d->source);
	extras_reset(&d->extra);
	free(d->extra.v);
	blocks_free(&d->blocks);
	free(d->call);
	buf_free(&d->text);
	buf_free(&d->refusal);
	buf_free(&d->reasoning);
	buf_free(&d->held);
	buf_free(&d->close);
	buf_free(&d->finish);
	buf_free(&d->model);
	buf_free(&d->request);
}
