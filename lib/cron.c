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

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

/* A number or name at *s, which goes behind it; -1 for none. */
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

/* "*", "5", "1-5", each with a step, lists of them; up to a blank. */
static int
field(const char **s, const struct field *f)
{
	int from, to;
	char *end;

	for (;; ++*s) {
		if (**s == '*') {
			++*s;
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
			    || strtol(*s + 1, &end, 10) < 1)
				return -1;
			*s = end;
		}
		if (**s != ',')
			return **s == '\0' || **s == ' ' || **s == '\t' ? 0
									: -1;
	}
}

static const char *
word(const char *s)
{
	static const char *const words[] = {"@reboot", "@yearly", "@annually",
	    "@monthly", "@weekly", "@daily", "@midnight", "@hourly"};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(s, words[i]) == 0)
			return NULL;
	return "schedule: expected a word of crontab(5), such as @daily";
}

const char *
cron_check(const char *s)
{
	size_t i;

	if (*s == '@')
		return word(s);
	for (i = 0; i < FIELDS; i++) {
		s += strspn(s, " \t");
		if (*s == '\0')
			return "schedule: expected five fields of crontab(5)";
		if (field(&s, &fields[i]) < 0)
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
