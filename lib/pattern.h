#ifndef PATTERN_H
#define PATTERN_H

/*
 * Regular expressions, run by PCRE2 with a limit on the steps of a match: a
 * pattern that a stranger wrote must not stop the process.
 */

#include <stddef.h>

#include "buf.h"

/*
 * Does text hold the pattern s, of n bytes, of JSON Schema (2020-12, section
 * 6.3.3): as ECMA-262 has it with the u flag?  1 or 0; -1 with *why, a static
 * text, if the pattern has a fault or matching takes more steps than it may.
 */
int pattern_in(const char *s, size_t n, const char *text, size_t len,
    const char **why);

struct pattern;

/*
 * A pattern as PCRE2 has it, over bytes of any encoding; owned by the caller,
 * who keeps it.  NULL with *why, a static text, if it has a fault.
 */
struct pattern *pattern_new(const char *s, const char **why);

/*
 * Does the text match from offset at on, with all of it to look behind and
 * ahead?  1 with *found, its first group that took part or else the match; 0;
 * or -1 with *why: nothing is known then.
 */
int pattern_at(const struct pattern *p, struct span text, size_t at,
    struct span *found, const char **why);

/* Append the version of PCRE2. */
void pattern_library(struct buf *b);

#endif
