#ifndef MENTION_H
#define MENTION_H

/* "@name" in a text: how a user addresses an agent; "ann@name.org" is none. */

#include "buf.h"

/* Does the text address this name, as a whole word? */
int mention_in(const struct buf *text, const char *name);

#endif
