#ifndef FOLDMARK_H
#define FOLDMARK_H

/*
 * What is known of a summary before there is one: a mark that goes with the
 * request and comes back with the answer.  The summary is made of both, so
 * whoever takes the answer needs neither the session nor a file.
 */

#include "past.h"

/*
 * Put the mark of a fold: p's view is folded before item cut, which takes
 * that many tokens off it.
 */
void foldmark_put(struct past *p, const struct recap_names *names, size_t cut,
    long long tokens);

/*
 * Read marks and answers from the stream, put summaries.  Usage and errors
 * get "for":"summary", since they say nothing of the session's own calls.
 * The first fault's code, or 0.
 */
int foldmark_take(void);

#endif
