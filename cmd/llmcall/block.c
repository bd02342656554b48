#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "emit.h"
#include "gate.h"

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

int
blocks_plain(const struct blocks *bs)
{
	size_t i;
	int calls = 0;

	for (i = 0; i < bs->n; i++)
		switch (bs->v[i].kind) {
		case BLOCK_TEXT:
			if (calls && bs->v[i].bytes > 0)
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

void
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
		if (k->kind == BLOCK_TEXT)
			emit_pairi(b, "text", (long long)k->bytes);
		else if (k->call < n)
			emit_pairn(b, "call", ids[k->call].p, ids[k->call].n);
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

void
blocks_reset(struct blocks *bs)
{
	size_t i;

	for (i = 0; i < bs->n; i++) {
		extras_reset(&bs->v[i].x);
		free(bs->v[i].x.v);
		buf_free(&bs->v[i].input);
	}
	bs->n = 0;
	bs->base = 0;
}

void
blocks_free(struct blocks *bs)
{
	blocks_reset(bs);
	free(bs->v);
	memset(bs, 0, sizeof(*bs));
}
