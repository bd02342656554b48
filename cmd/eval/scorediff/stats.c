#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "buf.h"
#include "stats.h"

enum { RESAMPLES = 10000 };

/* log of n over k */
static double
log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double
stats_mcnemar(size_t better, size_t worse)
{
	size_t n = better + worse, few = better < worse ? better : worse, k;
	double p = 0;

	for (k = 0; k <= few; k++)
		p += exp(log_choose((double)n, (double)k)
		    - (double)n * log(2));
	return p < 0.5 ? 2 * p : 1;
}

/* splitmix64 */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct stats_mean
stats_bootstrap(const double *d, size_t n)
{
	double *means = xreallocarray(NULL, RESAMPLES, sizeof(*means));
	size_t below = 0, above = 0, i, k;
	struct stats_mean m = {0};
	uint64_t state = 1;
	double sum;

	for (i = 0; i < n; i++)
		m.mean += d[i] / (double)n;
	for (i = 0; i < RESAMPLES; i++) {
		for (sum = 0, k = 0; k < n; k++)
			sum += d[next_random(&state) % n];
		means[i] = sum / (double)n;
		below += means[i] <= 0;
		above += means[i] >= 0;
	}
	qsort(means, RESAMPLES, sizeof(*means), by_value);
	m.low = means[RESAMPLES / 40];
	m.high = means[RESAMPLES - RESAMPLES / 40 - 1];
	m.p = 2 * (double)((below < above ? below : above) + 1)
	    / (RESAMPLES + 1);
	if (m.p > 1)
		m.p = 1;
	free(means);
	return m;
}
