#ifndef PATTERN_H
#define PATTERN_H

/*
 * The patterns of JSON Schema: regular expressions of ECMAScript, run by
 * regexec(3) where POSIX has the same.  Characters are UTF-8 where the C
 * library has a locale for it.
 */

#include "buf.h"

/*
 * Does text hold the pattern s, of n bytes?  1 or 0; -1 with *why set if it
 * is none that we can run.  A text with NUL is not looked into: 1.
 */
int pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why);

#endif
