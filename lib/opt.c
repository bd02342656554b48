#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "config.h"
#include "diag.h"
#include "fd.h"
#include "opt.h"
#include "out.h"
#include "terminal.h"

enum { OPT_HELP = 0x10000, OPT_VERSION, OPT_SET };

void (*opt_set)(const char *);
void (*opt_libraries)(struct buf *);

/* The command's table and ours. */
static struct option *table;
static struct buf letters;

/* There is no place to report that stderr cannot be written. */
static void
put_warning(const char *s, size_t n)
{
	static struct buf b, rows;

	warn_shown = NULL; /* there may be no memory for it */
	buf_reset(&b);
	terminal_clean(&b, s, n);
	buf_reset(&rows);
	if (isatty(STDERR_FILENO) && b.p[b.n - 1] == '\n') {
		terminal_wrap(&rows, b.p, b.n - 1,
		    terminal_columns(STDERR_FILENO));
		buf_putc(&rows, '\n');
	} else {
		buf_span(&rows, buf_view(&b));
	}
	(void)fd_write(STDERR_FILENO, rows.p, rows.n);
	warn_shown = put_warning;
}

static void
prepare(const char *shortopts, const struct option *longopts)
{
	static const struct option ours[] = {
		{"help", no_argument, NULL, OPT_HELP},
		{"version", no_argument, NULL, OPT_VERSION},
		{"set", required_argument, NULL, OPT_SET},
		{NULL, 0, NULL, 0}};
	size_t n = 0;

	warn_shown = put_warning;
	while (longopts != NULL && longopts[n].name != NULL)
		n++;
	table = xreallocarray(table, n + 4, sizeof(*table));
	if (n > 0)
		memcpy(table, longopts, n * sizeof(*table));
	memcpy(table + n, ours, sizeof(ours));
	if (opt_set == NULL)
		memset(table + n + 2, 0, sizeof(*table));
	/* '+': stop at the first operand; ':': distinguish the faults. */
	buf_reset(&letters);
	buf_puts(&letters, "+:");
	buf_puts(&letters, shortopts);
	opterr = 0;
}

static _Noreturn void
help(const char *usage)
{
	static const char set[] =
	    "\n  --set KEY=VALUE  a setting, turnpipe-settings(5)\n";
	size_t n = strlen(usage);

	out_add(usage, n);
	if (n == 0 || usage[n - 1] != '\n')
		out_add("\n", 1);
	if (opt_set != NULL)
		out_add(set, strlen(set));
	out_end();
	exit(0);
}

static _Noreturn void
version(void)
{
	static struct buf b;

	buf_printf(&b, "%s (turnpipe) %s", prog, VERSION);
	if (opt_libraries != NULL) {
		buf_putc(&b, '\n');
		opt_libraries(&b);
	}
	out_record(&b);
	out_end();
	exit(0);
}

void
opt_die(const char *usage, const char *fmt, ...)
{
	void (*hook)(int, const char *) = die_hook;
	static struct buf b;
	char msg[1000];
	const char *end;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	warn("%s", msg);
	end = strstr(usage, "\n\n");
	if (end == NULL)
		end = usage + strlen(usage);
	if (end > usage && end[-1] == '\n')
		end--;
	buf_add(&b, usage, (size_t)(end - usage));
	buf_putc(&b, '\n');
	/* There is no place to report that stderr cannot be written. */
	(void)fd_write(STDERR_FILENO, b.p, b.n);
	die_hook = NULL;
	if (hook != NULL)
		hook(EX_USAGE, msg);
	exit(EX_USAGE);
}

/* Names in the table that begin with these bytes. */
static int
count(const char *s, size_t n)
{
	const struct option *o;
	int found = 0;

	for (o = table; o->name != NULL; o++)
		found += strncmp(o->name, s, n) == 0;
	return found;
}

/* What getopt_long only calls '?'. */
static _Noreturn void
unknown(char **argv, const char *usage)
{
	const char *arg = argv[optind - 1];
	const struct option *o;
	size_t n = strcspn(arg, "=");

	for (o = table; o->name != NULL; o++)
		if (optopt != 0 && o->val == optopt)
			opt_die(usage, "option '%.*s' takes no argument",
			    (int)n, arg);
	if (optopt != 0)
		opt_die(usage, "unknown option '-%c'", optopt);
	opt_die(usage, "%s option '%.*s'",
	    n > 2 && count(arg + 2, n - 2) > 1 ? "ambiguous" : "unknown",
	    (int)n, arg);
}

static _Noreturn void
missing(char **argv, const char *usage)
{
	const char *arg = argv[optind - 1];

	if (strncmp(arg, "--", 2) == 0)
		opt_die(usage, "option '%s' needs an argument", arg);
	opt_die(usage, "option '-%c' needs an argument", optopt);
}

int
opt_next(int argc, char **argv, const char *shortopts,
    const struct option *longopts, const char *usage)
{
	int c;

	if (table == NULL)
		prepare(shortopts, longopts);
	while ((c = getopt_long(argc, argv, buf_cstr(&letters), table, NULL))
	    == OPT_SET)
		opt_set(optarg);
	switch (c) {
	case OPT_HELP:
		help(usage);
	case OPT_VERSION:
		version();
	case '?':
		unknown(argv, usage);
	case ':':
		missing(argv, usage);
	default:
		return c;
	}
}

long long
opt_int(const char *name, const char *arg, long long min, long long max)
{
	const char *s = arg + (*arg == '-');
	char *end = NULL;
	long long v = 0;

	errno = 0;
	if (isdigit((unsigned char)*s))
		v = strtoll(arg, &end, 10);
	if (end == NULL || *end != '\0' || errno != 0 || v < min || v > max)
		die(EX_USAGE,
		    "%s: expected a whole number from %lld to %lld, got '%s'",
		    name, min, max, arg);
	return v;
}
