#include <math.h>

#include "ratelimit.h"

enum { MINUTE = 60000 };

/* Fills by rate each millisecond, up to cap. */
struct bucket {
	double rate, cap, level;
	long long at;
};

static struct bucket requests, tokens;
static double more; /* tokens that answers take beyond the estimate */

/*
 * What may go at once and what comes in a minute are together the limit.
 * A tenth of a second's worth at once is as fine as poll(2) can wait.
 */
static void
set(struct bucket *b, long long n)
{
	b->cap = fmax(1, floor((double)n / 600));
	b->rate = ((double)n - (b->cap > 1 ? b->cap : 0)) / MINUTE;
	b->level = b->cap;
	b->at = 0;
}

void
ratelimit_set(long long n, long long t)
{
	set(&requests, n);
	set(&tokens, t);
	more = 0;
}

int
ratelimit_counts(void)
{
	return tokens.rate > 0;
}

static int
may(struct bucket *b, double need, long long now, long long *due)
{
	long long at;

	if (b->rate <= 0)
		return 1;
	if (b->at > 0)
		b->level = fmin(b->cap,
		    b->level + b->rate * (double)(now - b->at));
	b->at = now;
	if (b->level >= need)
		return 1;
	at = now + (long long)ceil((need - b->level) / b->rate);
	if (at < *due)
		*due = at;
	return 0;
}

int
ratelimit_may(long long now, long long *due)
{
	int a = may(&requests, 1, now, due);

	/* Also for those that are larger than all that may go at once. */
	return may(&tokens, 1, now, due) && a;
}

long long
ratelimit_sent(long long n)
{
	long long booked = n + (long long)more;

	requests.level -= 1;
	tokens.level -= (double)booked;
	return booked;
}

void
ratelimit_used(long long n, long long booked, long long used)
{
	tokens.level += (double)(booked - used);
	more += ((double)(used - n) - more) / 8;
	if (more < 0)
		more = 0;
}
