#ifndef JOINER_H
#define JOINER_H

/*
 * Where a character that is not seen does work: joiners between the letters of
 * scripts that need them (RFC 5892, appendix A: ContextJ; Unicode, chapter 12,
 * for what Bengali, Sinhala and Persian write beside that) and between
 * pictures (UTS 51), selectors behind what has variants, tags of a flag, and
 * the break between words of scripts without blanks.  Anywhere else, and the
 * second in a row, it is there to hide something.
 */

#include <stddef.h>
#include <stdint.h>

/* Does the character c, at s + i of a text of n bytes, do such work? */
int joiner_works(const char *s, size_t n, size_t i, uint32_t c);

/* The bytes of s of which that is known whatever follows; no half character. */
size_t joiner_known(const char *s, size_t n);

/* A mark on the character before it: it takes no column. */
int joiner_is_mark(uint32_t c);

#endif
