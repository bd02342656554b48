#ifndef HARVEST_H
#define HARVEST_H

/* Facts out of what a model says: checked one by one, the surest first. */

#include <stddef.h>

#include "buf.h"

/*
 * Take the facts of a text, {"facts":[...]} or [...] with anything round
 * it: those of a confidence of at least least, each text once, with now as
 * their time.  An item that is none is told on stderr.  Were there lists?
 */
int harvest_text(const struct buf *text, double least, const char *now);

/* Put a record for each that is not known yet, at most count. */
void harvest_put(size_t count);

#endif
