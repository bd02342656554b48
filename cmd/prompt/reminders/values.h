#ifndef VALUES_H
#define VALUES_H

/*
 * What the records of a conversation amount to just now, as named values:
 * how full the context is, which tools are owed, what was called too often.
 * Conditions compare them, texts show them.  turnpipe-reminders(5) lists
 * the names.
 */

#include "buf.h"
#include "record.h"

/* Look at a record of the stream; those of no interest are left alone. */
void values_take(const struct rec *r);

/* Work the values out, when all records of the conversation were taken. */
void values_derive(void);

/*
 * A value: its number, and its text in *text unless that is NULL, good
 * until the next call or values_reset.  0, or -1 if there is no such name.
 * A text's number is its length, a list's that of its elements, true's 1.
 * "state.KEY" and "config.KEY" are what the records say; 0 and "" if they
 * do not.
 */
int values_get(const char *name, double *num, const char **text);

/*
 * A condition's leaf (cond.h): "NAME" holds if its number is not 0, "NAME OP
 * NUMBER" compares, OP one of < <= == != >= >; "calls every N" holds when
 * the count has passed a multiple of N in the last step; "tool GLOB" if one
 * is on offer, "called GLOB" if one was called in this turn, "just_called
 * GLOB" if one was in its last step.
 */
int values_leaf(const char *text, void *unused);

/* Only the last two kinds of leaf: 1, 0, or -1 if it is another kind. */
int values_every(const char *name, long long n);
int values_tool(const char *what, const char *glob);

/* Forget the conversation. */
void values_reset(void);

#endif
