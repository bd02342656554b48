#include <limits.h>

#include "ratelimit.h"
#include "tap.h"

enum { MINUTE = 60000, RUN = 5 * MINUTE };

static long long sent[RUN];
static size_t nsent;

/* As fast as it may: one try each millisecond, or when the test says so. */
static void
run(long long tokens, long long used)
{
	long long now, due, booked;

	nsent = 0;
	for (now = 1; now < RUN;) {
		due = LLONG_MAX;
		while (nsent < RUN && ratelimit_may(now, &due)) {
			booked = ratelimit_sent(tokens);
			if (used > 0)
				ratelimit_used(tokens, booked, used);
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
	long long due = LLONG_MAX, booked;
	size_t i, most, least;

	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		ratelimit_set(rates[i], 0);
		run(10, 0);
		span(&most, &least);
		ok(most <= (size_t)rates[i], "%lld requests: %zu in a minute",
		    rates[i], most);
		ok(least * 100 >= (size_t)rates[i] * 97,
		    "%lld requests: all but %zu of them", rates[i], least);
	}
	ratelimit_set(0, 6000);
	run(100, 100);
	span(&most, &least);
	ok(most <= 61 && least >= 58, "6000 tokens: %zu of 100, %zu", most,
	    least);
	ratelimit_set(0, 6000);
	run(100, 300);
	span(&most, &least);
	ok(most <= 25 && least >= 19,
	    "they took 300 each: %zu at most, %zu", most, least);
	ratelimit_set(0, 600);
	run(6000, 0);
	ok(nsent == 1, "one larger than the limit goes, and no other");
	ratelimit_set(1200, 0);
	for (i = 0; i < 2; i++) {
		ratelimit_may(1000, &due);
		ratelimit_sent(0);
	}
	ok(!ratelimit_may(999, &due) && due == 1051,
	    "a process that looked at the clock before another one filled "
	    "the bucket");
	ratelimit_set(0, 0);
	ok(ratelimit_may(1, &due) && !ratelimit_counts(), "no limit");
	ratelimit_set(0, 6000);
	booked = ratelimit_sent(100);
	ratelimit_used(100, booked, 900);
	ok(ratelimit_sent(100) == 200, "an answer's tokens are booked ahead");
	ratelimit_set(0, 6000);
	for (i = 0; i < 20; i++)
		ratelimit_used(100, ratelimit_sent(100), 10);
	ok(ratelimit_sent(100) == 100, "less than the estimate is not");
	return done_testing();
}
