#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "cron.h"
#include "tap.h"

#define MIN "schedule: expected a minute, 0 to 59"
#define HOUR "schedule: expected an hour, 0 to 23"
#define DAY "schedule: expected a day of the month, 1 to 31"
#define MONTH "schedule: expected a month, 1 to 12 or jan to dec"
#define WDAY "schedule: expected a day of the week, 0 to 7 or sun to sat"
#define FIVE "schedule: expected five fields of crontab(5)"
#define MORE "schedule: expected five fields and no more"
#define WORD "schedule: expected a word of crontab(5), such as @daily"

static const struct {
	const char *when, *why;
} checks[] = {
	{"* * * * *", NULL},
	{"0 9 * * 1-5", NULL},
	{"*/15 0,12 1-31/2 jan-mar,DEC sun,6,7", NULL},
	{" 0\t9  *  * * ", NULL},
	{"59 23 31 12 7", NULL},
	{"@daily", NULL},
	{"@reboot", NULL},
	{"", FIVE},
	{"0 9 * *", FIVE},
	{"0 9 * * * *", MORE},
	{"0 9 * * * ls", MORE},
	{"60 9 * * *", MIN},
	{"-1 9 * * *", MIN},
	{"5-1 9 * * *", MIN},
	{"1,,2 9 * * *", MIN},
	{"1, 9 * * *", MIN},
	{"*/0 9 * * *", MIN},
	{"*/+5 9 * * *", MIN},
	{"*/ 9 * * *", MIN},
	{"1x 9 * * *", MIN},
	{"99999999999999999999 9 * * *", MIN},
	{"0 24 * * *", HOUR},
	{"0 nine * * *", HOUR},
	{"0 0 0 * *", DAY},
	{"0 0 32 * *", DAY},
	{"0 0 1 13 *", MONTH},
	{"0 0 1 foo *", MONTH},
	{"0 0 1 january *", MONTH},
	{"0 0 * * 8", WDAY},
	{"@noon", WORD},
	{"@", WORD},
	{"@daily x", WORD},
};

static const struct {
	const char *s;
	int percent;
	const char *word;
} words[] = {
	{"", 0, "''"},
	{"/usr/bin/x", 1, "/usr/bin/x"},
	{"a b", 1, "'a b'"},
	{"it's", 0, "'it'\\''s'"},
	{"50%", 0, "50%"},
	{"50%", 1, "50\\%"},
	{"a 50%", 1, "'a 50\\%'"},
	{"$HOME `x` \\", 1, "'$HOME `x` \\'"},
	{"a=b", 0, "'a=b'"},
};

static const struct {
	const char *when, *lines;
} timers[] = {
	{"* * * * *", "OnCalendar=*-*-* *:*:00\n"},
	{"*/20 0,12 * jan-mar,DEC *", "OnCalendar=*-01,02,03,12-* "
	    "00,12:00,20,40:00\n"},
	{"0 7 * * mon-fri", "OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 07:00:00\n"},
	{"0 0 * * 7", "OnCalendar=Sun *-*-* 00:00:00\n"},
	{"0 0 * * 0-6", "OnCalendar=*-*-* 00:00:00\n"},
	/* Either day, as crontab(5) has it; both, if one begins with a star. */
	{"5 4 1-31/10 * sun", "OnCalendar=*-*-01,11,21,31 04:05:00\n"
	    "OnCalendar=Sun *-*-* 04:05:00\n"},
	{"5 4 */10 * sun", "OnCalendar=Sun *-*-01,11,21,31 04:05:00\n"},
	{"0 0 1 1 *", "OnCalendar=*-01-01 00:00:00\n"},
	{"*/99999999999 1 * * *", "OnCalendar=*-*-* 01:00:00\n"},
	{"@weekly", "OnCalendar=Sun *-*-* 00:00:00\n"},
	{"@reboot", "OnStartupSec=0\n"},
};

static const struct {
	const char *when, *last;
} lasts[] = {{"* * * * *", "2026-11-21T09:30:00Z"},
    {"31 9 * * *", "2026-11-20T09:31:00Z"},
    {"0 7 * * mon-fri", "2026-11-20T07:00:00Z"},
    {"*/20 8-17 * * 7", "2026-11-15T17:40:00Z"},
    {"0 0 13 * fri", "2026-11-20T00:00:00Z"},
    {"0 0 29 2 *", "2024-02-29T00:00:00Z"},
    {"0 0 31 feb *", ""}, {"@weekly", "2026-11-15T00:00:00Z"},
    {"@hourly", "2026-11-21T09:00:00Z"}, {"@reboot", ""}};

int
main(void)
{
	static struct buf b;
	const char *why;
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		why = cron_check(checks[i].when);
		ok(why == checks[i].why
			|| (why != NULL && checks[i].why != NULL
			    && strcmp(why, checks[i].why) == 0),
		    "'%s': %s", checks[i].when, why == NULL ? "ok" : why);
	}
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		buf_reset(&b);
		cron_word(&b, words[i].s, words[i].percent);
		ok(strcmp(buf_cstr(&b), words[i].word) == 0, "%s",
		    words[i].word);
	}
	for (i = 0; i < sizeof(timers) / sizeof(*timers); i++) {
		buf_reset(&b);
		cron_timer(&b, timers[i].when);
		ok(cron_check(timers[i].when) == NULL
			&& strcmp(buf_cstr(&b), timers[i].lines) == 0,
		    "'%s' as a timer: %s", timers[i].when, buf_cstr(&b));
	}
	buf_reset(&b);
	cron_unitword(&b, "a \"b\\c\" 5% $x", 0);
	ok(strcmp(buf_cstr(&b), "\"a \\\"b\\\\c\\\" 5%% $x\"") == 0,
	    "a word of a unit: %s", buf_cstr(&b));
	buf_reset(&b);
	cron_unitword(&b, "$x", 1);
	ok(strcmp(buf_cstr(&b), "\"$$x\"") == 0, "and of a command");
	setenv("TZ", "UTC", 1);
	for (i = 0; i < sizeof(lasts) / sizeof(*lasts); i++) {
		time_t now, last;

		clock_parse("2026-11-21T09:30:20Z", &now); /* a Saturday */
		last = cron_last(lasts[i].when, now);
		buf_reset(&b);
		if (last != 0)
			clock_utc(&b, last);
		ok(strcmp(buf_cstr(&b), lasts[i].last) == 0, "'%s': last %s",
		    lasts[i].when, buf_cstr(&b));
	}
	buf_free(&b);
	return done_testing();
}
