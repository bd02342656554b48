#include <limits.h>

#include "clock.h"
#include "httpclock.h"

long long
http_deadline(const struct http *h, const char **why)
{
	const struct http_limits *l = h->limits;
	long long t, at = LLONG_MAX;

	*why = NULL;
	if (h->until != 0)
		return h->until;
	if (l->total > 0) {
		at = h->began + l->total;
		*why = "total time limit";
	}
	if (h->read == 0) {
		t = h->began + l->first;
		if (l->first > 0 && t < at) {
			at = t;
			*why = "no answer within the time limit";
		}
		return at;
	}
	t = h->read + l->idle;
	if (l->idle > 0 && t < at) {
		at = t;
		*why = "nothing came within the time limit";
	}
	t = h->moved + l->progress;
	if (l->progress > 0 && t < at) {
		at = t;
		*why = "no progress within the time limit";
	}
	return at;
}

void
httpclock_heard(struct http *h)
{
	long long now = clock_ms();

	if (h->read == 0)
		h->moved = now;
	h->read = now;
}

void
http_progress(struct http *h)
{
	h->moved = clock_ms();
}

void
http_last(struct http *h, long long ms)
{
	if (h->until == 0)
		h->until = clock_ms() + ms;
}
