/* Figures of scipy 1.10: stats.binomtest, stats.bootstrap (200 000 resamples). */

#include <math.h>
#include <stdint.h>

#include "stats.h"
#include "tap.h"

static const struct {
	size_t better, worse;
	double p;
} tables[] = {
    {0, 0, 1},
    {0, 1, 1},
    {0, 5, 0.0625},
    {0, 6, 0.03125},
    {20, 0, 1.90734863281e-06},
    {3, 3, 1},
    {12, 4, 0.0768127441406},
    {0, 20, 1.90734863281e-06},
    {500, 450, 0.111838645142},
    {40000, 40500, 0.0786203688051},
    {15, 37, 0.00318525344778},
    {34, 8, 6.87711149112e-05},
    {23, 58, 0.000126611151964},
    {38, 30, 0.396124840297},
    {40, 37, 0.819892903749},
    {4, 38, 5.65314621781e-08},
    {0, 58, 6.93889390391e-18},
    {53, 30, 0.015232201862},
    {16, 35, 0.0109735628997},
    {14, 12, 0.845018982887},
    {45, 30, 0.105342268875},
    {34, 53, 0.053003113011},
    {35, 30, 0.620144765081},
    {25, 40, 0.0816815339415},
    {55, 9, 3.54222338018e-09},
    {14, 40, 0.000535435502857},
    {9, 55, 3.54222338018e-09},
    {59, 33, 0.00878093080698},
    {24, 47, 0.00855453850269},
    {0, 42, 4.54747350886e-13},
    {49, 4, 7.05397962264e-11},
    {10, 48, 4.51661916312e-07},
    {37, 2, 2.84126144834e-09},
    {19, 49, 0.000357955271613},
    {1, 52, 1.1990408666e-14},
    {55, 17, 8.14003082672e-06},
    {30, 38, 0.396124840297},
    {46, 58, 0.280690329034},
    {56, 24, 0.000451517271915},
    {45, 50, 0.681742505918},
    {58, 27, 0.00101622095135},
    {25, 46, 0.0169946525734},
    {51, 36, 0.132901885195},
    {28, 59, 0.00116863749744},
    {8, 56, 5.56267224232e-10},
    {23, 6, 0.00231570005417},
    {2, 8, 0.109375},
    {31, 13, 0.00955987885663},
    {16, 43, 0.000584364628044},
    {27, 49, 0.0154402620209}};

static const struct {
	int n, mod, off;
	double mean, low, high, p;
} samples[] = {
    {10, 7, 3, -0.3, -1.5, 0.9, 0.6823},
    {10, 11, 2, 3.4, 1.5, 5.3, 0.0003},
    {20, 13, 6, 0, -1.7, 1.65, 1.0000},
    {40, 101, 40, 9.575, 0.425, 18.725, 0.0410},
    {60, 17, 8, 0.116667, -1.13333, 1.36667, 0.8652},
    {60, 17, 7, 1.11667, -0.133333, 2.36667, 0.0843},
    {100, 29, 13, 0.74, -0.88, 2.37, 0.3792},
    {200, 53, 25, 1.07, -1.045, 3.18, 0.3256},
    {200, 53, 23, 3.07, 0.955, 5.18, 0.0046},
    {1000, 97, 47, 1.019, -0.705, 2.758, 0.2493}};

enum { CASES = 200, SEEDS = 20 };

static uint64_t state;

/* From 0 to below 1. */
static double
chance(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / 9007199254740992.0;
}

/*
 * Of 20 seeds, how many find that a run is worse, where cases flip at 2 % and
 * so many of 100 that passed no longer do?
 */
static int
found(uint64_t seed, double fall)
{
	int n = 0, s, i;

	for (s = 0; s < SEEDS; s++) {
		size_t better = 0, worse = 0;

		state = seed + (uint64_t)s;
		for (i = 0; i < CASES; i++) {
			int good = i % 10 != 0;
			int before = good ^ (chance() < 0.02);
			int after = (good && chance() >= fall)
				^ (chance() < 0.02);

			better += !before && after;
			worse += before && !after;
		}
		n += worse > better && stats_mcnemar(better, worse) < 0.05;
	}
	return n;
}

int
main(void)
{
	struct stats_mean m;
	double d[1000], p, width;
	size_t i;
	int k;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		p = stats_mcnemar(tables[i].better, tables[i].worse);
		ok(fabs(p - tables[i].p) <= 1e-6 * tables[i].p,
		    "%zu better, %zu worse: p is %g", tables[i].better,
		    tables[i].worse, tables[i].p);
	}
	for (i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		for (k = 0; k < samples[i].n; k++)
			d[k] = k * 7919 % samples[i].mod - samples[i].off;
		m = stats_bootstrap(d, (size_t)samples[i].n);
		width = samples[i].high - samples[i].low;
		ok(fabs(m.mean - samples[i].mean) < 1e-5
			&& fabs(m.low - samples[i].low) < width / 20
			&& fabs(m.high - samples[i].high) < width / 20
			&& fabs(m.p - samples[i].p) < 0.04,
		    "%d differences: the interval of scipy", samples[i].n);
	}
	ok(found(1, 0.1111) >= 19, "a fall of 10 points in 200 cases is found");
	ok(found(1000, 0) <= 1, "no fall is found where there is none");
	return done_testing();
}
