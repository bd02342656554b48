#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "env.h"
#include "envvalue.h"
#include "file.h"
#include "git.h"
#include "path.h"
#include "permitrule.h"
#include "projectkind.h"
#include "settings.h"
#include "terminal.h"
#include "warnonce.h"

enum kind { KIND_STABLE, KIND_VOLATILE, KIND_TIMED };

enum from {
	FROM_BRANCH, FROM_CLEAN, FROM_COUNT, FROM_CWD, FROM_DAY, FROM_DETACHED,
	FROM_DISTRO, FROM_ISO, FROM_MACHINE, FROM_MOMENT, FROM_PERMITTED,
	FROM_PLATFORM, FROM_STATE, FROM_TOOLCHAIN, FROM_TREE, FROM_UNATTENDED, FROM_UTC,
	FROM_VARIABLE, FROM_ZONE
};

/* A hole. */
struct row {
	const char *name;
	enum from from;
	enum kind kind;
	const char *arg; /* a variable, or a form of strftime(3) */
	size_t field; /* of struct utsname, or of git's counts */
};

enum { OS_RELEASE = 65536, TOOLCHAIN_MAX = 4096 }; /* bytes */

static const struct envvalue_spec *spec;
static struct git git;
static int looked, isgit, started, waited, known;
static int wantsgit, wantstree; /* the templates do */

static int
put(struct buf *b, const char *s)
{
	if (s == NULL || *s == '\0')
		return 0;
	buf_puts(b, s);
	return 1;
}

static int
list(struct buf *b, struct strs *l)
{
	size_t i;
	int r = l->n > 0;

	for (i = 0; i < l->n; i++) {
		if (i > 0)
			buf_puts(b, spec->joiner);
		buf_puts(b, l->v[i]);
	}
	strs_reset(l);
	return r;
}

static int
machine(struct buf *b, size_t field)
{
	struct utsname u;

	return uname(&u) == 0 && put(b, (const char *)&u + field);
}

static int
platform(struct buf *b)
{
	size_t i = b->n;

	if (!machine(b, offsetof(struct utsname, sysname)))
		return 0;
	for (; i < b->n; i++)
		if (b->p[i] >= 'A' && b->p[i] <= 'Z')
			b->p[i] += 'a' - 'A';
	return 1;
}

/* PRETTY_NAME of os-release(5), its shell quoting taken off. */
static int
distro(struct buf *b)
{
	static const char key[] = "\nPRETTY_NAME=";
	static struct buf t;
	const char *s, *end;
	size_t start = b->n;

	buf_reset(&t);
	buf_putc(&t, '\n');
	if (file_read("/etc/os-release", &t, OS_RELEASE) != FILE_OK
	    && file_read("/usr/lib/os-release", &t, OS_RELEASE) != FILE_OK)
		return 0;
	if ((s = strstr(buf_cstr(&t), key)) == NULL)
		return 0;
	s += sizeof(key) - 1;
	for (end = s + strcspn(s, "\n"); s < end; s++)
		if (*s != '"' && *s != '\'' && *s != '\\')
			buf_putc(b, *s);
	return b->n > start;
}

static int
ingit(void)
{
	if (!looked)
		isgit = git_look(&git);
	looked = 1;
	return isgit;
}

/* The same, and its state of this moment is wanted. */
static int
hasstate(void)
{
	return !clock_isfrozen() && ingit();
}

static void
start(void)
{
	if (!started && spec->gitstatus && ingit())
		git_start(&git, wantstree);
	started = 1;
}

/* Wait for git, once.  Does it know what changed? */
static int
isknown(void)
{
	const char *why;

	start();
	if (!waited && spec->gitstatus && ingit()) {
		known = git_wait(&git, spec->gitms, &why) == 0;
		if (why != NULL)
			warn("git status: %s", why);
	}
	waited = 1;
	return known;
}

/* A number that is 0 says nothing. */
static int
count(struct buf *b, size_t field)
{
	if (!hasstate() || !isknown() || git.count[field] == 0)
		return 0;
	buf_printf(b, "%lld", git.count[field]);
	return 1;
}

static int
tree(struct buf *b)
{
	size_t n = b->n;

	(void)isknown();
	tree_put(b, &spec->tree, &git.ignored);
	return b->n > n;
}

static void
report_zone(void)
{
	static int done;
	struct buf b = {0};
	const char *tz = done ? NULL : clock_unknown();

	done = 1;
	if (tz == NULL)
		return;
	buf_printf(&b, "TZ: no time zone '%.60s': the clock is in UTC", tz);
	warnonce(buf_cstr(&b));
	buf_free(&b);
}

