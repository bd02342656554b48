#ifndef FACTPARSE_H
#define FACTPARSE_H

/* Facts out of what a model says: checked one by one, the surest first. */

#include <stddef.h>

#include "buf.h"

/*
 * Take the facts of a text, {"facts":[...]}, [...] or one by one, with
 * anything round them: those of a confidence of at least least, each text
 * once; and what an "episode" beside the facts says of the session.  An
 * incomplete item is reported on stderr.  Was there a list or a fact?
 */
int factparse_text(const struct buf *text, double least);

/*
 * Put a record for each that is not known yet, at most count of them, and
 * one for the episode, as said at the time now in the session of this path,
 * or in none.
 */
void factparse_put(size_t count, const char *now, const char *session);

void factparse_reset(void);

#endif
