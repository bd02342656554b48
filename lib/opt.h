#ifndef OPT_H
#define OPT_H

/*
 * The options of a command, as getopt_long(3) reads them: no operand is
 * looked at before the options end.  --help and --version are understood by
 * all, --set by commands with settings; they are in no command's table.
 *
 *	static const char usage[] =
 *	    "usage: msg [-j] [-n count] [file ...]\n"
 *	    "\n"
 *	    "  -j, --json         ...\n";
 *	static const struct option opts[] = {
 *		{"json", no_argument, NULL, 'j'},
 *		{"count", required_argument, NULL, 'n'},
 *		{NULL, 0, NULL, 0}
 *	};
 *
 *	while ((c = opt_next(argc, argv, "jn:", opts, usage)) != -1)
 *		switch (c) {
 *		case 'j': jflag = 1; break;
 *		case 'n': count = opt_int("-n", optarg, 1, 100); break;
 *		}
 */

#include <getopt.h>

#include "buf.h"

/*
 * Gets the argument of each --set KEY=VALUE.  NULL by default: then there is no
 * such option.  A command with settings sets it to settings_set before
 * its first opt_next, and reads no setting before the last.
 */
extern void (*opt_set)(const char *);

/*
 * Appends the versions of the libraries for --version, which prints them on a
 * second line: "libcurl 8.14.1, libyaml 0.2.5".  NULL by default.
 */
extern void (*opt_libraries)(struct buf *);

/*
 * The next option's character, with optarg set; -1 when they end, with
 * optind at the first operand.  longopts may be NULL; every flag in it is
 * NULL.  --help prints usage, --version the version, on stdout; both exit.
 * usage may lack its last newline.
 * An unknown option dies as opt_die does.
 */
int opt_next(int argc, char **argv, const char *shortopts,
    const struct option *longopts, const char *usage);

/*
 * A usage error: one line as die's, then the first paragraph of usage, on
 * stderr; exits with EX_USAGE.  Runs die_hook as die does.
 */
_Noreturn void opt_die(const char *usage, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The whole number that arg is, from min to max; dies with EX_USAGE if it is
 * none.  name is the option for the message: "-n", "--count".
 */
long long opt_int(
    const char *name, const char *arg, long long min, long long max);

#endif
