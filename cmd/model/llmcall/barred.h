#ifndef BARRED_H
#define BARRED_H

/*
 * Models that no request reaches: the provider refused the key, the quota or
 * the model itself.  After a refusal the next request is asked alone, and the
 * others wait for what comes of it; a second one bars the model: for some time
 * what follows fails unsent, then one request is asked again.  A model is
 * "PROVIDER/NAME".
 */

#include <stddef.h>

enum barred { BARRED_NO, BARRED_WAIT, BARRED_YES };

/* It answered: a later refusal may be meant for one request. */
void barred_answered(const char *model);

/*
 * It was refused with this exit status, for this reason, which is copied.
 * all: the refusal is of the key or the quota.  Another one counts if nothing
 * was answered yet, or three come in a row.  ms: how long a bar holds.
 */
void barred_refused(
    const char *model, int code, const char *why, int all, long long ms);

/* May a request be sent?  If not, with *code and the reason, owned by us. */
enum barred barred_ask(const char *model, int *code, const char **why);

/*
 * A request is sent; what it is given is handed back once it is over: 0 if
 * no request waits for it.
 */
size_t barred_sent(const char *model);
void barred_over(size_t sent);

/* Is this the first time that this bar is met?  Once 1, then 0. */
int barred_first(const char *model);

#endif
