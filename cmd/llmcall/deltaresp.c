#include <stdlib.h>
#include <string.h>

#include "deltaresp.h"

static void
count(struct delta *d, const struct json *j, int i)
{
	struct delta_usage *u = &d->usage;

	if (json_kind(j, i) != JSON_OBJECT)
		return;
	u->any = 1;
	delta_number(j, i, "input_tokens", &u->prompt);
	delta_number(j, i, "output_tokens", &u->completion);
	delta_number(j, i, "input_tokens_details.cached_tokens", &u->cached);
	delta_number(j, i, "input_tokens_details.cache_write_tokens",
	    &u->cache_write);
	delta_number(j, i, "output_tokens_details.reasoning_tokens",
	    &u->reasoning);
}

static int
add_text(struct delta *d, struct block *k, const struct json *j, int i)
{
	size_t n = d->text.n;

	if (k == NULL || k->kind != BLOCK_TEXT)
		return 0;
	delta_text(d, j, i);
	k->bytes += d->text.n - n;
	return d->text.n > n;
}

/* What the deltas left out of a message; servers may send none at all. */
static int
message(struct delta *d, struct block *k, const struct json *j, int i)
{
	int c = json_first(j, json_get(j, i, "content")), any = 0;
	int text = k->bytes == 0, refusal = d->refusal.n == 0;

	for (; c >= 0; c = json_next(j, c)) {
		if (text)
			any |= add_text(d, k, j, json_get(j, c, "text"));
		if (refusal)
			json_str(j, json_get(j, c, "refusal"), &d->refusal);
	}
	return any || (refusal && d->refusal.n > 0);
}

static void
replace(struct buf *b, const struct json *j, int i)
{
	static struct buf s;

	buf_reset(&s);
	if (json_str(j, i, &s) < 0 && json_kind(j, i) == JSON_OBJECT)
		buf_span(&s, json_span(j, i));
	if (s.n == 0)
		return;
	buf_reset(b);
	buf_span(b, buf_view(&s));
}

static void
call(struct delta *d, struct block *k, const struct json *j, int i)
{
	struct delta_call *c;

	if (k->call == d->ncalls)
		delta_add(d, k->index);
	c = &d->call[k->call];
	replace(&c->id, j, json_get(j, i, "call_id"));
	replace(&c->name, j, json_get(j, i, "name"));
	replace(&c->args, j, json_get(j, i, "arguments"));
}

/* Reasoning that no delta brought: the summary, else the text itself. */
static int
reason(struct delta *d, const struct json *j, int i)
{
	static const char *const names[] = {"summary", "content"};
	size_t n, from = d->reasoning.n;
	int k;

	for (n = 0; n < 2 && d->reasoning.n == from; n++) {
		k = json_first(j, json_get(j, i, names[n]));
		for (; k >= 0; k = json_next(j, k)) {
			if (d->reasoning.n > 0)
				buf_puts(&d->reasoning, "\n\n");
			delta_reason(d, j, json_get(j, k, "text"));
		}
	}
	return d->reasoning.n > from;
}

static int
other(struct delta *d, struct block *k, const struct json *j, int i)
{
	int m;

	extras_reset(&k->x);
	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		extras_add(&k->x, j, m);
	if (!json_is(j, json_get(j, i, "type"), "reasoning"))
		return 0;
	if (k->given == 0 && reason(d, j, i))
		k->given = -1;
	return k->given != 0;
}

/*
 * The block of an item.  What stands in the response at its end need not
 * stand where the stream had it: a call is known by its id, and what has
 * come already does not come again.
 */
static struct block *
place(struct delta *d, const struct json *j, long long index, int i,
    enum block_kind kind, int end)
{
	struct block *k = blocks_at(&d->blocks, index);
	char *id = json_dup(j, json_get(j, i, "call_id"));
	size_t n;

	for (n = 0; id != NULL && n < d->blocks.n; n++)
		if (d->blocks.v[n].kind == BLOCK_CALL
		    && strcmp(buf_cstr(&d->call[d->blocks.v[n].call].id), id)
			== 0) {
			k = &d->blocks.v[n];
			break;
		}
	free(id);
	if (k != NULL && k->kind == kind)
		return k;
	if (end && kind != BLOCK_CALL
	    && (kind == BLOCK_OTHER || d->text.n > 0))
		return NULL;
	k = blocks_add(&d->blocks, index, kind);
	k->call = d->ncalls;
	return k;
}

