#ifndef API_RESPONSES_H
#define API_RESPONSES_H

/*
 * Answers of the Responses API.  Summaries of reasoning, or its text, go to
 * the reasoning field; the items as they came go to the blocks.
 */

#include "encode.h"
#include "reply.h"

/*
 * Take in one event of a stream: by its own "type", else by the type of the
 * event that brought it.  1 if something of the message came, else 0.
 */
int api_responses_event(
    struct reply *d, const char *type, const struct json *j);

/* The same of an answer that came whole. */
int api_responses_whole(struct reply *d, const struct json *j);

/*
 * Requests as the Responses API takes them: items instead of messages, and
 * the reasoning before earlier calls as it came.
 */

/* Append the body for request j. */
void api_responses_body(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

#endif
