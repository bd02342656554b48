#ifndef NOTHING_H
#define NOTHING_H

/* Results in which a tool has found nothing: setting histfit.nothing. */

#include "buf.h"

/* Is the text blank, or one line, blanks round it aside, of these patterns? */
int nothing_is(const struct strs *patterns, struct span text);

#endif
