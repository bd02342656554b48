#ifndef BRAKE_H
#define BRAKE_H

/*
 * How many requests may be under way, and when: one brake for all calls of
 * a process.  A round is as many answers as requests were under way at its
 * begin.  A round without a refusal (429, 529) adds to the number that may
 * be; one with refusals takes from it, at most half, by their share.  Where
 * a server says how long to stay away, all stay away: until that time, or
 * until an answer comes to a request sent later than the refused one, which
 * shows that this one was meant alone.  Times are clock_ms, waits
 * milliseconds.
 */

#include <stddef.h>

/*
 * At most jobs at a time; a wait over max_wait is not waited.  After more
 * than tries rounds in a row that brought refusals alone there is no hope.
 */
void brake_set(size_t jobs, int tries, long long max_wait);

/* A request is sent: its number, from 1. */
unsigned long brake_sent(void);

/* It was answered, if with an error of its own. */
void brake_answered(unsigned long number);

/*
 * It was refused, with this wait or -1.  1 if others are being answered, so
 * that this need not count as one of its tries.
 */
int brake_refused(unsigned long number, long long wait, long long now);

/*
 * May another one be sent while so many are under way?  If time alone is in
 * the way, *due becomes the end of the wait if that is sooner.
 */
int brake_may(size_t flying, long long now, long long *due);

/* Milliseconds for which there is no hope of an answer; else 0. */
long long brake_hopeless(long long now);

/* How many may be under way now. */
size_t brake_limit(void);

#endif
