#ifndef WEIGH_H
#define WEIGH_H

/*
 * How much the words of a request speak for each playbook: a table of weights
 * that t/learn made of labelled requests, words/NAME.tsv.  Its first row names
 * the playbooks; each other one has a word or a pair of neighbours, what it is
 * one of (@day, @person), and a number for each playbook.  Sorted by bytes.
 * turnpipe-skills(5).
 */

#include <stddef.h>

#include "buf.h"

/* What a word is one of: names with blanks between them; empty for none. */
typedef struct span weigh_kinds(void *arg, struct span word);
typedef void weigh_take(void *arg, struct span feature);

/*
 * Hand over what counts of a folded text (keyword_fold): the stem or the shape
 * of each word, what it is one of, and pairs of those side by side.  Of a long
 * text its two ends.  One may come more than once.
 */
void weigh_features(struct span text, weigh_kinds *kinds, weigh_take *take,
    void *arg);

/* A table.  Zeroed, it is empty. */
struct weigh {
	struct buf text;
	size_t rows; /* offset of the first row after the names */
	struct strs names;
};

/* How it was found for a request; of each name in the table one score. */
struct weigh_found {
	double *score; /* owned; 0 and more speak for it */
	size_t *row;   /* owned: offsets of the n rows that count */
	size_t n, cap;
};

/* Read the winning words/NAME.tsv: 0; -1 if it can not be read. */
int weigh_load(struct weigh *w, const char *name);

/* The fault of the table that was read, static, or NULL. */
const char *weigh_bad(const struct weigh *w);

void weigh_request(const struct weigh *w, struct span text,
    struct weigh_found *f);

/*
 * Does it speak for this playbook?  0: no, or much less than for another one;
 * 1: yes; 2: surely.
 */
int weigh_for(const struct weigh *w, const struct weigh_found *f,
    const char *playbook);

/* Append the score and the words that count most: "31: mail 12, from 4". */
void weigh_why(const struct weigh *w, const struct weigh_found *f,
    const char *playbook, struct buf *b);

#endif
