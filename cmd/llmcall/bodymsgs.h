#ifndef BODYMSGS_H
#define BODYMSGS_H

/*
 * Requests as the Messages API takes them: system text apart, calls and
 * results as blocks, each call answered at once and before all else that
 * the user says, thinking as it came, and marks up to where the prefix of
 * the next request will be the same.
 */

#include "body.h"

/* Append the body for request j. */
void bodymsgs_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options);

#endif
