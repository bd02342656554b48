#ifndef TALKREAD_H
#define TALKREAD_H

/*
 * What a person and the model said to each other: texts alone, without
 * tools, calls and their results.
 */

#include <stddef.h>

#include "buf.h"
#include "record.h"

struct said {
	int user;
	struct buf text;
};

struct talkread {
	struct said *v; /* first to last; owned */
	size_t n, cap;
	long long last; /* number of the last record that was looked at */
};

/*
 * Add a message of the stream, if it is one that counts: not text between
 * two tool calls, nothing partial, nothing empty.  A text over max
 * bytes is cut.
 */
void talkread_take(struct talkread *t, const struct rec *r, size_t max);

/*
 * Read a session from its end, back to record mark (not included) or until
 * so many turns are there: what this costs does not grow with the session.
 * Dies where the file cannot be read or understood.
 */
void talkread(struct talkread *t, const char *path, long long mark,
    long long turns, size_t max);

/* Append the last turns as "User: ..." and "Assistant: ...". */
void talkread_text(struct buf *b, const struct talkread *t, long long turns);

#endif
