#ifndef SCORE_H
#define SCORE_H

/*
 * How well each tool fits what was said, from 0 to 1: BM25 (bm25.h) over its
 * name, also split at '_', '-' and case, its description and the names of
 * its parameters.  1 is a tool that has all words that any tool has of the
 * message.
 */

#include "toolselect.h"

/* Append a name and its parts, as words of a query or of a tool. */
void score_name(struct buf *b, const char *name);

/*
 * Score those of c by these words, once; a number in the "score" of a tool's
 * record, in our shape or OpenAI's, is its score, whatever the message is.
 */
void score_all(struct toolselect *c, struct span said);

#endif