static int
moment(struct buf *b, const struct row *row)
{
	size_t n = b->n;

	if (row->from == FROM_UTC) {
		clock_utc(b, clock_now());
		b->p[n + 10] = ' ';
		b->n = n + 19;
		return 1;
	}
	report_zone();
	if (row->from == FROM_ZONE)
		return put(b, clock_zone());
	clock_local(b, clock_now(), row->arg);
	if (row->from == FROM_DAY && b->p[n] == '0')
		b->p[n] = b->p[--b->n];
	if (row->from == FROM_ISO && b->n - n == 24) {
		/* RFC 3339 wants a colon in the offset. */
		buf_putc(b, b->p[b->n - 1]);
		b->p[b->n - 2] = b->p[b->n - 3];
		b->p[b->n - 3] = ':';
	}
	return 1;
}

/* Where a session keeps the versions; NULL outside of one. */
static const char *
kept_path(void)
{
	static struct buf b;
	const char *run = env_get("TURNPIPE_RUN");

	if (run == NULL || *run == '\0')
		return NULL;
	buf_reset(&b);
	buf_printf(&b, "%s/toolchain", run);
	return buf_cstr(&b);
}

/*
 * Programs are run once in a session: they cost time before each call, and
 * one that is late once must not change the prompt in the middle of a turn.
 */
static int
toolchain(struct buf *b)
{
	static struct strs l;
	const char *path = kept_path(), *dry = env_get("TURNPIPE_DRY");
	size_t n = b->n;

	if (path != NULL && file_read(path, b, TOOLCHAIN_MAX) == FILE_OK)
		return b->n > n;
	projectkind_versions(&l, spec->toolms);
	list(b, &l);
	/* A dry run leaves no trace in the session. */
	if (path != NULL && (dry == NULL || *dry == '\0')
	    && file_put(path, buf_cstr(b) + n, b->n - n, 0600) < 0)
		warn_sys("write %s", path);
	return b->n > n;
}

static int
ison(const char *name)
{
	const char *env = env_get(name);

	return env != NULL && strcmp(env, "0") != 0;
}

/* No value of its own, but only there where no question can be asked. */
static int
unattended(void)
{
	const char *ask = env_get("TURNPIPE_ASK");
	int fd, later = env_get("TURNPIPE_ASK_LATER") != NULL
	    ? ison("TURNPIPE_ASK_LATER") : settings_bool("toolrun.ask_later");

	/* Without a question: with -y, and where it waits for the user. */
	if (ison("TURNPIPE_YES")
	    || (later && env_get("TURNPIPE_PARENT") == NULL))
		return 0;
	if (ask != NULL && strcmp(ask, "0") == 0)
		return 1;
	if (env_get("TURNPIPE_ASK_FD") != NULL)
		return 0;
	fd = terminal_open();
	if (fd >= 0)
		close(fd);
	return fd < 0;
}

static int
permitted(struct buf *b)
{
	static struct strs l, origins;

	permit_allowed(&l, &origins, 0);
	strs_reset(&origins);
	return list(b, &l);
}

#define UTSNAME(field) NULL, offsetof(struct utsname, field)

