#include <math.h>

#include "brake.h"

enum {
	STEPS = 16,	 /* rounds from nothing to all jobs */
	HOPELESS = 16000 /* milliseconds, where the server says none */
};

static double jobs = 1, limit = 1;
static int tries;
static long long longest;
static unsigned long sent, best, blamed; /* numbers: last, highest ones */
static size_t good, bad, size = 1, under; /* of this round */
static int barren; /* rounds in a row */
static long long until, hopeless;

void
brake_set(size_t n, int t, long long max_wait)
{
	jobs = limit = (double)n;
	size = n;
	tries = t;
	longest = max_wait;
}

unsigned long
brake_sent(void)
{
	return ++sent;
}

static void
no_hope(long long end)
{
	/* A single call's own tries say when it is over. */
	if (jobs > 1 && end > hopeless)
		hopeless = end;
}

static void
turn(long long now)
{
	double step = floor(jobs / STEPS), share;

	if (good + bad < size)
		return;
	share = (double)bad / (double)(good + bad);
	if (bad == 0)
		limit += step < 1 ? 1 : step;
	else if (limit > (double)size)
		limit = (double)size * (1 - share / 2);
	else
		limit *= 1 - share / 2;
	limit = fmin(fmax(limit, 1), jobs);
	barren = good == 0 ? barren + 1 : 0;
	if (barren > tries)
		no_hope(until > now ? until : now + HOPELESS);
	size = under < (size_t)limit ? under : (size_t)limit;
	size = size < 1 ? 1 : size;
	good = bad = 0;
}

void
brake_answered(unsigned long number)
{
	good++;
	barren = 0;
	if (number > best)
		best = number;
	if (number > blamed)
		until = hopeless = 0;
	turn(0);
}

int
brake_refused(unsigned long number, long long wait, long long now)
{
	int alone = best > number;

	bad++;
	if (!alone && wait > longest) {
		no_hope(now + wait);
	} else if (!alone && wait > 0 && now + wait > until) {
		until = now + wait;
	}
	if (!alone && number > blamed)
		blamed = number;
	turn(now);
	return alone;
}

int
brake_may(size_t flying, long long now, long long *due)
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
brake_hopeless(long long now)
{
	return hopeless > now ? hopeless - now : 0;
}

size_t
brake_limit(void)
{
	return (size_t)limit;
}
