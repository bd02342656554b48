#ifndef HISTORY_H
#define HISTORY_H

/*
 * What each request of a session was made of: a directory with a line for
 * each request and, once, every text that one of them held.
 * turnpipe-session(5).
 */

#include "fields.h"
#include "prompt.h"
#include "request.h"

/*
 * Append a line to dir/requests, and to dir/texts each section's and tool's
 * text that is not there yet, with the first 32 hex digits of its SHA-256.
 * model may be NULL; budget is in tokens; the line is appended to line, too.
 * Makes the directory, mode 0700.  0, or -1 and errno; nothing waits for the
 * disk.
 */
int history_add(const char *dir, struct buf *line, const struct prompt *p,
    struct request *q, const char *model, struct fields *config, size_t budget);

#endif
