#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "retry.h"

int
retry_status(int status, const char *should)
{
	if (should != NULL && strcasecmp(should, "true") == 0)
		return 1;
	if (should != NULL && strcasecmp(should, "false") == 0)
		return 0;
	return status == 408 || status == 409 || status == 425
	    || status == 429 || status == 498 || status >= 500;
}

/* Length of the unit at s and its milliseconds; 0 if it is not a unit. */
static size_t
unit(const char *s, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = {{"milliseconds", 1}, {"millisecond", 1}, {"ms", 1},
	    {"seconds", 1e3}, {"second", 1e3}, {"secs", 1e3}, {"sec", 1e3},
	    {"s", 1e3}, {"minutes", 6e4}, {"minute", 6e4}, {"min", 6e4},
	    {"m", 6e4}, {"hours", 36e5}, {"hour", 36e5}, {"h", 36e5},
	    {"days", 864e5}, {"day", 864e5}, {"d", 864e5}};
	size_t i, n;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		n = strlen(units[i].name);
		if (strncasecmp(s, units[i].name, n) == 0) {
			*ms = units[i].ms;
			return n;
		}
	}
	return 0;
}

long long
retry_duration(const char *s, int prefix)
{
	double v, ms, sum = 0;
	size_t n, len;
	char *end;
	int any = 0;

	while (*s >= '0' && *s <= '9') {
		/* Only digits and a point: no exponent, no hexadecimal. */
		n = strspn(s, "0123456789.");
		v = strtod(s, &end);
		if (end != s + n) {
			if (!prefix || end > s + n)
				return -1;
			n = (size_t)(end - s);
		}
		len = strspn(s + n, " ");
		if (unit(s + n + len, &ms) > 0) {
			n += len + unit(s + n + len, &ms);
		} else if (any) {
			break;
		} else {
			ms = 1e3;
		}
		sum += v * ms;
		any = 1;
		s += n;
	}
	if (!any || (!prefix && *s != '\0') || !(sum < 1e15))
		return -1;
	return (long long)ceil(sum);
}

/* Retry-After: seconds, a fraction of them, or a date. */
static long long
after(const char *s, time_t now)
{
	long long ms = retry_duration(s, 0);
	time_t t;

	if (ms >= 0)
		return ms;
	if (http_date(s, &t) < 0)
		return -1;
	return t > now ? (long long)(t - now) * 1000 : 0;
}

/* Time until a limit that is used up is full again. */
static long long
reset(const struct http *h, const char *left, const char *at, time_t now)
{
	const char *s = http_header(h, left);
	long long ms;
	time_t t;

	if (s == NULL || strcmp(s, "0") != 0)
		return -1;
	s = http_header(h, at);
	if (s == NULL)
		return -1;
	if (clock_parse(s, &t) == 0)
		return t > now ? (long long)(t - now) * 1000 : -1;
	ms = retry_duration(s, 0);
	return ms > 0 ? ms : -1;
}

long long
retry_asked(const struct http *h, time_t now)
{
	static const char *const limits[][2] = {
		{"x-ratelimit-remaining-requests",
		    "x-ratelimit-reset-requests"},
		{"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
		{"anthropic-ratelimit-requests-remaining",
		    "anthropic-ratelimit-requests-reset"},
		{"anthropic-ratelimit-tokens-remaining",
		    "anthropic-ratelimit-tokens-reset"},
		{"anthropic-ratelimit-input-tokens-remaining",
		    "anthropic-ratelimit-input-tokens-reset"},
		{"anthropic-ratelimit-output-tokens-remaining",
		    "anthropic-ratelimit-output-tokens-reset"},
	};
	const char *s;
	long long ms = -1, v;
	size_t i;

	s = http_header(h, "retry-after-ms");
	if (s != NULL) {
		v = retry_duration(s, 0);
		if (v >= 0)
			return (v + 999) / 1000;
	}
	s = http_header(h, "retry-after");
	if (s != NULL)
		ms = after(s, now);
	if (ms >= 0)
		return ms;
	for (i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		v = reset(h, limits[i][0], limits[i][1], now);
		if (v > ms)
			ms = v;
	}
	return ms;
}

long long
retry_backoff(const struct retry *r, int n, double random)
{
	long long ms = r->base;

	while (--n > 0 && ms < r->cap)
		ms *= 2;
	if (ms > r->cap)
		ms = r->cap;
	return (long long)((double)ms * random);
}

double
retry_random(void)
{
	static unsigned long long x;
	struct timespec t;

	if (x == 0) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		x = (unsigned long long)t.tv_nsec * 2654435761u
		    ^ (unsigned long long)getpid() * 40503u;
		x |= 1;
	}
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (double)(x >> 11) / 9007199254740992.0;
}
