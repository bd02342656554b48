#ifndef BREAKER_H
#define BREAKER_H

/*
 * A circuit breaker: after so many errors in a row no call is made for a while;
 * then one is let through to try, and its result decides.  It lives in the
 * ledger, for all processes; llmcall's barred.h is for refusals of one model in one process.
 */

#include <time.h>

struct breaker_limits {
	long long errors;  /* in a row; 0 switches it off */
	long long seconds; /* that it stays open */
};

/* A zeroed struct is closed. */
struct breaker {
	long long errors;
	time_t until; /* open until then; 0: closed */
	time_t trial; /* when the one was let through; 0: none was */
};

/*
 * May a request pass?  0, or the seconds to wait.  Counts the one that
 * tries: while it is under way, the others wait as long again.
 */
long long breaker_ask(
    struct breaker *b, const struct breaker_limits *l, time_t now);

void breaker_good(struct breaker *b);
/* 1 if this error opened it, or kept it open. */
int breaker_bad(struct breaker *b, const struct breaker_limits *l, time_t now);

#endif
