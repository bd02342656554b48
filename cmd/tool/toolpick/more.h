#ifndef MORE_H
#define MORE_H

/*
 * More schemas than fit: some tools are only named in the section
 * tools-more, and the tool load_tools puts them on offer.
 */

#include "toolselect.h"

/*
 * Where the schemas that are on take over room tokens, leave out what does
 * not fit: the core and what is kept stay, then come the others by rank and
 * score.  Number of tools left out; 0 where no file says how they are named.
 */
size_t more_fit(struct toolselect *c, double room);

/* The section and the tool for those that more_fit left out last. */
void more_put(const struct toolselect *c);

#endif
