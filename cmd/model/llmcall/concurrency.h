#ifndef CONCURRENCY_H
#define CONCURRENCY_H

/*
 * How many requests may be under way, and when: one brake for all calls of
 * a process.  A round is as many answers as requests were under way at its
 * begin.  It adds to the number that may be by the share of its answers,
 * and takes from it by that of its refusals (429, 529), at most half.
 * Where a server says how long to stay away, all stay away, once some in a
 * row were refused: until that time, or until an answer comes to a request
 * sent later than the refused ones, so the refusals were per request, not
 * global.  Where it names no time the pause is our own, longer each time.
 * Times are clock_ms, waits milliseconds.
 */

#include <stddef.h>

/*
 * At most jobs at a time.  A wait over max_wait is not waited; nor is there
 * hope where refusals alone came for so long.
 */
void concurrency_set(size_t jobs, long long max_wait);

/* A request is sent: its number, from 1. */
unsigned long concurrency_sent(void);

/* It was answered, if with an error of its own. */
void concurrency_answered(unsigned long number);

/*
 * It was refused, with this wait or -1.  1 if others are under way, so that it
 * may be one too many: this need not count as one of its tries.
 */
int concurrency_refused(unsigned long number, long long wait, long long now);

/*
 * It found no server.  Where there was one before this is as a refusal, 1;
 * else 0.
 */
int concurrency_lost(unsigned long number, long long now);

/*
 * May another one be sent while so many are under way?  If time alone is in
 * the way, *due becomes the end of the wait if that is sooner.
 */
int concurrency_may(size_t flying, long long now, long long *due);

/* Until when no request is sent; 0, or a time that is over: they are. */
long long concurrency_until(void);

/* Milliseconds for which there is no hope of an answer; else 0. */
long long concurrency_hopeless(long long now);

/* How many may be under way now. */
size_t concurrency_limit(void);

#endif
