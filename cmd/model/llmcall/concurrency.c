#include <math.h>

#include "concurrency.h"

enum {
	STEPS = 16,	 /* rounds from nothing to all jobs */
	ROW = 4,	 /* refused that stop all, at least, */
	PART = 3,	 /* and the part of those not answered */
	/* Milliseconds, where the server says none: */
	FIRST = 250,	 /* to stay away, doubled each time, */
	LAST = 16000	 /* and for as long, at most; without hope */
};

static double jobs = 1, limit = 1;
static long long longest;
static unsigned long sent, best, blamed; /* the last; the highest ones */
static size_t good, bad, size = 1, under; /* of this round */
static size_t row; /* refused, and none sent later was answered */
static long long since; /* refusals alone; 0: not so */
static long long until, hopeless;
static long long stay; /* the last time away that no server asked for */

void
concurrency_set(size_t n, long long max_wait)
{
	jobs = limit = (double)n;
	size = n;
	longest = max_wait;
}

unsigned long
concurrency_sent(void)
{
	return ++sent;
}

/* The end of a round: see what it was. */
static void
turn(void)
{
	double step = fmax(1, floor(jobs / STEPS)), share;

	if (good + bad < size)
		return;
	share = (double)bad / (double)(good + bad);
	limit = limit * (1 - share / 2) + step * (1 - share);
	limit = fmin(fmax(limit, 1), jobs);
	size = under < (size_t)limit ? under : (size_t)limit;
	size = size < 1 ? 1 : size;
	good = bad = 0;
}

void
concurrency_answered(unsigned long number)
{
	good++;
	since = 0;
	if (number > best)
		best = number;
	if (number > blamed) {
		until = hopeless = stay = 0;
		row = 0;
	}
	turn();
}

/*
 * Refused that show that all are meant: a part of what was sent since the
 * last that was answered.  Refusals come before the answers to what was
 * sent earlier, so a few of them say little.
 */
static size_t
many(void)
{
	size_t n = limit < ROW ? (size_t)limit : ROW;
	size_t part = (size_t)(sent - best) / PART;

	return part > n ? part : n;
}

int
concurrency_refused(unsigned long number, long long wait, long long now)
{
	bad++;
	turn();
	if (since == 0)
		since = now;
	if (jobs <= 1) {
		/* Its own tries say when it is over. */
		return 0;
	}
	if (number < best)
		return 1;
	if (number > blamed)
		blamed = number;
	if (++row < many())
		return 1;
	if (wait > longest || now - since > longest) {
		hopeless = now + (wait > 0 ? wait : LAST);
	} else if (wait > 0) {
		if (now + wait > until)
			until = now + wait;
	} else if (now >= until) {
		stay = stay == 0 ? FIRST : stay * 2 < LAST ? stay * 2 : LAST;
		until = now + stay;
	}
	return 1;
}

int
concurrency_lost(unsigned long number, long long now)
{
	return best > 0 ? concurrency_refused(number, -1, now) : 0;
}

int
concurrency_may(size_t flying, long long now, long long *due)
{
	under = flying + 1;
	if (until > now) {
		if (until < *due)
			*due = until;
		return 0;
	}
	return (double)flying < floor(limit);
}

long long
concurrency_until(void)
{
	return until;
}

long long
concurrency_hopeless(long long now)
{
	return hopeless > now ? hopeless - now : 0;
}

size_t
concurrency_limit(void)
{
	return (size_t)limit;
}
