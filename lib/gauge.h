#ifndef GAUGE_H
#define GAUGE_H

/*
 * What the records of a conversation amount to just now, as named values:
 * how full the context is, which tools are owed, what was called too often.
 * Conditions compare them, texts show them.  turnpipe-reminders(5) lists
 * the names.
 */

#include "buf.h"
#include "record.h"

/* Look at a record of the stream; those of no interest are left alone. */
void gauge_take(const struct rec *r);

/* Work the values out, when all records of the conversation were taken. */
void gauge_derive(void);

/*
 * A value: its number, and its text in *text unless that is NULL, good
 * until gauge_reset.  0, or -1 if there is no such name.  A text's number is
 * its length, true's is 1.
 */
int gauge_get(const char *name, double *num, const char **text);

/*
 * A condition's leaf (cond.h): "NAME" holds if its number is not 0, "NAME OP
 * NUMBER" compares; OP is one of < <= == != >= >.
 */
int gauge_leaf(const char *text, void *unused);

/* Forget the conversation. */
void gauge_reset(void);

#endif
