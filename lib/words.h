#ifndef WORDS_H
#define WORDS_H

/*
 * Texts as words, for finding those that have some in common.  A word is a
 * run of letters, digits and '_' of any script, compared without regard to
 * case and perhaps to its form; ideographs and kana, which know no blanks,
 * count in pairs, a single one alone.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

enum { WORDS_MAX = 64, WORDS_HITS = 255 };

/* What a word in lower case is compared by; good until the next call. */
typedef struct span words_form(struct span word);

/* The different words of a query, as many as fit; by their hashes. */
struct words {
	size_t n;
	uint64_t hash[WORDS_MAX];
	unsigned char slot[256]; /* by hash: index + 1 */
	words_form *form; /* NULL: by itself */
};

/* The words of a query that a text has. */
struct words_found {
	size_t words; /* in the text */
	size_t n;     /* of them, those asked for: */
	unsigned char hit[WORDS_HITS]; /* which ones, once per occurrence */
};

/* Words that no query asks for, and the form of others; zeroed, none. */
struct words_stop {
	uint64_t *hash; /* owned */
	size_t n, cap;
	words_form *form;
};

/* Add one, in lower case. */
void words_stop(struct words_stop *l, const char *word);

/*
 * Ask for the words of s, of too many for those at its ends.  Those of one or two ASCII letters ("is",
 * "a") are left out, unless they end in a digit ("v4", "22"), and so are those
 * of stop, which may be NULL.
 */
void words_ask(struct words *w, const char *s, size_t n,
    const struct words_stop *stop);

void words_find(
    const struct words *w, const char *s, size_t n, struct words_found *f);

#endif
