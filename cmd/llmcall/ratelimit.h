#ifndef RATELIMIT_H
#define RATELIMIT_H

/*
 * Requests and tokens per minute, spread over the minute: no 60 seconds hold
 * more requests than that.  Tokens are estimates when a request is sent, set
 * right when its usage is known; a request may go while some are left.
 * Times are clock_ms.
 */

/* 0 is no limit. */
void ratelimit_set(long long requests, long long tokens);

/* Are tokens counted at all? */
int ratelimit_counts(void);

/*
 * May one be sent?  If not, *due becomes the time when it may, if that is
 * sooner.
 */
int ratelimit_may(long long now, long long *due);

/* A request of so many tokens is sent: what is booked for it. */
long long ratelimit_sent(long long tokens);

/*
 * It took so many in all, its answer's among them; booked is what
 * ratelimit_sent returned.
 */
void ratelimit_used(long long tokens, long long booked, long long used);

#endif
