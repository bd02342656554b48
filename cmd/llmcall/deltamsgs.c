#include <string.h>

#include "deltamsgs.h"

/*
 * Nulls leave what an earlier event said.  At a stream's start the count of
 * the output is a placeholder: only a later event, or a body that came
 * whole, has the count.
 */
static void
count(struct delta *d, const struct json *j, int i, int start)
{
	struct delta_usage *u = &d->usage;

	if (json_kind(j, i) != JSON_OBJECT)
		return;
	u->any = 1;
	delta_number(j, i, "input_tokens", &u->fresh);
	delta_number(j, i, "cache_read_input_tokens", &u->cached);
	delta_number(j, i, "cache_creation_input_tokens", &u->cache_write);
	if (!start)
		delta_number(j, i, "output_tokens", &u->completion);
	if (u->fresh >= 0)
		u->prompt = u->fresh + (u->cached > 0 ? u->cached : 0)
		    + (u->cache_write > 0 ? u->cache_write : 0);
}

static void
head(struct delta *d, const struct json *j, int i, int start)
{
	if (d->model.n == 0)
		json_str(j, json_get(j, i, "model"), &d->model);
	count(d, j, json_get(j, i, "usage"), start);
}

static void
finish(struct delta *d, const struct json *j, int i)
{
	if (json_kind(j, i) != JSON_STRING)
		return;
	buf_reset(&d->finish);
	json_str(j, i, &d->finish);
}

/* Pieces of JSON replace what was there from the start, if it was. */
static int
add_input(struct block *k, struct buf *b, const struct json *j, int i)
{
	static struct buf s;

	buf_reset(&s);
	json_str(j, i, &s);
	if (s.n == 0)
		return 0;
	if (k->given)
		buf_reset(b);
	k->given = 0;
	buf_span(b, buf_view(&s));
	return 1;
}

static int
open_call(struct delta *d, struct block *k, const struct json *j, int i)
{
	static struct buf id, name;
	struct delta_call *c;

	buf_reset(&id);
	buf_reset(&name);
	json_str(j, json_get(j, i, "id"), &id);
	json_str(j, json_get(j, i, "name"), &name);
	k->call = d->ncalls;
	c = delta_add(d, k->index);
	buf_span(&c->id, buf_view(&id));
	buf_span(&c->name, buf_view(&name));
	i = json_get(j, i, "input");
	if (json_count(j, i) > 0) {
		buf_span(&c->args, json_span(j, i));
		k->given = 1;
	}
	return 1;
}

static void
open_other(struct delta *d, struct block *k, const struct json *j, int i)
{
	int m, thought = json_get(j, i, "thinking");

	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		if (json_is(j, m, "input")) {
			buf_span(&k->input, json_span(j, m + 1));
			k->given = 1;
		} else {
			extras_add(&k->x, j, m);
		}
	if (thought < 0)
		return;
	if (d->reasoning.n > 0)
		buf_puts(&d->reasoning, "\n\n");
	delta_reason(d, j, thought);
}

/* i: the block's object, whole or with its texts still empty. */
static int
open_block(struct delta *d, const struct json *j, long long index, int i)
{
	int type = json_get(j, i, "type");
	struct block *k;
	size_t n = d->text.n;

	if (json_kind(j, i) != JSON_OBJECT || blocks_at(&d->blocks, index))
		return 0;
	if (json_is(j, type, "tool_use")) {
		k = blocks_add(&d->blocks, index, BLOCK_CALL);
		return open_call(d, k, j, i);
	}
	if (!json_is(j, type, "text")) {
		k = blocks_add(&d->blocks, index, BLOCK_OTHER);
		open_other(d, k, j, i);
		return d->reasoning.n > 0;
	}
	k = blocks_add(&d->blocks, index, BLOCK_TEXT);
	delta_text(d, j, json_get(j, i, "text"));
	k->bytes += d->text.n - n;
	return d->text.n > n;
}

static int
piece_of_other(struct delta *d, struct block *k, const struct json *j, int i)
{
	int m, thought = json_get(j, i, "thinking");

	if (json_is(j, json_get(j, i, "type"), "input_json_delta"))
		return add_input(k, &k->input, j,
		    json_get(j, i, "partial_json"));
	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		if (!json_is(j, m, "type"))
			extras_add(&k->x, j, m);
	if (thought >= 0)
		delta_reason(d, j, thought);
	return 1;
}

/* A block that was not opened is made, as far as can be told what it is. */
static int
piece(struct delta *d, const struct json *j, long long index, int i)
{
	int type = json_get(j, i, "type");
	struct block *k = blocks_at(&d->blocks, index);
	size_t n = d->text.n;

	if (k == NULL && json_is(j, type, "text_delta"))
		k = blocks_add(&d->blocks, index, BLOCK_TEXT);
	if (k == NULL)
		return 0;
	switch (k->kind) {
	case BLOCK_TEXT:
		delta_text(d, j, json_get(j, i, "text"));
		k->bytes += d->text.n - n;
		return d->text.n > n;
	case BLOCK_CALL:
		return add_input(k, &d->call[k->call].args, j,
		    json_get(j, i, "partial_json"));
	case BLOCK_OTHER: break;
	}
	return piece_of_other(d, k, j, i);
}

int
deltamsgs_event(struct delta *d, const char *type, const struct json *j)
{
	static struct buf own;
	long long index;

	buf_reset(&own);
	if (json_str(j, json_get(j, 0, "type"), &own) == 0)
		type = buf_cstr(&own);
	if (json_int(j, json_get(j, 0, "index"), &index) < 0)
		index = -1;
	if (strcmp(type, "content_block_delta") == 0)
		return piece(d, j, index, json_get(j, 0, "delta"));
	if (strcmp(type, "content_block_start") == 0)
		return open_block(d, j, index,
		    json_get(j, 0, "content_block"));
	if (strcmp(type, "message_start") == 0) {
		head(d, j, json_get(j, 0, "message"), 1);
	} else if (strcmp(type, "message_delta") == 0) {
		finish(d, j, json_at(j, 0, "delta.stop_reason"));
		count(d, j, json_get(j, 0, "usage"), 0);
	} else if (strcmp(type, "message_stop") == 0) {
		d->over = d->last = 1;
	}
	return 0;
}

int
deltamsgs_whole(struct delta *d, const struct json *j)
{
	int i = json_get(j, 0, "content"), k, any = 0;
	long long index = 0;

	head(d, j, 0, 0);
	finish(d, j, json_get(j, 0, "stop_reason"));
	if (json_kind(j, i) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		any |= open_block(d, j, index++, k);
	d->over = d->last = 1;
	return any;
}
