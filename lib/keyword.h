#ifndef KEYWORD_H
#define KEYWORD_H

/*
 * Does a keyword stand in a text?  Without regard to case, to how blanks and
 * apostrophes are written, and to whether an accent is a character of its
 * own.  A keyword that begins and ends with a letter, digit or '_' of a
 * script that puts blanks between words matches whole words only; any other
 * one ("c++", ".net", Chinese) matches anywhere.
 */

#include <stddef.h>

#include "buf.h"

enum { KEYWORD_BITS = 1 << 14 };

/* A text to look in; zeroed, it is empty. */
struct keyword_text {
	struct buf text;
	unsigned char words[KEYWORD_BITS / 8]; /* which may be in it */
};

/* Append s as keyword_in wants it: lower case, runs of blanks as one. */
void keyword_fold(struct buf *b, const char *s, size_t n);

/* Append the keywords of from in that form, without empty ones. */
void keyword_list(struct strs *l, const struct strs *from);

/* Make s the text.  Of more than max bytes its two ends are taken. */
void keyword_text(
    struct keyword_text *t, const char *s, size_t n, size_t max);

/* Does key, as keyword_fold made it, stand in the text?  "" never does. */
int keyword_in(const struct keyword_text *t, const char *key);

#endif
