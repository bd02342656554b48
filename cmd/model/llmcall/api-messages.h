#ifndef API_MESSAGES_H
#define API_MESSAGES_H

/*
 * Answers of the Messages API.  Thinking goes to the reasoning field, for
 * people, and as it came to the blocks, for the model.
 */

#include "buf.h"
#include "encode.h"
#include "json.h"
#include "provider.h"
#include "reply.h"

/*
 * Take in one event of a stream: by its own "type", else by the type of the
 * event that brought it.  1 if something of the message came, else 0.
 */
int api_messages_event(struct reply *d, const char *type, const struct json *j);

/* The same of an answer that came whole. */
int api_messages_whole(struct reply *d, const struct json *j);

/*
 * Requests as the Messages API takes them: system text apart, calls and
 * results as blocks, each call answered at once and before all else that
 * the user says, thinking as it came, and marks up to where the prefix of
 * the next request will be the same.
 */

/* Append the body for request j. */
void api_messages_body(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

/*
 * The conversation as the Messages API takes it: roles by turns, calls and
 * their results as blocks, each call answered at once and before all else
 * that the user says; and marks (the provider's cache_control) on the last
 * blocks that the next request will have again.
 */

/* Nothing but white space? */
int turns_blank(const struct buf *s);

/* Write "system", of all messages that are the system's, where there are. */
void turns_system(struct buf *b, struct provider *p, const struct json *j);

/* Write "messages". */
void turns_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j);

/* Write value i, an object, unchanged but for marks of its own. */
void turns_block(struct buf *b, const struct json *j, int i);

/* Put a mark in front of the brace at offset at, if there is one. */
void turns_mark(struct buf *b, const struct provider *p, size_t at);

#endif
