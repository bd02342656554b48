#ifndef JSONCANON_H
#define JSONCANON_H

/*
 * One text for all JSON texts that mean the same: keys sorted by bytes, no
 * blanks, escapes only where they must be.  Numbers stay as written.
 */

#include "buf.h"
#include "json.h"

/* Append value i; nothing for -1. */
void jsoncanon_json(struct buf *b, const struct json *j, int i);

/*
 * The same of the arguments of a tool call: a string that holds JSON, or
 * the JSON itself.  A string that is not JSON is kept as a string.
 */
void jsoncanon_args(struct buf *b, const struct json *j, int i);

#endif
