#ifndef BODY_H
#define BODY_H

/*
 * The neutral request as the bytes that a provider takes: what is ours is
 * left out, what the provider's file says is renamed, dropped or put in,
 * and what a server would refuse the whole request for is mended.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

/* Append a Chat Completions body for request j.  options: stream_options
 * may be sent. */
void body_chat(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

/* For the other families too: */

/* Is this key of a request ours, never sent? */
int body_ours(const struct json *j, int k);

/* A call's id, in the form that this provider takes, as a JSON string. */
void body_id(struct buf *b, const struct provider *p, const struct json *j,
    int i);

/* Append the arguments of call i as an object's text, mended if need be. */
void body_args(struct buf *b, const struct json *j, int call);

/* Number of tool calls in the messages. */
size_t body_calls(const struct json *j);

#endif
