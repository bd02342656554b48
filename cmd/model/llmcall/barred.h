#ifndef BARRED_H
#define BARRED_H

/*
 * Models that no request reaches: the provider refused the key, the quota or
 * the model itself.  So many refusals in a row bar it: for some time what
 * follows fails unsent, then it is asked again.  A model is "PROVIDER/NAME".
 * costguard's breaker counts faults of servers instead, over all processes.
 */

/* It answered: a later refusal may be meant for one request. */
void barred_answered(const char *model);

/*
 * It was refused with this exit status, for this reason, which is copied.
 * all: the refusal is of the key or the quota.  Another one counts if nothing
 * was answered yet, or three come in a row.  ms: how long a bar holds.
 */
void barred_refused(
    const char *model, int code, const char *why, int all, long long ms);

/* Is it barred?  Then *code, and the reason, owned by us. */
int barred_is(const char *model, int *code, const char **why);

/* Is this the first time that this bar is met?  Once 1, then 0. */
int barred_first(const char *model);

#endif
