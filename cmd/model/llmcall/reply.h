#ifndef REPLY_H
#define REPLY_H

/*
 * An assistant message, assembled from the pieces in which a model's server
 * sends it, or from one that came whole.  How they are read is its protocol's:
 * api-chat, api-messages, api-responses.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"
#include "usage.h"

/*
 * Members of an object that we do not know, gathered from the pieces of a
 * stream to be given back as they came: strings and arrays grow by each
 * piece, everything else is replaced, null changes nothing.
 */

struct extra {
	char *key;
	enum json_kind kind;
	struct buf value; /* decoded of strings, the elements of arrays */
};

/* A zeroed struct is empty. */
struct extras {
	struct extra *v;
	size_t n;
	size_t cap;
};

/* The member of that name, or NULL. */
struct extra *extras_find(const struct extras *x, const char *key);

/* Take in the value of key k of an object. */
void extras_add(struct extras *x, const struct json *j, int k);

/* Another element of the array at that key. */
void extras_push(struct extras *x, const char *key, struct span element);

void extras_reset(struct extras *x);

/*
 * Of what an answer consists, in the order in which its provider gave it:
 * pieces of the text, tool calls, and what only the provider understands
 * (reasoning with its signature).  The neutral message has text and calls;
 * the order, and what is not understood, are kept beside them as "native",
 * to go back to the same model alone.  turnpipe-record(5).
 */

enum block_kind { BLOCK_TEXT, BLOCK_CALL, BLOCK_OTHER };

struct block {
	long long index; /* in the stream */
	enum block_kind kind;
	size_t bytes;	 /* of text that it has */
	size_t call;	 /* which one, from 0 */
	struct extras x; /* members of another one, or sources of a text, as
			  * they came */
	struct buf input; /* its member of that name, in pieces of JSON */
	int given; /* the input was there from the start */
};

/* A zeroed struct is empty. */
struct blocks {
	struct block *v;
	size_t n, cap;
	long long base; /* added to every index: after a continued answer */
};

/* The block with that index, or NULL. */
struct block *blocks_at(const struct blocks *bs, long long index);

/* A new block at the end; good until the next one is added. */
struct block *blocks_add(
    struct blocks *bs, long long index, enum block_kind kind);

/* Of the text that they count n bytes from at on are kept. */
void blocks_keep(struct blocks *bs, size_t at, size_t n);

void blocks_free(struct blocks *bs);

/* Where a part of a text is from. */
struct source {
	long long block;    /* whose text it is, by index */
	long long from, to; /* of it, in characters; to -1: all of it */
	struct buf members; /* of the annotation, as JSON */
	const char *type;   /* of the annotation */
};

struct reply_call {
	struct buf id, name, args;
	struct extras extra;
	long long index; /* -1: the server gave none */
	unsigned long piece; /* of the stream: when it was touched last */
};

/* A zeroed struct must be reset before use. */
struct reply {
	struct buf text;
	struct buf refusal;
	struct buf reasoning;
	const char *reasoning_name; /* the field it came in */
	struct extras extra; /* of the message */
	struct reply_call *call;
	size_t ncalls, cap;
	struct buf finish; /* the last finish reason */
	struct buf model, request; /* as the server names them */
	struct blocks blocks; /* of protocols that have them */
	struct source *source; /* of their texts */
	size_t nsources, sourcecap;
	/* Text that may be a thought: reply_sift. */
	struct buf held, close;
	enum { SIFT_BEFORE, SIFT_IN, SIFT_BEHIND, SIFT_OVER } sift;
	/* The caller's, to stay: how thoughts begin in a text, and end, as an
	 * object at i. */
	const struct json *thoughts;
	int thoughts_at;
	/* The same: whose the blocks are. */
	const char *api, *provider, *asked;
	struct usage usage;
	struct usage before; /* of the answers that this one goes on */
	unsigned long piece;
	int halves; /* the caller's: some pieces have jsonrepair.h's signs */
	size_t nblocks; /* when the text last grew, then */
	int content; /* text is an answer, if an empty one */
	int over;    /* the server said that it is over */
	int unfinished; /* a piece had no finish reason, not even "", */
	int blank;	/* and a later one had "" */
	int last;    /* and nothing comes after that */
};

void reply_reset(struct reply *d);

/* The next bytes continue the answer, in another stream. */
void reply_more(struct reply *d);

/* The usage of all its streams together. */
struct usage reply_total(const struct reply *d);

/*
 * Text, and reasoning for people, as they come.  reply_append: the text
 * alone, which is not yet an answer; 0, or -1 if i is not a string.
 */
int reply_append(struct reply *d, const struct json *j, int i);
void reply_text(struct reply *d, const struct json *j, int i);
void reply_reason(struct reply *d, const struct json *j, int i);

/*
 * The call that a piece with this index, id and name belongs to; -1, "" and
 * "" where it has none.  whole: it brings arguments with it.
 */
struct reply_call *reply_find(struct reply *d, long long index,
    struct span id, struct span name, struct span args);

/* How many there are in n bytes. */
long long reply_characters(const char *s, size_t n);

/*
 * The citation at i is a source of a text.  Its own offsets count from
 * character base of the block; without them it is of all the block's text.
 */
void reply_source(struct reply *d, const struct block *k,
    const struct json *j, int i, long long base);

/*
 * Text from offset at on is new.  What stands between the marks at the
 * answer's start is reasoning, not text.
 */
void reply_sift(struct reply *d, size_t at);

/* A new call. */
struct reply_call *reply_add(struct reply *d, long long index);

/* Add a piece of a call's name or arguments, which may be all of it again. */
void reply_name(struct buf *have, struct span s);
void reply_args(struct buf *have, struct span s);

/* No piece follows: a half of a character that has no other is U+FFFD. */
void reply_settle(struct reply *d);

/*
 * Give calls that have none, or one of another call, an id: "call_N",
 * counted from first on.
 * Arguments that are empty become {}.
 */
void reply_close(struct reply *d, size_t first);

/*
 * Drop the calls and the blocks that are no text (the answer broke off); how
 * many calls there were.
 */
size_t reply_drop(struct reply *d);

/* Write role and the rest of the message as members of an open object. */
void reply_put(const struct reply *d, struct buf *b);

void reply_free(struct reply *d);

#endif
