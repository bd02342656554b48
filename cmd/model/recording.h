#ifndef RECORDING_H
#define RECORDING_H

/*
 * Recorded answers: JSON lines {"request":CANONICAL,"answer":[RECORD...]}.
 * The canonical request is an object of messages, model and tools with
 * sorted keys, without what is volatile and without what is ours; strings
 * have the maps applied (/home/me/tree becomes @ROOT@).  llmreplay(1).
 */

#include "buf.h"
#include "json.h"

/* FROM=TO; dies with EX_USAGE if it is not of that form. */
void recording_map(const char *arg);

/*
 * Append the canonical form of request j.  mapped: with the maps applied.
 * mask, which may be NULL, is called with each string (a key is in none).
 */
void recording_request(struct buf *b, const struct json *j, int mapped,
    void (*mask)(struct buf *));

/* Append a line for request j and its answer: records, each with newline. */
void recording_line(struct buf *b, const struct json *j, struct span answer,
    void (*mask)(struct buf *));

/* Append value i of a recorded answer, with the maps undone. */
void recording_play(struct buf *b, const struct json *j, int i);

#endif
