#ifndef SPENT_H
#define SPENT_H

/* What the last turn took, as a line for a person. */

#include "tail.h"

/*
 * Print the line, back to the user's message: steps, tokens, the share of
 * them that was cached, dollars, seconds.  On a terminal it is faint, fits,
 * and rings the bell after a turn that took longer than the setting bell.
 * 0 if the turn called no model: nothing is printed.
 */
int spent_put(struct tail *t);

#endif
