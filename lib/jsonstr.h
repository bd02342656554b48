#ifndef JSONSTR_H
#define JSONSTR_H

/* Strings as JSON has them between quotes: looked over and decoded. */

#include <stddef.h>

#include "buf.h"

/*
 * Behind the closing quote of the string whose content starts at p.  *esc
 * tells whether it holds escapes.  NULL, with what was expected in *why and
 * the place in *at, where there is none: escapes as RFC 8259 has them, no
 * lone surrogate, no control character, UTF-8.
 */
const char *jsonstr_end(const char *p, const char *end, int *esc,
    const char **why, const char **at);

/* What four hexadecimal digits at s are; over 0xffff if they are none. */
unsigned jsonstr_hex(const char *s);

/* Append the n bytes between a checked string's quotes, decoded. */
void jsonstr_decode(struct buf *b, const char *s, size_t n);

/* Append a checked value: a string decoded, anything else as it stands. */
void jsonstr_text(struct buf *b, struct span v);

#endif
