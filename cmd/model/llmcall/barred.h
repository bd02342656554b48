#ifndef BARRED_H
#define BARRED_H

/*
 * Models that no request reaches: the provider refused the key, the quota or
 * the model itself.  What follows for one of them fails unsent, until the
 * process ends.  A model is "PROVIDER/NAME".
 */

/* It answered: a later refusal may be meant for one request. */
void barred_answered(const char *model);

/*
 * It was refused with this exit status, for this reason, which is copied.
 * all: the refusal is of the key or the quota.  Another one bars the model if
 * nothing was answered yet, or at the third in a row.
 */
void barred_refused(const char *model, int code, const char *why, int all);

/* The reason, owned by us, and *code; NULL if it is not barred. */
const char *barred_why(const char *model, int *code);

/* Is this the first time that the reason is asked for?  Once 1, then 0. */
int barred_first(const char *model);

#endif
