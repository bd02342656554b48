#ifndef RATELIMIT_H
#define RATELIMIT_H

/*
 * Requests and tokens per minute, spread over the minute: no 60 seconds hold
 * more requests than that.  Tokens are estimates when a request is sent, set
 * right when its usage is known; a request may go while some are left.
 * Times are clock_ms.
 */

/*
 * Share it with all processes on this machine that name this file: their
 * requests and tokens count together, and where one stays away
 * (ratelimit_stay) all do.  Before ratelimit_set.
 */
void ratelimit_share(const char *path);

/* 0 is no limit. */
void ratelimit_set(long long requests, long long tokens);

/* Are tokens counted at all? */
int ratelimit_counts(void);

/*
 * May one be sent?  If so, it is set aside until ratelimit_sent.  If not, *due
 * becomes the time when it may, if that is sooner.
 */
int ratelimit_may(long long now, long long *due);

/*
 * This process sends nothing until then: nor do those that share the limit.
 * 0, or a time that is over: no more.
 */
void ratelimit_stay(long long until);

/* A request of so many tokens is sent: what is booked for it. */
long long ratelimit_sent(long long tokens);

/*
 * It took so many in all, its answer's among them; booked is what
 * ratelimit_sent returned.
 */
void ratelimit_used(long long tokens, long long booked, long long used);

#endif
