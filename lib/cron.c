#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cron.h"

static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
    "jul", "aug", "sep", "oct", "nov", "dec", NULL};
static const char *const days[] = {
    "sun", "mon", "tue", "wed", "thu", "fri", "sat", NULL};

static const struct field {
	int min, max;
	const char *const *names; /* the first is min; NULL for none */
	const char *why;
} fields[] = {
    {0, 59, NULL, "schedule: expected a minute, 0 to 59"},
    {0, 23, NULL, "schedule: expected an hour, 0 to 23"},
    {1, 31, NULL, "schedule: expected a day of the month, 1 to 31"},
    {1, 12, months, "schedule: expected a month, 1 to 12 or jan to dec"},
    {0, 7, days, "schedule: expected a day of the week, 0 to 7 or sun to sat"},
};

enum {
	FIELDS = sizeof(fields) / sizeof(*fields),
	DAY = 86400,
	CRON_YEARS = 8 /* at most, from one 29th of February to the next */
};

/* A number or name at *s, which moves past it; -1 if there is neither. */
static int
value(const char **s, const struct field *f)
{
	const char *const *n;
	char *end;
	long v;

	if (**s >= '0' && **s <= '9') {
		v = strtol(*s, &end, 10);
		*s = end;
		return v >= f->min && v <= f->max ? (int)v : -1;
	}
	for (n = f->names; n != NULL && *n != NULL; n++)
		if (strncasecmp(*s, *n, 3) == 0) {
			*s += 3;
			return f->min + (int)(n - f->names);
		}
	return -1;
}

/*
 * "*", "5", "1-5", each with a step, lists of them; up to a blank.  *set gets
 * a bit for each number.
 */
static int
field(const char **s, const struct field *f, unsigned long long *set)
{
	int from, to;
	long step;
	char *end;

	for (*set = 0;; ++*s) {
		step = 1;
		if (**s == '*') {
			++*s;
			from = f->min;
			to = f->max;
		} else {
			from = to = value(s, f);
			if (**s == '-') {
				++*s;
				to = value(s, f);
			}
			if (from < 0 || to < from)
				return -1;
		}
		if (**s == '/') {
			if ((*s)[1] < '0' || (*s)[1] > '9'
			    || (step = strtol(*s + 1, &end, 10)) < 1)
				return -1;
			*s = end;
		}
		for (; from <= to; from += step < 64 ? (int)step : 64)
			*set |= 1ULL << from;
		if (**s != ',')
			return **s == '\0' || **s == ' ' || **s == '\t' ? 0
									: -1;
	}
}

/* As crontab(5) says: a week of cron's begins on Sunday. */
static const struct word {
	const char *word, *line, *five;
} words[] = {{"@reboot", "OnStartupSec=0", NULL},
    {"@yearly", "OnCalendar=yearly", "0 0 1 1 *"},
    {"@annually", "OnCalendar=yearly", "0 0 1 1 *"},
    {"@monthly", "OnCalendar=monthly", "0 0 1 * *"},
    {"@weekly", "OnCalendar=Sun *-*-* 00:00:00", "0 0 * * 0"},
    {"@daily", "OnCalendar=daily", "0 0 * * *"},
    {"@midnight", "OnCalendar=daily", "0 0 * * *"},
    {"@hourly", "OnCalendar=hourly", "0 * * * *"}};

static const struct word *
word(const char *s)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(s, words[i].word) == 0)
			return &words[i];
	return NULL;
}

/* Five fields that are right; star: begins with "*". */
static void
read_fields(const char *s, unsigned long long *set, int *star)
{
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		s += strspn(s, " \t");
		star[i] = *s == '*';
		field(&s, &fields[i], &set[i]);
	}
}

const char *
cron_check(const char *s)
{
	unsigned long long set;
	size_t i;

	if (*s == '@')
		return word(s) != NULL ? NULL
		    : "schedule: expected a word of crontab(5), such as @daily";
	for (i = 0; i < FIELDS; i++) {
		s += strspn(s, " \t");
		if (*s == '\0')
			return "schedule: expected five fields of crontab(5)";
		if (field(&s, &fields[i], &set) < 0)
			return fields[i].why;
	}
	return s[strspn(s, " \t")] == '\0'
	    ? NULL
	    : "schedule: expected five fields and no more";
}

