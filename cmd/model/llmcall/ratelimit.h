#ifndef RATELIMIT_H
#define RATELIMIT_H

/*
 * Requests per minute, spread over the minute: no 60 seconds hold more than
 * that.  Times are clock_ms.
 */

/*
 * Share it with all processes on this machine that name this file: their
 * requests count together, and where one stays away
 * (ratelimit_stay) all do.  Before ratelimit_set.
 */
void ratelimit_share(const char *path);

/* 0 is no limit. */
void ratelimit_set(long long requests);

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

/* The request is sent. */
void ratelimit_sent(void);

#endif
