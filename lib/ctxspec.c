#include <string.h>

#include "ctxspec.h"
#include "diag.h"
#include "settings.h"

enum context_stop
ctxspec_stop(const char *what, const char *arg, int code)
{
	static const char *const names[] = {"cwd", "git", "home", "root"};
	int i;

	for (i = 0; i < 4; i++)
		if (strcmp(arg, names[i]) == 0)
			return (enum context_stop)i;
	die(code, "%s: expected cwd, git, home or root, got '%s'", what, arg);
}

static int
isname(const char *name)
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

static void
check(const struct strs *l, const char *what, int code)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!isname(l->v[i]))
			die(code, "%s: expected names below a directory, "
			    "got '%s'", what, l->v[i]);
}

void
ctxspec_names(struct strs *l, const char *what, const char *arg)
{
	strs_reset(l);
	strs_split(l, arg);
	check(l, what, EX_USAGE);
}

static void
list(struct strs *l, const char *key, const char *dflt)
{
	if (!settings_strs(key, l) && dflt != NULL)
		strs_add(l, dflt);
	check(l, key, EX_CONFIG);
}

static size_t
limit(const char *key, long long dflt)
{
	long long v = settings_int(key, dflt);

	if (v < 0)
		die(EX_CONFIG, "%s: expected a whole number from 0", key);
	return (size_t)v;
}

void
ctxspec_defaults(struct context_spec *spec)
{
	list(&spec->names, "ctxfind.names", "AGENTS.md");
	list(&spec->fallback, "ctxfind.fallback", NULL);
	list(&spec->variants, "ctxfind.variants", NULL);
	spec->oneperdir = settings_bool("ctxfind.one_per_dir", 0);
	spec->stop = ctxspec_stop("ctxfind.stop",
	    settings_str("ctxfind.stop", "git"), EX_CONFIG);
	spec->user = settings_str("ctxfind.user", "");
	spec->inside = settings_bool("ctxfind.refuse_outside", 0);
	spec->maxfile = limit("ctxfind.max_file", 65536);
	spec->maxtotal = limit("ctxfind.max_total", 262144);
	spec->levels = limit("ctxfind.levels", 32);
}
