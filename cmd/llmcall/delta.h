#ifndef DELTA_H
#define DELTA_H

/*
 * An assistant message, assembled from the pieces in which a model's server
 * sends it, or from one that came whole.  How they are read is its family's:
 * deltachat, deltamsgs, deltaresp.
 */

#include <stddef.h>

#include "block.h"
#include "buf.h"
#include "extra.h"
#include "json.h"

struct delta_call {
	struct buf id, name, args;
	struct extras extra;
	long long index; /* -1: the server gave none */
	unsigned long piece; /* of the stream: when it was touched last */
};

/* Tokens and cost; -1 and NAN where the server did not say. */
struct delta_usage {
	long long prompt, completion, cached, cache_write, reasoning;
	double cost; /* dollars; NAN */
	long long fresh; /* of prompt: neither cached nor written */
	int any;
};

/* A zeroed struct must be reset before use. */
struct delta {
	struct buf text;
	struct buf refusal;
	struct buf reasoning;
	const char *reasoning_name; /* the field it came in */
	struct extras extra; /* of the message */
	struct delta_call *call;
	size_t ncalls, cap;
	struct buf finish; /* the last finish reason */
	struct buf model, request; /* as the server names them */
	struct blocks blocks; /* of families that have them */
	/* The caller's, to stay: whose the blocks are. */
	const char *api, *provider, *asked;
	struct delta_usage usage;
	struct delta_usage before; /* of the answers that this one goes on */
	unsigned long piece;
	int halves; /* the caller's: some pieces have halves.h's signs */
	size_t nblocks; /* when the text last grew, then */
	int content; /* text is an answer, if an empty one */
	int over;    /* the server said that it is over */
	int unfinished; /* a piece had no finish reason, not even "", */
	int blank;	/* and a later one had "" */
	int last;    /* and nothing comes behind that */
};

void delta_reset(struct delta *d);

/* What comes now goes on with the answer: in another stream. */
void delta_more(struct delta *d);

/* The usage of all its streams together. */
struct delta_usage delta_total(const struct delta *d);

/*
 * Text, and reasoning for people, as they come.  delta_append: the text
 * alone, which is not yet an answer; 0, or -1 if i is not a string.
 */
int delta_append(struct delta *d, const struct json *j, int i);
void delta_text(struct delta *d, const struct json *j, int i);
void delta_reason(struct delta *d, const struct json *j, int i);

/* The number at path of object i becomes *v; nothing if there is none. */
void delta_number(
    const struct json *j, int i, const char *path, long long *v);

/*
 * The call that a piece with this index, id and name belongs to; -1, "" and
 * "" where it has none.  whole: it brings arguments with it.
 */
struct delta_call *delta_find(struct delta *d, long long index,
    struct span id, struct span name, struct span args);

/* A new call. */
struct delta_call *delta_add(struct delta *d, long long index);

/* Add a piece of a call's name or arguments, which may be all of it again. */
void delta_name(struct buf *have, struct span s);
void delta_args(struct buf *have, struct span s);

/* No piece follows: a half of a character that has no other is U+FFFD. */
void delta_settle(struct delta *d);

/*
 * Give calls that have none, or one of another call, an id: "call_N",
 * counted from first on.
 * Arguments that are empty become {}.
 */
void delta_close(struct delta *d, size_t first);

/*
 * Drop the calls and the blocks (the answer broke off); how many calls
 * there were.
 */
size_t delta_drop(struct delta *d);

/* Write role and the rest of the message as members of an open object. */
void delta_put(const struct delta *d, struct buf *b);

void delta_free(struct delta *d);

#endif
