#ifndef TIDY_H
#define TIDY_H

/*
 * An answer that came whole, brought to what its request asked for: calls
 * that leaked into its text rescued, their arguments of the types that the
 * tools want, its text of the form that was asked for.
 */

#include "callstate.h"

/* Rescue, give ids, coerce. */
void tidy_calls(struct call *c);

/*
 * The same of the call that a provider refused and sent back; 0 if it is
 * none, or its arguments do not fit the tool all the same.
 */
int tidy_refused(struct call *c);

/* 0, or -1 with why if the text does not fit the schema asked for. */
int tidy_text(struct call *c, struct buf *why);

#endif
