#ifndef STATS_H
#define STATS_H

/* Two runs over the same cases: is the difference more than chance? */

#include <stddef.h>

/*
 * The two-sided p of the exact McNemar test: how likely a split at least as
 * uneven as this one is where each of the better + worse cases that changed
 * could as well have changed the other way.  1 where none did.
 * McNemar 1947; scipy.stats.binomtest(better, better + worse).
 */
double stats_mcnemar(size_t better, size_t worse);

/* The mean of differences, and what it may be. */
struct stats_mean {
	double mean, low, high; /* a 95 % interval */
	double p;		/* two-sided, that it is 0 */
};

/*
 * Paired bootstrap over n > 0 differences, percentile interval, 10 000
 * resamples by a generator with a fixed seed: the same bytes each time.
 * Efron and Tibshirani 1993, chapters 13 and 15.
 */
struct stats_mean stats_bootstrap(const double *d, size_t n);

#endif
