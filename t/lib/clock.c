#include <string.h>

#include "box.h"
#include "clock.h"
#include "tap.h"

static const struct {
	const char *text;
	int good;
	long long t;
} parse[] = {
	{"1970-01-01T00:00:00Z", 1, 0},
	{"2026-11-21T09:30:00Z", 1, 1795253400},
	{"2026-11-21t09:30:00z", 1, 1795253400},
	{"2026-11-21T10:30:00+01:00", 1, 1795253400},
	{"2026-11-20T23:45:00-09:45", 1, 1795253400},
	{"2026-11-21T09:30:00.5Z", 1, 1795253400},
	{"2026-11-21T09:30:00.999999999999Z", 1, 1795253400},
	{"2026-11-21T09:30:00-00:00", 1, 1795253400},
	{"2000-02-29T00:00:00Z", 1, 951782400},
	{"2000-03-01T00:00:00Z", 1, 951868800},
	{"1969-12-31T23:59:59Z", 1, -1},
	{"1900-03-01T00:00:00Z", 1, -2203891200},
	{"0000-01-01T00:00:00Z", 1, -62167219200},
	{"9999-12-31T23:59:59Z", 1, 253402300799},
	{"2038-01-19T03:14:08Z", 1, 2147483648},
	{"2016-12-31T23:59:60Z", 1, 1483228800},
	{"1990-12-31T15:59:60-08:00", 1, 662688000},
	{"2016-12-31T22:59:60Z", 0, 0},
	{"2016-12-31T23:59:61Z", 0, 0},
	{"", 0, 0},
	{"now", 0, 0},
	{"2026-11-21", 0, 0},
	{"2026-11-21T09:30:00", 0, 0},
	{"2026-11-21 09:30:00Z", 0, 0},
	{"2026-11-21T09:30Z", 0, 0},
	{"2026-11-21T09:30:00.Z", 0, 0},
	{"2026-11-21T09:30:00,5Z", 0, 0},
	{"2026-11-21T09:30:00Z ", 0, 0},
	{" 2026-11-21T09:30:00Z", 0, 0},
	{"2026-11-21T09:30:00+0100", 0, 0},
	{"2026-11-21T09:30:00+01", 0, 0},
	{"2026-11-21T09:30:00+24:00", 0, 0},
	{"2026-11-21T09:30:00+01:60", 0, 0},
	{"2026-11-21T24:00:00Z", 0, 0},
	{"2026-11-21T09:60:00Z", 0, 0},
	{"2026-00-21T09:30:00Z", 0, 0},
	{"2026-13-21T09:30:00Z", 0, 0},
	{"2026-11-00T09:30:00Z", 0, 0},
	{"2026-11-31T09:30:00Z", 0, 0},
	{"2025-02-29T00:00:00Z", 0, 0},
	{"1900-02-29T00:00:00Z", 0, 0},
	{"26-11-21T09:30:00Z", 0, 0},
	{"+026-11-21T09:30:00Z", 0, 0},
	{"2026-1-21T09:30:00Z", 0, 0},
};

/*
 * What a process says of its zone and of 2026-07-21T22:05:00Z there, with "?"
 * where TZ is not known.
 */
static const struct {
	const char *env[3];
	const char *want;
} zones[] = {
	{{"TZ=Europe/Warsaw"}, "Europe/Warsaw Wednesday 22 July 00:05 CEST"},
	{{"TZ=:Europe/Warsaw"}, "Europe/Warsaw Wednesday 22 July 00:05 CEST"},
	{{"TZ=/usr/share/zoneinfo/Asia/Tokyo"},
	    "Asia/Tokyo Wednesday 22 July 07:05 JST"},
	{{"TZ=Europe/Warsaw", "LC_ALL=pl_PL.UTF-8"},
	    "Europe/Warsaw Wednesday 22 July 00:05 CEST"},
	{{"TZ=CET-1CEST"}, "CET-1CEST Wednesday 22 July 00:05 CEST"},
	{{"TZ=UTC"}, "UTC Tuesday 21 July 22:05 UTC"},
	{{"TZ="}, "UTC Tuesday 21 July 22:05 UTC"},
	{{"TZ=No/Such_Zone"}, "UTC Tuesday 21 July 22:05 UTC?"},
	{{"TZ=../../../etc/passwd"}, "UTC Tuesday 21 July 22:05 UTC?"},
	{{"TZ=Europe/Warsaw", "TZDIR=/nonexistent"},
	    "UTC Tuesday 21 July 22:05 UTC?"},
	{{"TZ=Europe"}, "UTC Tuesday 21 July 22:05 UTC?"},
	{{"TZ=Europe/Lon0don"}, "UTC Tuesday 21 July 22:05 UTC?"},
	{{"TZ=<+03>-3"}, "<+03>-3 Wednesday 22 July 01:05 +03"},
};

