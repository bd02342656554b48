#ifndef ROUTE_H
#define ROUTE_H

/*
 * Routes: which tools a message calls for, by the words in it.  They are
 * the files routes/NAME.yaml of the search path.  turnpipe-tools(5).
 */

#include <stddef.h>

#include "buf.h"

/*
 * Does text, which route_fold has made, hold this keyword, whatever its
 * case?  One that begins and ends with a letter, digit or '_' must not
 * stand inside of a word.  An empty one is held by nothing.
 */
int route_holds(struct span text, const char *keyword);

/* Append s in lower case, as route_holds wants it. */
void route_fold(struct buf *b, const char *s, size_t n);

/*
 * Append the tool patterns of each route that one of its words is found
 * for in the message.  Number of such routes.  Reads the files at the first
 * call; what is wrong with one dies (EX_CONFIG).
 */
size_t route_match(struct strs *patterns, const char *s, size_t n);

#endif
