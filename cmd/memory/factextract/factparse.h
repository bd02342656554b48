#ifndef FACTPARSE_H
#define FACTPARSE_H

/* Facts out of what a model says: checked one by one, the surest first. */

#include <stddef.h>

#include "buf.h"

/*
 * Take the facts of a text, {"facts":[...]}, [...] or one by one, with
 * anything round them: those of a confidence of at least least, each text
 * once, with now as their time; and what an "episode" beside the facts says
 * of the session.  An incomplete item is reported on stderr.  Was
 * there a list or a fact?
 */
int factparse_text(const struct buf *text, double least, const char *now);

/*
 * Put a record for each that is not known yet, at most count of them, and
 * one for the episode; then forget all.
 */
void factparse_put(size_t count);

void factparse_reset(void);

#endif
