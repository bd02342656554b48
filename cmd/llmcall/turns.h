#ifndef TURNS_H
#define TURNS_H

/*
 * The conversation as the Messages API takes it: roles by turns, calls and
 * their results as blocks, each call answered at once and before all else
 * that the user says; and marks (the provider's cache_control) on the last
 * blocks that the next request will have again.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

/* Nothing but white space? */
int turns_blank(const struct buf *s);

/* Write "system", of all messages that are the system's, where there are. */
void turns_system(struct buf *b, struct provider *p, const struct json *j);

/* Write "messages". */
void turns_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j);

/* Write value i, an object, as it stands but for marks of its own. */
void turns_block(struct buf *b, const struct json *j, int i);

/* Put a mark in front of the brace at offset at, if there is one. */
void turns_mark(struct buf *b, const struct provider *p, size_t at);

#endif
