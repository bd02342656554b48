#ifndef KEYWORD_H
#define KEYWORD_H

/*
 * Is a keyword in a text?  Without regard to case, to how blanks and
 * apostrophes are written, and to whether an accent is a character of its
 * own.  A keyword that begins and ends with a letter, digit or '_' of a
 * script that puts blanks between words matches whole words only; any other
 * one ("c++", ".net", Chinese) matches anywhere.
 *
 * A keyword with an operator is a pattern over the words of one sentence:
 * "word~" English forms, "wor*" a star for any characters, "a|b" either,
 * "a|" perhaps, "..." up to six words, "^" and "$" the sentence's ends.
 * turnpipe-skills(5).
 */

#include <stddef.h>

#include "buf.h"

enum { KEYWORD_BITS = 1 << 14 };

struct keyword_word;

/* A text to look in; zeroed, it is empty. */
struct keyword_text {
	struct buf text;
	unsigned char words[KEYWORD_BITS / 8]; /* which may be in it */
	/* The same of the words that patterns take, and of how they begin. */
	unsigned char taken[KEYWORD_BITS / 8];
	struct keyword_word *v; /* owned; n of them, for patterns */
	size_t n, cap;
	size_t *starts; /* offsets of the clauses, owned */
	size_t clauses, capstarts;
};

/* Append s as keyword_in wants it: lower case, runs of blanks as one. */
void keyword_fold(struct buf *b, const char *s, size_t n);

/* Append the keywords of from in that form, without empty ones. */
void keyword_list(struct strs *l, const struct strs *from);

/* Why a folded keyword cannot match, static; NULL if it can. */
const char *keyword_bad(const char *key);

/* Make s the text.  Of more than max bytes its two ends are taken. */
void keyword_text(
    struct keyword_text *t, const char *s, size_t n, size_t max);

/* Is key, as keyword_fold made it, in the text?  "" never is. */
int keyword_in(const struct keyword_text *t, const char *key);

/*
 * Is there a clause with one of keys and with none of vetoes?  Folded.  Clauses
 * end at , ; . ! ? and before "and" and "then"; a key that reaches over several
 * is where it ends, or without an operator where it begins.
 */
int keyword_any(const struct keyword_text *t, const struct strs *keys,
    const struct strs *vetoes);

#endif
