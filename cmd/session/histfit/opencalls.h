#ifndef OPENCALLS_H
#define OPENCALLS_H

/*
 * The calls of the last answer that wait for the user's word: a mark
 * "deferred" names each of them, and no result has followed.
 */

#include "tail.h"

/*
 * Pass the tools of the stream on standard input, then from the session, at
 * its end, the answer, its results and its marks, and an end.  1 if a call is
 * open, 0 with nothing written if none is.
 */
int opencalls_put(struct tail *tail);

#endif
