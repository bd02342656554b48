#ifndef BM25_H
#define BM25_H

/*
 * How well texts fit a query: BM25 over words (Robertson and Zaragoza 2009,
 * k1 = 1.2, b = 0.75).  Two passes: first count each text, then score those
 * that matter.
 */

#include <stddef.h>

#include "buf.h"
#include "words.h"

struct bm25 {
	struct words query;
	double docs[WORDS_MAX]; /* texts that have the word */
	double idf[WORDS_MAX];	/* after bm25_weigh */
	double texts, words;	/* counted; words in all of them */
};

/* Append a query, or of a long one the two ends, which bm25_ask takes. */
void bm25_ends(struct buf *b, const char *s, size_t n);

/*
 * Begin with a query of n bytes, as words_ask takes it, without the words of
 * the setting stop_words.
 */
void bm25_ask(struct bm25 *b, const char *s, size_t n);

/* Count a text: what words_find found of the query in it. */
void bm25_count(struct bm25 *b, const struct words_found *f);

/* All texts have been counted: weigh the words of the query. */
void bm25_weigh(struct bm25 *b);

/*
 * The score of a text that was counted: its n hits as words_find gave them,
 * and its number of words.  0 where it has no word of the query.
 */
double bm25_score(const struct bm25 *b, const unsigned char *hit, size_t n,
    size_t words);

/*
 * The score of a text of average length that has once each word of the query
 * that any text has; 0 if no text has one.
 */
double bm25_full(const struct bm25 *b);

#endif
