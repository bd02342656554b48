#ifndef DELTA_H
#define DELTA_H

/*
 * An assistant message, assembled from the pieces in which a model's server
 * sends it, or from one that came whole.  Tool calls are told apart by
 * index, by id, or by neither, as servers differ (delta_chat).
 */

#include <stddef.h>

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
	struct delta_usage usage;
	unsigned long piece;
	int content; /* text is an answer, if an empty one */
	int over;    /* the server said that it is over */
};

void delta_reset(struct delta *d);

/*
 * Take in one chunk, or the one body, of Chat Completions: choices[0] with
 * its delta or message, usage wherever it stands.  1 if something of the
 * message came, else 0.
 */
int delta_chat(struct delta *d, const struct json *j);

/* Take in token counts, in the terms of Chat Completions. */
void delta_count(struct delta *d, const struct json *j, int usage);

/*
 * The call that a piece with this index, id and name belongs to; -1, "" and
 * "" where it has none.  whole: it brings arguments with it.
 */
struct delta_call *delta_find(struct delta *d, long long index,
    struct span id, struct span name, struct span args);

/*
 * Give calls that have none an id: "call_N", counted from first on.
 * Arguments that are empty become {}.
 */
void delta_close(struct delta *d, size_t first);

/*
 * Drop the calls (the answer broke off); how many there were.
 */
size_t delta_drop(struct delta *d);

/* Are the arguments of every call valid JSON? */
int delta_whole(const struct delta *d);

/* Write role and the rest of the message as members of an open object. */
void delta_put(const struct delta *d, struct buf *b);

void delta_free(struct delta *d);

#endif
