#include <string.h>

#include "box.h"
#include "config.h"
#include "diag.h"
#include "opt.h"
#include "tap.h"

#define USAGE "usage: tk [-q] [-n count] [--only] [file ...]\n"
#define MORE "\n  -q, --quiet  say nothing\n"

static const struct option longs[] = {
	{"quiet", no_argument, NULL, 'q'},
	{"quick", no_argument, NULL, 'k'},
	{"count", required_argument, NULL, 'n'},
	{"only", no_argument, NULL, 300},
	{NULL, 0, NULL, 0},
};

/* Arguments, and what comes of them on stdout, stderr, as status. */
static const struct ask {
	const char *argv[8];
	const char *out, *err;
	int status;
} asks[] = {
	{{NULL}, "|", "", 0},
	{{"-q", "x", "-n", "5"}, "q|x -n 5 ", "", 0},
	{{"x", "-q"}, "|x -q ", "", 0},
	{{"-q", "--", "-n"}, "q|-n ", "", 0},
	{{"-", "-q"}, "|- -q ", "", 0},
	{{"-qn5", "-n", "-7"}, "qn=5 n=-7 |", "", 0},
	{{"--count=5", "--count", "6", "--quiet", "--only"},
	    "n=5 n=6 q(300)|", "", 0},
	{{"--cou", "5", "--o"}, "n=5 (300)|", "", 0},
	{{"--count="}, "n= |", "", 0},
	{{"--help"}, USAGE MORE, "", 0},
	{{"-q", "--help", "-z"}, "q" USAGE MORE, "", 0},
	{{"--version"}, "tk (turnpipe) " VERSION "\n", "", 0},
	{{"-z"}, "", "tk: unknown option '-z'\n" USAGE, 64},
	{{"-qzq"}, "q", "tk: unknown option '-z'\n" USAGE, 64},
	{{"--quiet", "-zq"}, "q", "tk: unknown option '-z'\n" USAGE, 64},
	{{"-:"}, "", "tk: unknown option '-:'\n" USAGE, 64},
	{{"-W", "only"}, "", "tk: unknown option '-W'\n" USAGE, 64},
	{{"-only"}, "", "tk: unknown option '-o'\n" USAGE, 64},
	{{"--zap"}, "", "tk: unknown option '--zap'\n" USAGE, 64},
	{{"--zap=secret"}, "", "tk: unknown option '--zap'\n" USAGE, 64},
	{{"--=x"}, "", "tk: unknown option '--'\n" USAGE, 64},
	{{"--\033[2J"}, "", "tk: unknown option '--?[2J'\n" USAGE, 64},
	{{"--qui"}, "", "tk: ambiguous option '--qui'\n" USAGE, 64},
	{{"-n"}, "", "tk: option '-n' needs an argument\n" USAGE, 64},
	{{"--only", "-qn"}, "(300)q",
	    "tk: option '-n' needs an argument\n" USAGE, 64},
	{{"-q", "--count"}, "q",
	    "tk: option '--count' needs an argument\n" USAGE, 64},
	{{"--quiet=1"}, "",
	    "tk: option '--quiet' takes no argument\n" USAGE, 64},
	{{"--only=1"}, "",
	    "tk: option '--only' takes no argument\n" USAGE, 64},
	{{"--help=1"}, "",
	    "tk: option '--help' takes no argument\n" USAGE, 64},
};

static const struct number {
	const char *arg;
	long long min, max, want;
	int status;
} numbers[] = {
	{"5", 1, 10, 5, 0},
	{"1", 1, 10, 1, 0},
	{"10", 1, 10, 10, 0},
	{"-3", -5, 5, -3, 0},
	{"007", 0, 10, 7, 0},
	{"9223372036854775807", 0, 9223372036854775807, 9223372036854775807,
	    0},
	{"0", 1, 10, 0, 64},
	{"11", 1, 10, 0, 64},
	{"9223372036854775808", 0, 9223372036854775807, 0, 64},
	{"", 0, 10, 0, 64},
	{"-", -5, 10, 0, 64},
	{"x", 0, 10, 0, 64},
	{"5x", 0, 10, 0, 64},
	{"5 ", 0, 10, 0, 64},
	{" 5", 0, 10, 0, 64},
	{"+5", 0, 10, 0, 64},
	{"--5", -10, 10, 0, 64},
	{"0x5", 0, 10, 0, 64},
	{"5.0", 0, 10, 0, 64},
};

