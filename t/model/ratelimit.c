#include <limits.h>

#include "ratelimit.h"
#include "tap.h"

enum { MINUTE = 60000, RUN = 5 * MINUTE };

static long long sent[RUN];
static size_t nsent;

/* As fast as it may: one try each millisecond, or when the test says so. */
static void
run(void)
{
	long long now, due;

	nsent = 0;
	for (now = 1; now < RUN;) {
		due = LLONG_MAX;
		while (nsent < RUN && ratelimit_may(now, &due)) {
			ratelimit_sent();
			sent[nsent++] = now;
		}
		now = due > now && due < LLONG_MAX ? due : now + 1;
	}
}

/* The most that 60 seconds hold, and the least after the first ones. */
static void
span(size_t *most, size_t *least)
{
	size_t i, j = 0, late = 0;

	*most = 0;
	for (i = 0; i < nsent; i++) {
		while (sent[i] - sent[j] >= MINUTE)
			j++;
		if (i - j + 1 > *most)
			*most = i - j + 1;
		late += (size_t)(sent[i] >= MINUTE);
	}
	*least = late * MINUTE / (RUN - MINUTE);
}

int
main(void)
{
	static const long long rates[] = {1, 7, 60, 600, 1201, 60000};
	long long due = LLONG_MAX;
	size_t i, most, least;

	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		ratelimit_set(rates[i]);
		run();
		span(&most, &least);
		ok(most <= (size_t)rates[i], "%lld requests: %zu in a minute",
		    rates[i], most);
		ok(least * 100 >= (size_t)rates[i] * 97,
		    "%lld requests: all but %zu of them", rates[i], least);
	}
	ratelimit_set(1200);
	for (i = 0; i < 2; i++) {
		ratelimit_may(1000, &due);
		ratelimit_sent();
	}
	ok(!ratelimit_may(999, &due) && due == 1051,
	    "a process that looked at the clock before another one filled "
	    "the bucket");
	ratelimit_set(0);
	ok(ratelimit_may(1, &due), "no limit");
	return done_testing();
}
