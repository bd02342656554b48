#ifndef MEND_H
#define MEND_H

/*
 * JSON that a model or a server wrote, and that is not quite JSON.
 */

#include <stddef.h>

#include "buf.h"

/*
 * Append to b an object: s itself if it is one; {} for an empty text; s
 * with what broke off closed and what is lax made strict, if that gives an
 * object; else {"arguments": s as a string}.  1 if s was changed.
 */
int mend_object(struct buf *b, const char *s, size_t n);

/*
 * Append s with lone surrogate escapes, and bytes that are not UTF-8,
 * replaced by U+FFFD: what some servers send where they cut a character.
 */
void mend_text(struct buf *b, const char *s, size_t n);

/* The same, with a sign of halves.h for each lone surrogate; how many. */
size_t mend_halves(struct buf *b, const char *s, size_t n);

#endif