static const struct row rows[] = {
    {"cwd", FROM_CWD, KIND_STABLE, NULL, 0},
    {"os", FROM_MACHINE, KIND_STABLE, UTSNAME(sysname)},
    {"platform", FROM_PLATFORM, KIND_STABLE, NULL, 0},
    {"release", FROM_MACHINE, KIND_STABLE, UTSNAME(release)},
    {"machine", FROM_MACHINE, KIND_STABLE, UTSNAME(machine)},
    {"distro", FROM_DISTRO, KIND_STABLE, NULL, 0},
    {"shell", FROM_VARIABLE, KIND_STABLE, "SHELL", 0},
    {"chat", FROM_VARIABLE, KIND_STABLE, "TURNPIPE_CHAT", 0},
    {"toolchain", FROM_TOOLCHAIN, KIND_STABLE, NULL, 0},
    {"branch", FROM_BRANCH, KIND_VOLATILE, NULL, 0},
    {"detached", FROM_DETACHED, KIND_VOLATILE, NULL, 0},
    {"state", FROM_STATE, KIND_VOLATILE, NULL, 0},
    {"staged", FROM_COUNT, KIND_VOLATILE, NULL, GIT_STAGED},
    {"modified", FROM_COUNT, KIND_VOLATILE, NULL, GIT_MODIFIED},
    {"untracked", FROM_COUNT, KIND_VOLATILE, NULL, GIT_UNTRACKED},
    {"conflicts", FROM_COUNT, KIND_VOLATILE, NULL, GIT_CONFLICTS},
    {"ahead", FROM_COUNT, KIND_VOLATILE, NULL, GIT_AHEAD},
    {"behind", FROM_COUNT, KIND_VOLATILE, NULL, GIT_BEHIND},
    {"clean", FROM_CLEAN, KIND_VOLATILE, NULL, 0},
    {"tree", FROM_TREE, KIND_VOLATILE, NULL, 0},
    {"unattended", FROM_UNATTENDED, KIND_VOLATILE, NULL, 0},
    {"permitted", FROM_PERMITTED, KIND_VOLATILE, NULL, 0},
    {"weekday", FROM_MOMENT, KIND_TIMED, "%A", 0},
    {"month", FROM_MOMENT, KIND_TIMED, "%B", 0},
    {"day", FROM_DAY, KIND_TIMED, "%d", 0},
    {"year", FROM_MOMENT, KIND_TIMED, "%Y", 0},
    {"time", FROM_MOMENT, KIND_TIMED, "%H:%M", 0},
    {"date", FROM_MOMENT, KIND_TIMED, "%Y-%m-%d", 0},
    {"iso", FROM_ISO, KIND_TIMED, "%Y-%m-%dT%H:%M:%S%z", 0},
    {"utc", FROM_UTC, KIND_TIMED, NULL, 0},
    {"zone", FROM_ZONE, KIND_STABLE, NULL, 0},
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

void
envvalue_init(const struct envvalue_spec *s)
{
	spec = s;
}

void
envvalue_expect(const char *text, size_t n)
{
	static struct buf t, hole;
	size_t i;

	buf_reset(&t);
	buf_add(&t, text, n);
	for (i = 0; i < ROWS; i++) {
		if (rows[i].from != FROM_COUNT && rows[i].from != FROM_CLEAN
		    && rows[i].from != FROM_TREE)
			continue;
		buf_reset(&hole);
		buf_printf(&hole, "{{%s}}", rows[i].name);
		if (strstr(buf_cstr(&t), buf_cstr(&hole)) == NULL)
			continue;
		wantsgit = 1;
		wantstree |= rows[i].from == FROM_TREE;
	}
}

void
envvalue_start(void)
{
	if (wantsgit)
		start();
}

/* What the table of markers has: {{project}} for all, and {{languages}}. */
static int
project(struct buf *b, const char *name, int *has)
{
	static struct strs l;

	if (!projectkind_find(&l, strcmp(name, "project") == 0 ? NULL : name))
		return 0;
	*has = list(b, &l);
	return 1;
}

/* Append the value of a hole; 0 if it has none here. */
static int
value(struct buf *b, const struct row *row)
{
	switch (row->from) {
	case FROM_CWD: return put(b, path_cwd());
	case FROM_MACHINE: return machine(b, row->field);
	case FROM_PLATFORM: return platform(b);
	case FROM_DISTRO: return distro(b);
	case FROM_VARIABLE: return put(b, getenv(row->arg));
	case FROM_TOOLCHAIN: return toolchain(b);
	case FROM_BRANCH: return hasstate() && put(b, buf_cstr(&git.branch));
	case FROM_DETACHED:
		if (!hasstate() || git.branch.n > 0 || git.commit.n == 0)
			return 0;
		buf_add(b, git.commit.p, 10);
		return 1;
	case FROM_STATE: return hasstate() && put(b, git.state);
	case FROM_COUNT: return count(b, row->field);
	case FROM_CLEAN:
		return hasstate() && isknown()
		    && git.count[GIT_CHANGED] + git.count[GIT_UNTRACKED] == 0;
	case FROM_TREE: return tree(b);
	case FROM_UNATTENDED: return unattended();
	case FROM_PERMITTED: return permitted(b);
	default: return moment(b, row);
	}
}

int
envvalue_fill(struct buf *b, const char *name, size_t n, void *arg)
{
	static struct buf key;
	struct envvalue_use *use = arg;
	const struct row *row = rows;
	size_t at = b->n;
	int has = 0;

	buf_reset(&key);
	buf_add(&key, name, n);
	while (row < rows + ROWS && strcmp(row->name, buf_cstr(&key)) != 0)
		row++;
	if (row == rows + ROWS) {
		if (!project(b, key.p, &has))
			return 0;
	} else {
		has = value(b, row);
		use->timed |= row->kind == KIND_TIMED;
		use->isvolatile |= row->kind != KIND_STABLE;
	}
	use->missing |= !has;
	/* A directory's name must not make lines of its own. */
	for (; (row == rows + ROWS || row->from != FROM_TREE) && at < b->n; at++)
		if ((unsigned char)b->p[at] < ' ' || b->p[at] == 127)
			b->p[at] = '?';
	return 1;
}

void
envvalue_reset(void)
{
	looked = started = waited = known = 0;
	projectkind_reset();
}
