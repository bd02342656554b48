#ifndef BODYCHAT_H
#define BODYCHAT_H

/* Requests as Chat Completions takes them. */

#include "body.h"

/* Append the body for request j.  options: stream_options may be sent. */
void bodychat_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

#endif