/* An item, begun or whole; what comes later of it replaces this. */
static int
item(struct delta *d, const struct json *j, long long index, int i, int end)
{
	int type = json_get(j, i, "type");
	enum block_kind kind = json_is(j, type, "message") ? BLOCK_TEXT
	    : json_is(j, type, "function_call")		   ? BLOCK_CALL
							   : BLOCK_OTHER;
	struct block *k;

	if (json_kind(j, type) != JSON_STRING)
		return 0;
	k = place(d, j, index, i, kind, end);
	if (k == NULL)
		return 0;
	switch (kind) {
	case BLOCK_TEXT: return message(d, k, j, i);
	case BLOCK_CALL: call(d, k, j, i); return 1;
	case BLOCK_OTHER: break;
	}
	return other(d, k, j, i);
}

/* The response as it stands at its end, or in one piece. */
static int
whole(struct delta *d, const struct json *j, int i)
{
	int k = json_first(j, json_get(j, i, "output")), any = 0;
	int why = json_at(j, i, "incomplete_details.reason");
	int end = d->blocks.n > 0;
	long long index = 0;

	for (; k >= 0; k = json_next(j, k))
		any |= item(d, j, index++, k, end);
	count(d, j, json_get(j, i, "usage"));
	if (d->model.n == 0)
		json_str(j, json_get(j, i, "model"), &d->model);
	buf_reset(&d->finish);
	if (json_str(j, why, &d->finish) < 0)
		json_str(j, json_get(j, i, "status"), &d->finish);
	return any;
}

/* A piece of a reasoning item: of its summary or, where that has none, text. */
static int
reason_piece(struct delta *d, struct block *k, const struct json *j,
    const char *part)
{
	long long at;

	if (k == NULL)
		return 0;
	if (json_int(j, json_get(j, 0, part), &at) < 0)
		at = 0;
	/* given: the part that is being read, from 1 */
	if (k->given != at + 1 && d->reasoning.n > 0)
		buf_puts(&d->reasoning, "\n\n");
	k->given = (int)(at + 1);
	delta_reason(d, j, json_get(j, 0, "delta"));
	return 1;
}

static int
piece(struct delta *d, const char *type, const struct json *j)
{
	static struct buf s;
	struct block *k;
	long long index;

	if (json_int(j, json_get(j, 0, "output_index"), &index) < 0)
		return 0;
	k = blocks_at(&d->blocks, index);
	if (strcmp(type, "output_text.delta") == 0) {
		if (k == NULL)
			k = blocks_add(&d->blocks, index, BLOCK_TEXT);
		return add_text(d, k, j, json_get(j, 0, "delta"));
	}
	if (strcmp(type, "refusal.delta") == 0) {
		json_str(j, json_get(j, 0, "delta"), &d->refusal);
		return 1;
	}
	if (strcmp(type, "reasoning_summary_text.delta") == 0)
		return reason_piece(d, k, j, "summary_index");
	if (strcmp(type, "reasoning_text.delta") == 0)
		return reason_piece(d, k, j, "content_index");
	if (k == NULL || k->kind != BLOCK_CALL)
		return 0;
	if (strcmp(type, "function_call_arguments.delta") == 0) {
		buf_reset(&s);
		json_str(j, json_get(j, 0, "delta"), &s);
		buf_span(&d->call[k->call].args, buf_view(&s));
		return s.n > 0;
	}
	if (strcmp(type, "function_call_arguments.done") == 0)
		replace(&d->call[k->call].args, j,
		    json_get(j, 0, "arguments"));
	return 0;
}

int
deltaresp_event(struct delta *d, const char *type, const struct json *j)
{
	static const char prefix[] = "response.";
	static struct buf own;
	long long index;
	int any = 0;

	buf_reset(&own);
	if (json_str(j, json_get(j, 0, "type"), &own) == 0)
		type = buf_cstr(&own);
	if (strncmp(type, prefix, sizeof(prefix) - 1) != 0)
		return 0;
	type += sizeof(prefix) - 1;
	if (strcmp(type, "completed") == 0
	    || strcmp(type, "incomplete") == 0) {
		any = whole(d, j, json_get(j, 0, "response"));
		d->over = d->last = 1;
	} else if (strcmp(type, "failed") == 0) {
		count(d, j, json_at(j, 0, "response.usage"));
	} else if (strcmp(type, "created") == 0) {
		json_str(j, json_at(j, 0, "response.model"), &d->model);
	} else if (strcmp(type, "output_item.added") == 0
	    || strcmp(type, "output_item.done") == 0) {
		if (json_int(j, json_get(j, 0, "output_index"), &index) == 0)
			any = item(d, j, index, json_get(j, 0, "item"),
			    0);
	} else {
		any = piece(d, type, j);
	}
	return any;
}

int
deltaresp_whole(struct delta *d, const struct json *j)
{
	int any;

	if (json_kind(j, json_get(j, 0, "output")) != JSON_ARRAY)
		return 0;
	any = whole(d, j, 0);
	d->over = d->last = 1;
	return any;
}
