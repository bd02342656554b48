#ifndef API_CHAT_H
#define API_CHAT_H

/*
 * Answers of Chat Completions.  Tool calls are distinguished by index, by id,
 * or by neither, as servers differ (reply_find).
 */

#include "encode.h"
#include "reply.h"

/*
 * Take in one chunk, or the one body: the choice of index 0 with its delta or
 * message, usage wherever it is.  1 if something of the message came, else
 * 0.
 */
int api_chat_event(struct reply *d, const struct json *j);

/* The same of an answer that came whole. */
int api_chat_whole(struct reply *d, const struct json *j);

/* Requests as Chat Completions takes them. */

/* Append the body for request j.  options: stream_options may be sent. */
void api_chat_body(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

#endif