void
cron_word(struct buf *b, const char *s, int percent)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	    "0123456789_-+,./:@%";
	const char *start = s;
	int quoted = s[strspn(s, plain)] != '\0' || *s == '\0';

	if (quoted)
		buf_putc(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_puts(b, "'\\'");
		else if (*s == '%' && percent)
			/* To cron "\\%" is a bare '%': quotes part them. */
			buf_puts(b, quoted && s > start && s[-1] == '\\'
				? "''\\" : "\\");
		buf_putc(b, *s);
	}
	if (quoted)
		buf_putc(b, '\'');
}

/* A set as a list of numbers; all of them are "*". */
static void
numbers(struct buf *b, unsigned long long set, const struct field *f)
{
	const char *sep = "";
	int i;

	for (i = f->min; i <= f->max && set >> i & 1; i++)
		;
	if (i > f->max) {
		buf_putc(b, '*');
		return;
	}
	for (i = f->min; i <= f->max; i++)
		if (set >> i & 1) {
			buf_printf(b, "%s%02d", sep, i);
			sep = ",";
		}
}

/* Days of the week, 0 and 7 for Sunday; nothing for all of them. */
static void
weekdays(struct buf *b, unsigned long long set)
{
	static const char *const names[] = {
	    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	const char *sep = "";
	int i;

	set = (set | set >> 7) & 0x7f;
	for (i = 0; i < 7 && set != 0x7f; i++)
		if (set >> i & 1) {
			buf_printf(b, "%s%s", sep, names[i]);
			sep = ",";
		}
	if (*sep != '\0')
		buf_putc(b, ' ');
}

static void
calendar(struct buf *b, const unsigned long long *set, int day, int weekday)
{
	buf_puts(b, "OnCalendar=");
	if (weekday)
		weekdays(b, set[4]);
	buf_puts(b, "*-");
	numbers(b, set[3], &fields[3]);
	buf_putc(b, '-');
	if (day)
		numbers(b, set[2], &fields[2]);
	else
		buf_putc(b, '*');
	buf_putc(b, ' ');
	numbers(b, set[1], &fields[1]);
	buf_putc(b, ':');
	numbers(b, set[0], &fields[0]);
	buf_puts(b, ":00\n");
}

void
cron_timer(struct buf *b, const char *s)
{
	const struct word *w = word(s);
	unsigned long long set[FIELDS];
	int star[FIELDS];

	if (w != NULL) {
		buf_printf(b, "%s\n", w->line);
		return;
	}
	read_fields(s, set, star);
	/* Both kinds of day must fit if one is "*...", else either does. */
	if (star[2] || star[4]) {
		calendar(b, set, 1, 1);
	} else {
		calendar(b, set, 1, 0);
		calendar(b, set, 0, 1);
	}
}

time_t
cron_last(const char *when, time_t now)
{
	const struct word *w = word(when);
	unsigned long long set[FIELDS];
	int star[FIELDS], dom, dow;
	time_t t, step;
	struct tm tm;

	if (w != NULL)
		when = w->five;
	if (when == NULL)
		return 0;
	read_fields(when, set, star);
	for (t = now - now % 60; t > now - CRON_YEARS * 366 * DAY; t -= step) {
		localtime_r(&t, &tm);
		dom = set[2] >> tm.tm_mday & 1;
		dow = (set[4] >> tm.tm_wday & 1)
		    || (tm.tm_wday == 0 && set[4] >> 7 & 1);
		step = 60 * (tm.tm_min + 1);
		if (!(set[3] >> (tm.tm_mon + 1) & 1)
		    || !(star[2] || star[4] ? dom && dow : dom || dow)
		    || !(set[1] >> tm.tm_hour & 1))
			continue;
		step = 60;
		if (set[0] >> tm.tm_min & 1)
			return t;
	}
	return 0;
}

void
cron_unitword(struct buf *b, const char *s, int command)
{
	buf_putc(b, '"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(b, '\\');
		else if (*s == '%' || (*s == '$' && command))
			buf_putc(b, *s);
		buf_putc(b, *s);
	}
	buf_putc(b, '"');
}
