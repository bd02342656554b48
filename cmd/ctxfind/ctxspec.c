#include <string.h>

#include "ctxspec.h"
#include "diag.h"
#include "settings.h"

int
ctxspec_stop(const char *arg)
{
	static const char *const names[] = {"cwd", "git", "home", "root"};
	int i;

	for (i = 0; i < 4; i++)
		if (strcmp(arg, names[i]) == 0)
			return i;
	return -1;
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

static int
check(const struct strs *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!isname(l->v[i]))
			return -1;
	return 0;
}

int
ctxspec_names(struct strs *l, const char *arg)
{
	strs_reset(l);
	strs_split(l, arg);
	return check(l);
}

static void
list(struct strs *l, const char *key, const char *dflt)
{
	if (!settings_strs(key, l) && dflt != NULL)
		strs_add(l, dflt);
	if (check(l) < 0)
		settings_bad(key, "expected names below a directory");
}

void
ctxspec_defaults(struct context_spec *spec)
{
	int stop;

	list(&spec->names, "ctxfind.names", "AGENTS.md");
	list(&spec->fallback, "ctxfind.fallback", NULL);
	list(&spec->variants, "ctxfind.variants", NULL);
	spec->oneperdir = settings_bool("ctxfind.one_per_dir", 0);
	stop = ctxspec_stop(settings_str("ctxfind.stop", "git"));
	if (stop < 0)
		settings_bad("ctxfind.stop", "expected cwd, git, home or root");
	spec->stop = (enum context_stop)stop;
	spec->user = settings_str("ctxfind.user", "");
	spec->inside = settings_bool("ctxfind.refuse_outside", 1);
	spec->maxfile = settings_count("ctxfind.max_file", 65536);
	spec->maxtotal = settings_count("ctxfind.max_total", 262144);
	spec->levels = settings_count("ctxfind.levels", 32);
}
