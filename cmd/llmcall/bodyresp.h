#ifndef BODYRESP_H
#define BODYRESP_H

/*
 * Requests as the Responses API takes them: items instead of messages, and
 * the reasoning behind earlier calls as it came.
 */

#include "body.h"

/* Append the body for request j. */
void bodyresp_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

#endif
