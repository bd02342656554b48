#ifndef KEYWORD_H
#define KEYWORD_H

/*
 * Does a keyword stand in a text?  Without regard to case.  A keyword that
 * begins or ends with a letter, digit or '_' of any script must begin or end
 * at a word's boundary there; any other end matches anywhere ("c++").
 */

#include <stddef.h>

#include "buf.h"

/* Append s in lower case, runs of blanks as one, for the next call. */
void keyword_fold(struct buf *b, const char *s, size_t n);

/* Does key stand in text?  Both as keyword_fold made them.  "" never does. */
int keyword_in(const struct buf *text, const struct buf *key);

#endif
