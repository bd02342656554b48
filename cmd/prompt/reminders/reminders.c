/*
 * reminders [-l] [-P profile]
 *
 * - Reminders are for the next request only: a record per file of
 *   share/reminders whose condition holds.  The record dies with its
 *   request, so that it need not be stripped out again.
 * - No state between requests: the due reminders follow from the records
 *   alone, so that a turn that is continued gets the same.
 * - Ends the turn (exit 5) when the required tools were not called after
 *   that many warnings, or when its time is used up.
 */

#include "diag.h"
#include "env.h"
#include "opt.h"
#include "record.h"
#include "reminder.h"
#include "settings.h"
#include "values.h"

static const char usage[] =
    "usage: reminders [-l] [-P profile]\n"
    "\n"
    "  -l, --list             print ids and files of the profile's\n"
    "  -P, --profile PROFILE  the reminders meant for it\n";

static const struct option opts[] = {
	{"list", no_argument, NULL, 'l'},
	{"profile", required_argument, NULL, 'P'},
	{NULL, 0, NULL, 0}};

/* Is the time used up, or did the last warning change nothing? */
static void
give_up(long long limit)
{
	const char *tools;
	double missing, misses, left;

	if (values_get("seconds_left", &left, NULL) == 0 && left <= 0)
		die(EXIT_STEPS, "the turn's time is used up");

	if (limit > 0 && values_get("misses", &misses, NULL) == 0
	    && values_get("missing_tools", &missing, &tools) == 0
	    && missing > 0 && misses > (double)limit)
		die(EXIT_STEPS,
		    "required tools not called after %.0f answers: %s",
		    misses, tools);
}

int
main(int argc, char **argv)
{
	const char *profile = env_get("TURNPIPE_PROFILE");
	long long limit;
	struct rec r;
	int c, listing = 0, on;

	prog = "reminders";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "lP:", opts, usage)) != -1)
		switch (c) {
		case 'l': listing = 1; break;
		case 'P': profile = optarg; break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand");
	limit = settings_int("reminders.misses");
	if (profile == NULL || *profile == '\0')
		profile = "default";
	on = settings_enabled(prog);
	if (on || listing)
		reminder_load(profile);
	if (listing) {
		reminder_list();
		return record_close();
	}
	while (record_next(&r)) {
		if (on && r.type == REC_END) {
			values_derive();
			give_up(limit);
			reminder_put();
			values_reset();
		} else if (on) {
			values_take(&r);
		}
		record_pass(&r);
	}
	return record_close();
}
