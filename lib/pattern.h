#ifndef PATTERN_H
#define PATTERN_H

/*
 * The patterns of JSON Schema (2020-12, section 6.3.3): regular expressions
 * as ECMA-262 has them with the u flag, run by PCRE2.
 */

#include <stddef.h>

#include "buf.h"

/*
 * Does text hold the pattern s, of n bytes?  1 or 0; -1 with *why, a static
 * text, if the pattern has a fault or matching takes more steps than it may.
 */
int pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why);

/* Append the version of PCRE2. */
void pattern_library(struct buf *b);

#endif
