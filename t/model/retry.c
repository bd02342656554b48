#include <string.h>

#include "clock.h"
#include "retry.h"
#include "tap.h"

static const struct {
	const char *s;
	int prefix;
	long long ms;
} durations[] = {
	{"0", 0, 0}, {"5", 0, 5000}, {"1.5", 0, 1500}, {"0.0001", 0, 1},
	{"1s", 0, 1000}, {"12ms", 0, 12}, {"6m0s", 0, 360000},
	{"1h2m3.5s", 0, 3723500}, {"20 seconds", 0, 20000},
	{"6.379s. visit us", 1, 6379}, {"40.13s", 1, 40130},
	{"1m3.5s.", 1, 63500}, {"3 minutes", 1, 180000},
	{"", 0, -1}, {"-1", 0, -1}, {"x", 0, -1}, {"1x", 0, -1},
	{"0x10", 0, -1}, {"1e3", 0, -1}, {"1.2.3", 0, -1}, {"inf", 0, -1},
	{"99999999999999999999", 0, -1},
};

static const struct {
	int status;
	const char *should;
	int again;
} statuses[] = {
	{408, NULL, 1}, {409, NULL, 1}, {425, NULL, 1}, {429, NULL, 1},
	{500, NULL, 1}, {502, NULL, 1}, {503, NULL, 1}, {529, NULL, 1},
	{400, NULL, 0}, {401, NULL, 0}, {403, NULL, 0}, {404, NULL, 0},
	{413, NULL, 0}, {422, NULL, 0}, {302, NULL, 0},
	{400, "true", 1}, {500, "false", 0}, {429, "false", 0},
};

static const struct {
	const char *name, *headers;
	size_t n;
	long long ms;
} headers[] = {
#define H(s) s, sizeof(s)
	{"nothing", H("x: y"), -1},
	{"retry-after-ms first", H("Retry-After: 9\0Retry-After-Ms: 1500"),
	    1500},
	{"seconds", H("retry-after: 7"), 7000},
	{"a fraction", H("Retry-After: 0.5"), 500},
	{"a date", H("Retry-After: Sat, 21 Nov 2026 00:01:00 GMT"),
	    60000},
	{"a date gone by", H("Retry-After: Fri, 20 Nov 2026 00:00:00 GMT"),
	    0},
	{"nonsense", H("Retry-After: soon"), -1},
	{"a limit used up",
	    H("x-ratelimit-remaining-tokens: 0\0x-ratelimit-reset-tokens: 6m0s"),
	    360000},
	{"a limit not used up",
	    H("x-ratelimit-remaining-tokens: 5\0x-ratelimit-reset-tokens: 6m0s"),
	    -1},
	{"Azure sends -1",
	    H("x-ratelimit-remaining-tokens: 0\0x-ratelimit-reset-tokens: -1"),
	    -1},
	{"RFC 3339",
	    H("anthropic-ratelimit-requests-remaining: 0\0"
	      "anthropic-ratelimit-requests-reset: 2026-11-21T00:00:30Z"),
	    30000},
};

int
main(void)
{
	struct retry r = {4, 60000, 500, 8000};
	struct http h;
	long long ms;
	time_t now;
	size_t i;
	int n, bad = 0;

	for (i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		ms = retry_duration(durations[i].s, durations[i].prefix);
		ok(ms == durations[i].ms, "duration '%s' is %lld",
		    durations[i].s, ms);
	}
	for (i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
		ok(retry_status(statuses[i].status, statuses[i].should)
			== statuses[i].again,
		    "4.6 status %d, x-should-retry %s", statuses[i].status,
		    statuses[i].should == NULL ? "-" : statuses[i].should);
	clock_parse("2026-11-21T00:00:00Z", &now);
	for (i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		memset(&h, 0, sizeof(h));
		buf_add(&h.replies, headers[i].headers, headers[i].n);
		ms = retry_asked(&h, now);
		ok(ms == headers[i].ms, "%s: %lld", headers[i].name, ms);
		buf_free(&h.replies);
	}
	for (n = 1; n < 70; n++) {
		ms = retry_backoff(&r, n, 1.0);
		bad += ms > 8000 || ms < 500 || retry_backoff(&r, n, 0) != 0;
	}
	ok(bad == 0, "backoff stays between nothing and its cap");
	ok(retry_backoff(&r, 1, 1.0) == 500 && retry_backoff(&r, 3, 1.0) == 2000,
	    "backoff doubles");
	for (i = 0, bad = 0; i < 1000; i++)
		bad += !(retry_random() >= 0 && retry_random() < 1);
	ok(bad == 0, "random numbers are in 0..1");
	return done_testing();
}
