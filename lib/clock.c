#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "env.h"
#include "file.h"

enum { DAY = 86400 };

/* Days from 1970-01-01 in the Gregorian calendar, whose 400 years repeat. */
static long long
days_from_civil(long long y, int m, int d)
{
	long long era, yoe, doy;

	y -= m <= 2; /* years that begin in March end with the leap day */
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void
civil_from_days(long long days, long long *y, int *m, int *d)
{
	long long doe, doy, era, mp, yoe;

	days += 719468;
	era = (days >= 0 ? days : days - 146096) / 146097;
	doe = days - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	*d = (int)(doy - (153 * mp + 2) / 5 + 1);
	*m = (int)(mp < 10 ? mp + 3 : mp - 9);
	*y = yoe + era * 400 + (*m <= 2);
}

static int
month_days(int y, int m)
{
	static const int days[] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	if (m == 2 && y % 4 == 0 && (y % 100 != 0 || y % 400 == 0))
		return 29;
	return days[m - 1];
}

static int
digits(const char **s, int n, int *v)
{
	for (*v = 0; n > 0; n--, (*s)++) {
		if (**s < '0' || **s > '9')
			return 0;
		*v = *v * 10 + (**s - '0');
	}
	return 1;
}

static int
literal(const char **s, char c)
{
	if (toupper((unsigned char)**s) != c)
		return 0;
	(*s)++;
	return 1;
}

/* Seconds east of Greenwich. */
static int
offset(const char **s, int *off)
{
	int h, m, sign = **s == '-' ? -1 : 1;

	*off = 0;
	if (literal(s, 'Z'))
		return 1;
	if (!literal(s, '+') && !literal(s, '-'))
		return 0;
	if (!digits(s, 2, &h) || !literal(s, ':') || !digits(s, 2, &m)
	    || h > 23 || m > 59)
		return 0;
	*off = sign * (h * 3600 + m * 60);
	return 1;
}

int
clock_parse(const char *s, time_t *t)
{
	long long v;
	int y, mo, d, h, mi, sec, off;

	if (!digits(&s, 4, &y) || !literal(&s, '-') || !digits(&s, 2, &mo)
	    || !literal(&s, '-') || !digits(&s, 2, &d) || !literal(&s, 'T')
	    || !digits(&s, 2, &h) || !literal(&s, ':') || !digits(&s, 2, &mi)
	    || !literal(&s, ':') || !digits(&s, 2, &sec))
		return -1;
	if (literal(&s, '.')) {
		if (!isdigit((unsigned char)*s))
			return -1;
		while (isdigit((unsigned char)*s))
			s++;
	}
	if (!offset(&s, &off) || *s != '\0')
		return -1;
	if (mo < 1 || mo > 12 || d < 1 || d > month_days(y, mo) || h > 23
	    || mi > 59 || sec > 60)
		return -1;
	v = days_from_civil(y, mo, d) * DAY + h * 3600 + mi * 60 + sec - off;
	/* A leap second ends a day of UTC; the epoch's count has none. */
	if (sec == 60 && v % DAY != 0)
		return -1;
	*t = (time_t)v;
	return 0;
}

int
clock_isfrozen(void)
{
	const char *s = env_get("TURNPIPE_NOW");

	return s != NULL && strcmp(s, "frozen") == 0;
}

time_t
clock_now(void)
{
	const char *s = env_get("TURNPIPE_NOW");
	time_t t;

	if (s == NULL)
		return time(NULL);
	if (clock_isfrozen())
		s = "2026-01-01T00:00:00Z";
	if (clock_parse(s, &t) < 0)
		die(EX_USAGE,
		    "TURNPIPE_NOW: expected a time as 2026-11-21T09:30:00Z, "
		    "got '%.40s'",
		    s);
	return t;
}

static long long
read_ms(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts) < 0)
		die_sys(EX_SOFTWARE, "clock_gettime");
	return (long long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

long long
clock_ms(void)
{
	return read_ms(CLOCK_MONOTONIC);
}

long long
clock_up_ms(void)
{
#ifdef CLOCK_BOOTTIME
	return read_ms(CLOCK_BOOTTIME);
#else
	return clock_ms();
#endif
}

void
clock_utc(struct buf *b, time_t t)
{
	long long days, left, y;
	int m, d;

	/* Not gmtime_r, which reads the zone's file first. */
	days = t / DAY;
	left = t % DAY;
	if (left < 0) {
		left += DAY;
		days--;
	}
	civil_from_days(days, &y, &m, &d);
	buf_printf(b, "%04lld-%02d-%02dT%02d:%02d:%02dZ", y, m, d,
	    (int)(left / 3600), (int)(left / 60 % 60), (int)(left % 60));
}

/* Has the C library a file for this name? */
static int
known(const char *name)
{
	struct buf b = {0};
	const char *dir = getenv("TZDIR");
	struct stat st;
	int r;

	if (*name == '\0' || *name == '/' || strstr(name, "..") != NULL)
		return 0;
	buf_puts(&b, dir != NULL ? dir : "/usr/share/zoneinfo");
	buf_putc(&b, '/');
	buf_puts(&b, name);
	r = stat(buf_cstr(&b), &st) == 0 && S_ISREG(st.st_mode)
	    && access(b.p, R_OK) == 0;
	buf_free(&b);
	return r;
}

/* What a path to a zone's file means. */
static const char *
below(const char *path)
{
	const char *s = strstr(path, "zoneinfo/");

	return s != NULL ? s + strlen("zoneinfo/") : path;
}

/* The system's zone, of which only a name that is known counts. */
static int
system_zone(struct buf *b)
{
	char link[1024];
	ssize_t n;

	buf_reset(b);
	if (file_read("/etc/timezone", b, 256) == FILE_OK) {
		b->n = strcspn(buf_cstr(b), " \t\r\n");
		if (known(buf_cstr(b)))
			return 1;
	}
	buf_reset(b);
	n = readlink("/etc/localtime", link, sizeof(link) - 1);
	if (n < 0)
		return 0;
	link[n] = '\0';
	buf_puts(b, below(link));
	return known(buf_cstr(b));
}

/* "CET-1CEST" or "<+03>-3", as POSIX has it: a name of 3, and an offset. */
static int
is_rule(const char *s)
{
	size_t n = 0;

	if (*s == '<') {
		while (isalnum((unsigned char)s[n + 1]) || s[n + 1] == '+'
		    || s[n + 1] == '-')
			n++;
		if (s[n + 1] != '>')
			return 0;
		s += 2;
	} else {
		while (isalpha((unsigned char)s[n]))
			n++;
	}
	s += n;
	s += *s == '+' || *s == '-';
	return n >= 3 && isdigit((unsigned char)*s);
}

/* What TZ says, or the system; 0 if TZ says nothing that is known. */
static int
find_zone(struct buf *b)
{
	const char *tz = getenv("TZ");

	if (tz != NULL && *tz == ':')
		tz++;
	if (tz == NULL || strcmp(tz, "/etc/localtime") == 0) {
		if (!system_zone(b))
			buf_reset(b);
	} else if (known(below(tz))) {
		buf_puts(b, below(tz));
	} else if (is_rule(tz)) {
		buf_puts(b, tz);
	} else {
		return *tz == '\0';
	}
	return 1;
}

const char *
clock_zone(void)
{
	static struct buf b;

	if (b.n == 0 && (!find_zone(&b) || b.n == 0))
		buf_puts(&b, "UTC");
	return buf_cstr(&b);
}

const char *
clock_unknown(void)
{
	struct buf b = {0};
	int found = find_zone(&b);

	buf_free(&b);
	return found ? NULL : getenv("TZ");
}

void
clock_local(struct buf *b, time_t t, const char *fmt)
{
	/* Through a pointer: formats are data here, not literals. */
	static size_t (*const format)(char *, size_t, const char *,
	    const struct tm *) = strftime;
	static int set;
	struct tm tm;
	size_t n, room;

	/* The C library shall mean the zone that we name. */
	if (!set) {
		if (setenv("TZ", clock_zone(), 1) < 0)
			die_sys(EX_OSERR, "TZ");
		tzset();
		set = 1;
	}
	if (localtime_r(&t, &tm) == NULL)
		die_sys(EX_SOFTWARE, "localtime");
	/* 0 is "no room" and "nothing" alike. */
	for (room = 128; room <= 1 << 16; room *= 4) {
		buf_room(b, room);
		n = format(b->p + b->n, room, fmt, &tm);
		b->n += n;
		if (n > 0 || *fmt == '\0')
			return;
	}
}
