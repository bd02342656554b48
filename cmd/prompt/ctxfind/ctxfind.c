/*
 * ctxfind [-pt] [-k kind] [-n list] [-s place] [-u name] [-V list]
 *
 * - A filter that adds one section per project context file, from the top of
 *   the tree down, so that what is nearest is read last, and where notes for
 *   the project go, and with -t one for those further down whose files were
 *   touched; or, with -k, one section of that kind with the nearest
 *   file.
 * - A file that cannot be read never stops the run: it is reported and left
 *   out.
 * - Reads before it looks at its input: the pipe fills meanwhile.
 * - Text goes out as it is; promptcompose wraps it in tags and guards them.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "diag.h"
#include "emit.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "ring.h"
#include "section.h"
#include "settings.h"
#include "warnonce.h"

static const char usage[] =
    "usage: ctxfind [-pt] [-k kind] [-n list] [-s place] [-u name]\n"
    "           [-V list]\n"
    "\n"
    "  -k, --kind KIND       the nearest file alone, as section KIND\n"
    "  -n, --names LIST      names to look for, commas between\n"
    "  -p, --path            print where the project's file is, or would be\n"
    "  -s, --stop-at PLACE   go up to cwd, git, home or root\n"
    "  -t, --touched         also those of files that tools read or changed\n"
    "  -u, --user NAME       the user's own file; '' for none\n"
    "  -V, --variants LIST   directories that may hold the names too\n";

static const struct option options[] = {
    {"kind", required_argument, NULL, 'k'},
    {"names", required_argument, NULL, 'n'},
    {"path", no_argument, NULL, 'p'},
    {"stop-at", required_argument, NULL, 's'},
    {"touched", no_argument, NULL, 't'},
    {"user", required_argument, NULL, 'u'},
    {"variants", required_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static struct context_spec spec;
static struct context context;
static struct buf project; /* the file for notes; empty: there is none */
static const char *kind = "project-context";
static int touched;

/* "cwd", "git", "home" or "root" as enum context_stop; -1 if it is not one. */
static int
find_stop(const char *arg)
{
	static const char *const names[] = {"cwd", "git", "home", "root"};
	int i;

	for (i = 0; i < 4; i++)
		if (strcmp(arg, names[i]) == 0)
			return i;
	return -1;
}

/* Is it below a directory: not absolute and without ".."? */
static int
is_name(const char *name)
{
	const char *s;
	size_t n;

	if (*name == '\0' || *name == '/' || name[strlen(name) - 1] == '/')
		return 0;
	for (s = name; *s != '\0'; s += n) {
		n = strcspn(s, "/");
		if (n == 2 && memcmp(s, "..", 2) == 0)
			return 0;
		n += s[n] == '/';
	}
	return 1;
}

static int
check_names(const struct strs *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!is_name(l->v[i]))
			return -1;
	return 0;
}

/* The names in arg, commas between, in place of what l holds. */
static int
split_names(struct strs *l, const char *arg)
{
	strs_reset(l);
	strs_split(l, arg);
	return check_names(l);
}

static void
take_list(struct strs *l, const char *key)
{
	settings_strs(key, l);
	if (check_names(l) < 0)
		settings_bad(key, "expected names below a directory");
}

static void
read_settings(void)
{
	int stop;

	take_list(&spec.names, "ctxfind.names");
	take_list(&spec.fallback, "ctxfind.fallback");
	take_list(&spec.variants, "ctxfind.variants");
	settings_strs("ctxfind.not_below", &spec.notbelow);
	spec.oneperdir = settings_bool("ctxfind.one_per_dir");
	stop = find_stop(settings_str("ctxfind.stop"));
	if (stop < 0)
		settings_bad("ctxfind.stop", "expected cwd, git, home or root");
	spec.stop = (enum context_stop)stop;
	spec.user = settings_str("ctxfind.user");
	spec.inside = settings_bool("ctxfind.refuse_outside");
	spec.maxfile = settings_count("ctxfind.max_file");
	spec.maxtotal = settings_count("ctxfind.max_total");
	spec.levels = settings_count("ctxfind.levels");
}

