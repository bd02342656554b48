#ifndef UTF8_H
#define UTF8_H

/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, <= U+10FFFF. */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * Length in bytes (1 to 4) of the valid sequence at s, which holds n bytes;
 * 0 if there is none.  With cp not NULL, *cp gets the code point.
 */
size_t utf8_get(const char *s, size_t n, uint32_t *cp);

/* Offset of the first byte that is not valid UTF-8; n if all of it is. */
size_t utf8_check(const char *s, size_t n);

/* Bytes of the byte order mark that s begins with: 3, or 0. */
size_t utf8_bom(const char *s, size_t n);

/* Append a code point; a surrogate or one over U+10FFFF becomes U+FFFD. */
void utf8_put(struct buf *b, uint32_t cp);

/* Append s; each byte that is not valid UTF-8 becomes U+FFFD. */
void utf8_repair(struct buf *b, const char *s, size_t n);

/*
 * The largest length <= max at which s can be cut without splitting a
 * sequence; n if n <= max.
 */
size_t utf8_cut(const char *s, size_t n, size_t max);

/*
 * Simple lower case (no locale, any script the C library's C.UTF-8 knows),
 * and whether a code point is a letter, digit or '_'.
 */
uint32_t utf8_lower(uint32_t cp);
int utf8_isword(uint32_t cp);

#endif
