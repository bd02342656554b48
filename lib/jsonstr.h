#ifndef JSONSTR_H
#define JSONSTR_H

/* Strings as JSON has them between quotes: looked over and decoded. */

#include <stddef.h>

#include "buf.h"

enum { JSONSTR_HEX = 2 };

/*
 * The place after the closing quote of the string whose content starts at p.
 * *esc is set if it holds escapes, with JSONSTR_HEX if one is a \u.  NULL if it is not a string, with what was
 * expected in *why and the place in *at: escapes as RFC 8259 has them, no
 * lone surrogate, no control character, UTF-8.
 */
const char *jsonstr_end(const char *p, const char *end, int *esc,
    const char **why, const char **at);

/*
 * How many of the n bytes at s stand in a string as they are: up to the
 * first quote, backslash, control character or byte from 0x80.
 */
size_t jsonstr_plain(const char *s, size_t n);

/* The value of four hexadecimal digits at s; over 0xffff if they are not. */
unsigned jsonstr_hex(const char *s);

/* Append the n bytes between a checked string's quotes, decoded. */
void jsonstr_decode(struct buf *b, const char *s, size_t n);

/* Append a checked value: a string decoded, anything else byte for byte. */
void jsonstr_text(struct buf *b, struct span v);

#endif
