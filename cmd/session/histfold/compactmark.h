#ifndef COMPACTMARK_H
#define COMPACTMARK_H

/*
 * What is known of a summary before there is one: a mark that goes with the
 * request and comes back with the answer.  The summary is made of both, so
 * whoever takes the answer needs neither the session nor a file.
 */

#include "sessionread.h"

/*
 * Put the mark of a fold: p's view is folded before item cut, which takes
 * that many tokens off it.
 */
void compactmark_put(struct sessionread *p,
    const struct statefacts_names *names, size_t cut, long long tokens);

/*
 * Read marks and answers from the stream, put summaries.  Usage and errors
 * get "for":"summary", since they say nothing of the session's own calls.
 * The first fault's code, or 0.
 */
int compactmark_take(void);

#endif
