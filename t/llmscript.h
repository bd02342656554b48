#ifndef LLMSCRIPT_H
#define LLMSCRIPT_H

/* The script of llmserver: what it answers to which request. */

#include <stddef.h>

#include "json.h"

/*
 * Add the lines of a file, or the one that answers text.  A line that is no
 * object, or has a key that we do not know, dies: a mistyped script must
 * not pass for a server that misbehaves.
 */
void script_read(const char *name);
void script_text(const char *text);

size_t script_lines(void);

/*
 * The line for the next request; good to the end.  NULL when all are used
 * up; with repeat the last one never is.
 */
const struct json *script_next(int repeat);

#endif
