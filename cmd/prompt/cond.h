#ifndef COND_H
#define COND_H

/*
 * Conditions as data: the value of "when:" in rules and reminders.
 *
 *	TEXT                    a leaf, which the caller judges
 *	[c, ...]                all of them
 *	all: [c, ...]           all of them; true for none
 *	any: [c, ...]           at least one
 *	none: [c, ...]          not one
 *	count: {of: [c, ...], min: N, max: M}
 *
 * Several keys of one mapping must all hold.  A leaf adds to a count as
 * much as the caller says.  turnpipe-rules(5).
 */

#include "json.h"

/*
 * 0 if it does not hold, 1 or the number of things that fit it if it does;
 * -1 if the text is no condition that the caller knows.
 */
typedef int cond_leaf(const char *text, void *arg);

/*
 * 1 if the condition at token i holds, else 0.  A missing one (i < 0) does.
 * -1 if it is malformed, with *bad set to the token at fault; every leaf is
 * looked at, so that a fault is found also when the rest decides already.
 */
int cond_holds(const struct json *j, int i, cond_leaf *leaf, void *arg,
    int *bad);

#endif
