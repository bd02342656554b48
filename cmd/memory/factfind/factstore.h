#ifndef FACTSTORE_H
#define FACTSTORE_H

/*
 * Changes of the facts' files: they only grow, and a writer holds a lock from
 * the reading to the end of the process, so that no fact is added twice.
 * Dies if a file cannot be read or written.
 */

#include "fact.h"

/* Append it, with the time and session if it has none.  0, or -1 if it is known. */
int factstore_add(struct fact *f);

/*
 * Take one back; where text is not NULL put that in its place, in the same
 * write.  0, or -1 if there is none of this id.
 */
int factstore_forget(const char *id, const char *text);

#endif
