#ifndef MATCH_H
#define MATCH_H

/* Names by pattern: a '*' is any bytes or none, all else is itself. */

#include "buf.h"

/* Does the whole name fit the pattern? */
int match_name(const char *pattern, const char *name);

/* The first of the patterns that the name fits; NULL if there is none. */
const char *match_any(const struct strs *patterns, const char *name);

#endif