static void
say_zone(const void *arg)
{
	struct buf b = {0};

	const char *mark;

	box_env(arg);
	mark = clock_unknown() != NULL ? "?" : "";
	buf_puts(&b, clock_zone());
	clock_local(&b, 1784671500, " %A %e %B %H:%M %Z");
	printf("%s%s", buf_cstr(&b), mark);
	buf_free(&b);
}

/* The system's own zone must be one that the C library has. */
static void
say_system(const void *arg)
{
	struct buf b = {0};
	char first[64];

	box_env(arg);
	snprintf(first, sizeof(first), "%s", clock_zone());
	clock_local(&b, 1784671500, "%H");
	unsetenv("TZ");
	if (strcmp(first, clock_zone()) == 0 && b.n == 2)
		printf("ok");
	buf_free(&b);
}

static void
say_now(const void *arg)
{
	box_env(arg);
	printf("%lld", (long long)clock_now());
}

static void
test_utc(void)
{
	static const long long steps[] = {86400 - 7, 86400 * 365LL + 12345};
	static struct buf b;
	long long t;
	time_t back = 0;
	size_t i;
	int bad = 0;

	clock_utc(&b, 1795253400);
	ok(strcmp(buf_cstr(&b), "2026-11-21T09:30:00Z") == 0, "utc: %s", b.p);
	clock_utc(&b, -1);
	ok(strcmp(buf_cstr(&b), "2026-11-21T09:30:00Z1969-12-31T23:59:59Z")
		== 0,
	    "utc appends, and before the epoch: %s", b.p);
	for (i = 0; i < 2; i++)
		for (t = -62167219200; t <= 253402300799 && !bad;
		     t += steps[i] * (i == 0 ? 17 : 1)) {
			buf_reset(&b);
			clock_utc(&b, (time_t)t);
			bad = clock_parse(buf_cstr(&b), &back) < 0
			    || (long long)back != t;
		}
	ok(!bad, "years 0 to 9999 there and back: %s", b.p);
}

/* Against the C library, day by day over a leap year and a century. */
static void
test_gmtime(void)
{
	static struct buf b;
	char want[40];
	struct tm tm;
	time_t t;
	int bad = 0;

	for (t = -2208988800; t < 4102444800 && !bad; t += 86399) {
		buf_reset(&b);
		clock_utc(&b, t);
		gmtime_r(&t, &tm);
		strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%SZ", &tm);
		bad = strcmp(buf_cstr(&b), want) != 0;
	}
	ok(!bad, "1900 to 2100 as gmtime has it: %s", b.p);
}

static void
test_now(void)
{
	static const char *const set[] = {
		"TURNPIPE_NOW=2026-11-21T09:30:00Z", NULL};
	static const char *const bad[] = {"TURNPIPE_NOW=yesterday", NULL};
	static const char *const empty[] = {"TURNPIPE_NOW=", NULL};
	struct box_end e;
	time_t before = time(NULL);

	box_run(&e, say_now, set);
	ok(e.status == 0 && strcmp(e.out, "1795253400") == 0, "now is fixed");
	box_run(&e, say_now, bad);
	ok(e.status == 64
		&& strcmp(e.err,
		       "turnpipe: TURNPIPE_NOW: expected a time as "
		       "2026-11-21T09:30:00Z, got 'yesterday'\n")
		    == 0,
	    "a malformed TURNPIPE_NOW: %d %s", e.status, e.err);
	box_run(&e, say_now, empty);
	ok(e.status == 0 && strtoll(e.out, NULL, 10) >= (long long)before,
	    "an empty one is not set");
}

int
main(void)
{
	static const char *const nothing[] = {NULL};
	static struct buf b;
	struct box_end e;
	long long ms;
	size_t i;
	time_t t;
	int r, tzdata;

	for (i = 0; i < sizeof(parse) / sizeof(parse[0]); i++) {
		t = 1;
		r = clock_parse(parse[i].text, &t);
		ok(parse[i].good ? r == 0 && (long long)t == parse[i].t
				 : r == -1 && t == 1,
		    "parse '%s': %d, %lld", parse[i].text, r, (long long)t);
	}
	test_utc();
	test_gmtime();
	test_now();
	tzdata = access("/usr/share/zoneinfo/Europe/Warsaw", R_OK) == 0;
	ms = clock_ms();
	ok(clock_ms() >= ms && ms > 0, "milliseconds go forward");
	for (i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (!tzdata && strchr(zones[i].env[0], '/') != NULL)
			continue;
		box_run(&e, say_zone, zones[i].env);
		ok(e.status == 0 && strcmp(e.out, zones[i].want) == 0,
		    "%s: want '%s', got '%s'", zones[i].env[0], zones[i].want,
		    e.out);
	}
	box_run(&e, say_system, nothing);
	ok(strcmp(e.out, "ok") == 0, "without TZ: %s%s", e.out, e.err);
	clock_local(&b, 0, "");
	ok(b.n == 0, "an empty format gives nothing");
	return done_testing();
}