static void
parse(const void *arg)
{
	const struct ask *a = arg;
	char *argv[10];
	int argc = 1, c;

	setvbuf(stdout, NULL, _IONBF, 0);
	argv[0] = strdup("tk");
	while (argc < 9 && a->argv[argc - 1] != NULL) {
		argv[argc] = strdup(a->argv[argc - 1]);
		argc++;
	}
	argv[argc] = NULL;
	while ((c = opt_next(argc, argv, "qkn:", longs, USAGE MORE)) != -1)
		if (c == 'n')
			printf("n=%s ", optarg);
		else if (c < 256)
			printf("%c", c);
		else
			printf("(%d)", c);
	printf("|");
	for (; optind < argc; optind++)
		printf("%s ", argv[optind]);
	while (argc > 0)
		free(argv[--argc]);
}

static void
number(const void *arg)
{
	const struct number *n = arg;

	printf("%lld", opt_int("--count", n->arg, n->min, n->max));
}

static void
hook(int code, const char *msg)
{
	printf("%d %s", code, msg);
}

static void
hooked(const void *arg)
{
	die_hook = hook;
	parse(arg);
}

/* --help and --version on a device that takes nothing. */
static void
full(const void *arg)
{
	box_need(freopen("/dev/full", "w", stdout) != NULL, "/dev/full");
	parse(arg);
}

static void
nolongs(const void *arg)
{
	char tk[] = "tk", q[] = "-q", help[] = "--help";
	char *argv[] = {tk, q, help, NULL};

	(void)arg;
	setvbuf(stdout, NULL, _IONBF, 0);
	while (opt_next(3, argv, "q", NULL, "usage: tk [-q]") != -1)
		printf("q");
}

static void
bare(const void *arg)
{
	(void)arg;
	opt_die("usage: tk\nor tk [-q]", "a %d", 5);
}

int
main(void)
{
	static const struct ask help = {{"--help"}, "", "", 0};
	static const struct ask version = {{"--version"}, "", "", 0};
	static const struct ask bad = {{"-z"}, "", "", 0};
	struct box_end e;
	char want[40];
	size_t i;

	prog = "tk";
	for (i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		const struct ask *a = &asks[i];

		box_run(&e, parse, a);
		ok(e.status == a->status && strcmp(e.out, a->out) == 0
			&& strcmp(e.err, a->err) == 0,
		    "'%s': %d '%s' '%s'", a->argv[0] ? a->argv[0] : "",
		    e.status, e.out, e.err);
	}
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		box_run(&e, number, &numbers[i]);
		snprintf(want, sizeof(want), "%lld", numbers[i].want);
		ok(e.status == numbers[i].status
			&& strcmp(e.out, e.status == 0 ? want : "") == 0,
		    "number '%s': %d %s%s", numbers[i].arg, e.status, e.out,
		    e.err);
	}
	ok(strcmp(e.err,
	       "tk: --count: expected a whole number from 0 to 10, "
	       "got '5.0'\n")
		== 0,
	    "what was expected");
	box_run(&e, hooked, &bad);
	ok(e.status == 64 && strcmp(e.out, "64 unknown option '-z'") == 0,
	    "the fault goes to the hook: %s", e.out);
	box_run(&e, nolongs, NULL);
	ok(e.status == 0 && strcmp(e.out, "qusage: tk [-q]\n") == 0,
	    "no long names but ours, no newline: %s", e.out);
	box_run(&e, bare, NULL);
	ok(e.status == 64
		&& strcmp(e.err, "tk: a 5\nusage: tk\nor tk [-q]\n") == 0,
	    "two forms, no newline: %s", e.err);
	if (access("/dev/full", W_OK) == 0) {
		box_run(&e, full, &help);
		ok(e.status == 74
			&& strcmp(e.err,
			       "tk: write <stdout>: "
			       "No space left on device\n")
			    == 0,
		    "--help on a full disk: %d %s", e.status, e.err);
		box_run(&e, full, &version);
		ok(e.status == 74, "--version on a full disk: %d", e.status);
	}
	return done_testing();
}
