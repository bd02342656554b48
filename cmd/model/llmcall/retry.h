#ifndef RETRY_H
#define RETRY_H

/*
 * When to try a call again, and how long to wait before: the one layer that
 * does so.  Milliseconds throughout; -1 where nothing is said.
 */

#include <time.h>

#include "http.h"

struct retry {
	int tries;	    /* after the first one */
	long long max_wait; /* longer than this is not waited */
	long long base, cap; /* of the backoff: base, twice base, ... cap */
};

/*
 * Is an answer with this status worth another try?  should is the server's
 * x-should-retry, or NULL.
 */
int retry_status(int status, const char *should);

/*
 * "1.5", "250ms", "6m0s", "1h2m3.5s", "20 seconds", at the start of s.
 * Without a unit, seconds.  With prefix anything may follow, else nothing.
 */
long long retry_duration(const char *s, int prefix);

/*
 * The wait that the answer's headers ask for: retry-after-ms, Retry-After, or
 * the reset time of a limit that is used up.
 */
long long retry_asked(const struct http *h, time_t now);

/* Before try n (from 1): anything up to the backoff.  random is in 0..1. */
long long retry_backoff(const struct retry *r, int n, double random);

/* A random number in 0..1, different in each process. */
double retry_random(void);

#endif
