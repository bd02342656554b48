#include <limits.h>

#include "concurrency.h"
#include "tap.h"

static long long now = 1000;

static int
may(size_t flying)
{
	long long due = LLONG_MAX;

	return concurrency_may(flying, now, &due);
}

/* Send n, which are all answered (or refused, with this wait). */
static void
round_of(size_t n, int refused, long long wait)
{
	unsigned long first = 0, k;
	size_t i;

	for (i = 0; i < n; i++) {
		may(i);
		k = concurrency_sent();
		first = i == 0 ? k : first;
	}
	for (i = 0; i < n; i++)
		if (refused)
			concurrency_refused(first + i, wait, now);
		else
			concurrency_answered(first + i);
}

int
main(void)
{
	long long due;
	unsigned long k, early, late;
	size_t i, before, refused = 0;

	concurrency_set(64, 60000);
	ok(!concurrency_lost(concurrency_sent(), now) && may(0),
	    "no server yet: no request waits for it");
	ok(may(63) && !may(64), "all jobs, and no more");
	round_of(64, 1, -1);
	ok(concurrency_limit() == 32, "a round refused: half (%zu)",
	    concurrency_limit());
	for (i = 0; i < 10; i++)
		round_of(concurrency_limit(), 1, -1);
	ok(concurrency_limit() == 1, "one is always let through");
	round_of(1, 0, 0);
	ok(concurrency_limit() == 5, "a round answered: a sixteenth more (%zu)",
	    concurrency_limit());
	for (i = 0; i < 40; i++)
		round_of(concurrency_limit(), 0, 0);
	ok(concurrency_limit() == 64, "up to all jobs (%zu)",
	    concurrency_limit());

	/* One of twenty refused at random is no limit of the server's. */
	for (i = 0, before = 64; i < 2000; i++) {
		may(63);
		k = concurrency_sent();
		if (i % 20 == 7)
			refused += (size_t)concurrency_refused(k, 1000, now);
		else
			concurrency_answered(k);
		due = LLONG_MAX;
		if (concurrency_limit() < before)
			before = concurrency_limit();
		if (!concurrency_may(0, now, &due))
			break;
	}
	ok(i == 2000 && before >= 60, "5 %% refused: %zu at least", before);
	ok(refused == 100, "none of them counts as a try");

	/* All refused, with a time. */
	round_of(64, 1, 5000);
	due = LLONG_MAX;
	ok(!concurrency_may(0, now, &due) && due == now + 5000,
	    "all stay away");
	due = 3;
	ok(!concurrency_may(0, now, &due) && due == 3,
	    "what is due earlier stays");
	now += 5000;
	ok(may(0), "until that time");

	/* The refusals that are heard first may mean one alone. */
	for (i = 0; i < 40; i++)
		round_of(concurrency_limit(), 0, 0);
	early = concurrency_sent();
	for (i = 0; i < 40; i++)
		late = concurrency_sent();
	concurrency_refused(early, 5000, now);
	ok(may(0), "one refusal of many stops no request");
	for (i = 1; i < 39; i++)
		concurrency_refused(early + i, 5000, now);
	ok(!may(0), "many do");
	concurrency_answered(late);
	ok(may(0), "an answer to a later one ends it");
	for (i = 0; i < 40; i++)
		concurrency_refused(early + i, 5000, now);
	ok(may(0), "refusals that are older than an answer stop no request");

	/* All refused, without a time. */
	for (i = 0; i < 3; i++) {
		round_of(concurrency_limit(), 1, -1);
		due = LLONG_MAX;
		ok(!concurrency_may(0, now, &due) && due == now + (250 << i),
		    "all stay away by themselves (%zu)", i);
		now = due;
	}
	ok(may(0), "and one is let through");
	round_of(1, 0, 0);
	round_of(4, 1, 0);
	due = LLONG_MAX;
	ok(!concurrency_may(0, now, &due) && due == now + 250,
	    "after an answer the first pause is short again");
	now = due;
	round_of(1, 0, 0);

	ok(concurrency_hopeless(now) == 0, "there is hope");
	for (i = 0; i < 40; i++)
		round_of(concurrency_limit(), 0, 0);
	round_of(64, 1, 120000);
	ok(concurrency_hopeless(now) == 120000,
	    "none for a wait that is too long");
	now += 120000;
	ok(concurrency_hopeless(now) == 0 && may(0), "until then");
	round_of(1, 0, 0);
	for (i = 0; i < 62; i++, now += 1000)
		round_of(concurrency_limit(), 1, -1);
	ok(concurrency_hopeless(now) > 0,
	    "nor where refusals alone come for long");
	k = concurrency_sent();
	concurrency_answered(k);
	ok(concurrency_hopeless(now) == 0, "an answer gives hope");

	for (i = 0; i < 40; i++)
		round_of(concurrency_limit(), 0, 0);
	for (i = 0; i < 64; i++)
		refused += (size_t)concurrency_lost(concurrency_sent(), now);
	due = LLONG_MAX;
	ok(refused == 164 && !concurrency_may(0, now, &due) && due == now + 250,
	    "a server that is gone is waited for");
	concurrency_set(1, 60000);
	k = concurrency_sent();
	ok(!concurrency_refused(k, 120000, now) &&
		concurrency_hopeless(now) == 0,
	    "a single job has its own tries");
	return done_testing();
}