/* The user's file by its full name. */
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
report(void)
{
	size_t i;

	for (i = 0; i < context.notes.n; i++)
		warnonce(context.notes.v[i]);
}

static void
find(void)
{
	const char *why;

	context_find(&context, &spec);
	if (!spec.nearest && spec.names.n > 0
	    && context_project(&project, &spec, &why) < 0)
		buf_reset(&project);
	report();
}

/* The files that the session's tools touched, of a state record. */
static void
take_touched(struct strs *files, const struct rec *r)
{
	const struct json *j;

	if (!touched || !record_has(r, "touched"))
		return;
	j = record_json(r);
	json_strs(j, json_get(j, 0, "touched"), files);
}

/* The file that notes for the project go to: for toollist. */
static void
put_project(void)
{
	static struct buf b;

	if (project.n == 0)
		return;
	emit_open(&b, '{');
	emit_pair(&b, "type", "state");
	emit_pairn(&b, "project_file", project.p, project.n);
	emit_close(&b, '}');
	record_put(&b);
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
		/* What comes later must leave the prompt's start as it is. */
		s.isvolatile = i >= context.found.n;
		section_put(&s, context.v[i].text.p, context.v[i].text.n);
	}
	put_project();
}

static int
filter(void)
{
	static struct strs files;
	struct rec r;
	int on = settings_enabled("ctxfind");

	if (on && !ring_isset())
		find();
	while (record_next(&r)) {
		if (r.type == REC_STATE && on)
			take_touched(&files, &r);
		if (r.type == REC_END && on && !record_isfaulty()) {
			if (ring_isset())
				find();
			if (touched) {
				context_touched(&context, &spec, &files);
				report();
			}
			put();
		}
		if (r.type == REC_END)
			strs_reset(&files);
		record_pass(&r);
		ring_enter(&r);
	}
	return record_close();
}

/* Print where the project's file is, or would be made. */
static int
print_path(void)
{
	static struct buf path;
	const char *why;
	int there;

	record_filter(0);
	if (spec.names.n == 0)
		die(EX_USAGE, "no name to look for");
	there = context_project(&path, &spec, &why);
	if (there < 0)
		die(EX_NOPERM, "%s: %s", buf_cstr(&path), why);
	out_record(&path);
	out_end();
	return there ? 0 : EXIT_NO;
}

/* What an option says, in place of the setting. */
static void
take_names(struct strs *l, const char *what, const char *arg)
{
	if (arg != NULL && split_names(l, arg) < 0)
		die(EX_USAGE, "%s: expected names below a directory, got '%s'",
		    what, arg);
}

static void
take_stop(const char *arg)
{
	int stop = find_stop(arg);

	if (stop < 0)
		die(EX_USAGE, "-s: expected cwd, git, home or root, got '%s'",
		    arg);
	spec.stop = (enum context_stop)stop;
}

int
main(int argc, char **argv)
{
	const char *names = NULL, *stop = NULL, *user = NULL;
	const char *variants = NULL;
	int c, path = 0;

	prog = "ctxfind";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "k:n:ps:tu:V:", options, usage))
	    != -1)
		switch (c) {
		case 'k':
			if (*optarg == '\0')
				opt_die(usage, "-k: expected the kind of a "
				    "section");
			kind = optarg;
			spec.nearest = 1;
			break;
		case 'n': names = optarg; break;
		case 'p': path = 1; break;
		case 's': stop = optarg; break;
		case 't': touched = 1; break;
		case 'u': user = optarg; break;
		case 'V': variants = optarg; break;
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	read_settings();
	/* The settings' fallback belongs to the settings' names. */
	if (names != NULL)
		strs_reset(&spec.fallback);
	take_names(&spec.names, "-n", names);
	take_names(&spec.variants, "-V", variants);
	if (stop != NULL)
		take_stop(stop);
	/* Nor is the settings' file of the user's of the kind of -k. */
	if (user != NULL || spec.nearest)
		spec.user = user != NULL ? user : "";
	find_user();
	return path ? print_path() : filter();
}
