#ifndef DELTACHAT_H
#define DELTACHAT_H

/*
 * Answers of Chat Completions.  Tool calls are told apart by index, by id,
 * or by neither, as servers differ (delta_find).
 */

#include "delta.h"

/*
 * Take in one chunk, or the one body: the choice of index 0 with its delta or
 * message, usage wherever it stands.  1 if something of the message came, else 0.
 */
int deltachat_chunk(struct delta *d, const struct json *j);

/* The same of an answer that came whole. */
int deltachat_whole(struct delta *d, const struct json *j);

#endif
