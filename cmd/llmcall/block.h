#ifndef BLOCK_H
#define BLOCK_H

/*
 * Of what an answer consists, in the order in which its provider gave it:
 * pieces of the text, tool calls, and what only the provider understands
 * (reasoning with its signature).  The neutral message has text and calls;
 * the order, and what is not understood, are kept beside them as "native",
 * to go back to the same model alone.  turnpipe-record(5).
 */

#include <stddef.h>

#include "buf.h"
#include "extra.h"

enum block_kind { BLOCK_TEXT, BLOCK_CALL, BLOCK_OTHER };

struct block {
	long long index; /* in the stream */
	enum block_kind kind;
	size_t bytes;	 /* of text that it has */
	size_t call;	 /* which one, from 0 */
	struct extras x; /* members of another one, as they came */
	struct buf input; /* its member of that name, in pieces of JSON */
	int given; /* the input was there from the start */
};

/* A zeroed struct is empty. */
struct blocks {
	struct block *v;
	size_t n, cap;
	long long base; /* added to every index: behind an answer continued */
};

/* The block with that index, or NULL. */
struct block *blocks_at(const struct blocks *bs, long long index);

/* A new block at the end; good until the next one is added. */
struct block *blocks_add(
    struct blocks *bs, long long index, enum block_kind kind);

/* Of the text that they count n bytes from at on are kept. */
void blocks_keep(struct blocks *bs, size_t at, size_t n);

/* Do text and calls say it all: one text at most, then the calls? */
int blocks_plain(const struct blocks *bs);

/*
 * Write an array: {"text":BYTES} and {"call":ID}, which point into the
 * message, and other blocks as they came.  ids are the calls', n of them.
 */
void blocks_put(const struct blocks *bs, struct buf *b,
    const struct span *ids, size_t n);

void blocks_reset(struct blocks *bs);
void blocks_free(struct blocks *bs);

#endif
