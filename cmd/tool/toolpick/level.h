#ifndef LEVEL_H
#define LEVEL_H

/*
 * Smaller results as the window fills up: "PERCENT=TOKENS" says of how many
 * tokens a tool's result is from that percentage on.
 */

#include "buf.h"

enum { LEVEL_BYTES = 4 }; /* taken for a token's */

/* Take the levels; one that cannot be understood dies (EX_CONFIG). */
void level_set(const struct strs *levels);

/* The window is used to that percentage; -1: not known. */
void level_at(double percent);

/* Lower run.max of the tool record in b to what the level says. */
void level_lower(struct buf *b);

#endif
