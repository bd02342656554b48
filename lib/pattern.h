#ifndef PATTERN_H
#define PATTERN_H

/*
 * The patterns of JSON Schema: regular expressions of ECMAScript, run by
 * regexec(3) where POSIX has the same.  Characters are UTF-8 where the C
 * library has a locale for it.
 */

#include "buf.h"

/*
 * Append the POSIX extended form of s, of n bytes.  0; or -1 with *why set
 * where there is none: what looks ahead or behind or refers back, and
 * classes of Unicode.
 */
int pattern_posix(struct buf *b, const char *s, size_t n, const char **why);

/*
 * Does text hold the pattern s, of n bytes?  1 or 0; -1 with *why set if it
 * is none that we can run.  A text with NUL is not looked into: 1.
 */
int pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why);

#endif
