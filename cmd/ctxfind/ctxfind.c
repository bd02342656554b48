/*
 * ctxfind [-1Fpqr] [-C dir] [-f list] [-k kind] [-l count] [-m bytes]
 *     [-n list] [-s place] [-t bytes] [-u name] [-V list]
 *
 * - A filter that adds one section per project context file, from the top of
 *   the tree down, so that what is nearest is read last; or, with -k, one
 *   section of that kind with the nearest file.
 * - A file that can not be read never stops the run: it is reported and left
 *   out.
 * - Reads before it looks at its input: the pipe fills meanwhile.
 * - Text goes out as it is; promptcompose wraps it in tags and guards them.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "ctxspec.h"
#include "diag.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "section.h"
#include "settings.h"
#include "warnonce.h"

static const char usage[] =
    "usage: ctxfind [-1Fpqr] [-C dir] [-f list] [-k kind] [-l count] "
    "[-m bytes]\n"
    "           [-n list] [-s place] [-t bytes] [-u name] [-V list]\n"
    "\n"
    "  -1, --one-per-dir     only the first name found in each directory\n"
    "  -C, --directory DIR   look from there, not from here\n"
    "  -f, --fallback LIST   names where a directory has none of -n\n"
    "  -F, --fresh           look again for each conversation\n"
    "  -k, --kind KIND       the nearest file alone, as section KIND\n"
    "  -l, --levels COUNT    directories to look in at most\n"
    "  -m, --max-file BYTES  leave larger files out\n"
    "  -n, --names LIST      names to look for, commas between\n"
    "  -p, --path            print where the project's file is, or would be\n"
    "  -q, --quiet           do not report what was left out\n"
    "  -r, --refuse-outside  leave links out that leave the tree\n"
    "  -s, --stop-at PLACE   go up to cwd, git, home or root\n"
    "  -t, --max-total BYTES bytes of all files\n"
    "  -u, --user NAME       the user's own file; '' for none\n"
    "  -V, --variants LIST   directories that may hold the names too\n";

static const struct option options[] = {
    {"one-per-dir", no_argument, NULL, '1'},
    {"directory", required_argument, NULL, 'C'},
    {"fallback", required_argument, NULL, 'f'},
    {"fresh", no_argument, NULL, 'F'},
    {"kind", required_argument, NULL, 'k'},
    {"levels", required_argument, NULL, 'l'},
    {"max-file", required_argument, NULL, 'm'},
    {"names", required_argument, NULL, 'n'},
    {"path", no_argument, NULL, 'p'},
    {"quiet", no_argument, NULL, 'q'},
    {"refuse-outside", no_argument, NULL, 'r'},
    {"stop-at", required_argument, NULL, 's'},
    {"max-total", required_argument, NULL, 't'},
    {"user", required_argument, NULL, 'u'},
    {"variants", required_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static struct context_spec spec;
static struct context context;
static const char *kind = "project-context";
static int fresh, quiet;

/* The user's file by its full name, before the directory changes. */
static void
find_user(void)
{
	static struct buf b, rel;

	if (*spec.user == '\0' || path_find(&rel, spec.user) < 0) {
		spec.user = NULL;
		return;
	}
	if (rel.p[0] != '/')
		buf_printf(&b, "%s/", path_cwd());
	buf_add(&b, rel.p, rel.n);
	spec.user = buf_cstr(&b);
}

static void
enter(const char *dir)
{
	if (chdir(dir) < 0)
		die_sys(EX_NOINPUT, "%s", dir);
	/* So that its links stay in the paths, as the shell has it. */
	if (*dir == '/' && setenv("PWD", dir, 1) < 0)
		die_sys(EX_OSERR, "PWD");
}

static void
find(void)
{
	size_t i;

	context_find(&context, &spec);
	for (i = 0; i < context.notes.n && !quiet; i++)
		warnonce(context.notes.v[i]);
}

static void
put(void)
{
	struct section s = {0};
	size_t i;

	s.kind = kind;
	for (i = 0; i < context.n; i++) {
		s.source = context.v[i].path;
		s.what = spec.nearest ? NULL : s.source;
		section_put(&s, context.v[i].text.p, context.v[i].text.n);
	}
}

static int
filter(void)
{
	struct rec r;
	int on = settings_enabled("ctxfind"), stale = 0;

	if (on)
		find();
	while (record_next(&r)) {
		if (r.type == REC_END && on) {
			if (stale && fresh)
				find();
			put();
			stale = 1;
		}
		record_pass(&r);
	}
	return record_close();
}

/* Print where the project's file is, or would be made. */
static int
print_path(void)
{
	static struct buf path;
	int there;

	record_filter(0);
	if (spec.names.n == 0)
		die(EX_USAGE, "no name to look for");
	there = context_project(&path, &spec);
	if (there < 0)
		die(EX_NOPERM, "%s: a link that leaves the tree",
		    buf_cstr(&path));
	out_record(&path);
	out_end();
	return there ? 0 : EXIT_NO;
}

static void
names(struct strs *l, const char *what)
{
	if (ctxspec_names(l, optarg) < 0)
		die(EX_USAGE, "%s: expected names below a directory, got '%s'",
		    what, optarg);
}

/* An option that says what to look for and how; 0 if it is another one. */
static int
option(int c)
{
	static int fallback, user;
	int stop;

	switch (c) {
	case '1': spec.oneperdir = 1; break;
	case 'f':
		fallback = 1;
		names(&spec.fallback, "-f");
		break;
	case 'k':
		if (*optarg == '\0')
			opt_die(usage, "-k: expected the kind of a section");
		kind = optarg;
		spec.nearest = 1;
		/* Nor is the settings' file of the user's of this kind. */
		if (!user)
			spec.user = "";
		break;
	case 'l': spec.levels = (size_t)opt_int("-l", optarg, 0, 4096); break;
	case 'm':
		spec.maxfile = (size_t)opt_int("-m", optarg, 0, INT32_MAX);
		break;
	case 'n':
		names(&spec.names, "-n");
		/* The settings' fallback belongs to the settings' names. */
		if (!fallback)
			strs_reset(&spec.fallback);
		break;
	case 'r': spec.inside = 1; break;
	case 's':
		stop = ctxspec_stop(optarg);
		if (stop < 0)
			die(EX_USAGE, "-s: expected cwd, git, home or root, "
			    "got '%s'", optarg);
		spec.stop = (enum context_stop)stop;
		break;
	case 't':
		spec.maxtotal = (size_t)opt_int("-t", optarg, 0, INT32_MAX);
		break;
	case 'u':
		user = 1;
		spec.user = optarg;
		break;
	case 'V': names(&spec.variants, "-V"); break;
	default: return 0;
	}
	return 1;
}

int
main(int argc, char **argv)
{
	const char *dir = NULL;
	int c, path = 0;

	prog = "ctxfind";
	record_filter(1);
	ctxspec_defaults(&spec);
	while ((c = opt_next(argc, argv, "1C:f:Fk:l:m:n:pqrs:t:u:V:",
	    options, usage)) != -1)
		switch (c) {
		case 'C':
			dir = optarg;
			break;
		case 'F':
			fresh = 1;
			break;
		case 'q':
			quiet = 1;
			break;
		case 'p':
			path = 1;
			break;
		default:
			option(c);
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	find_user();
	if (dir != NULL)
		enter(dir);
	return path ? print_path() : filter();
}
