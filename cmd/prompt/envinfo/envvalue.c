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

/* Append the value of the hole name; 0 if it has none here. */
typedef int value(struct buf *b, const char *name);

enum { OS_RELEASE = 65536, TOOLCHAIN_MAX = 4096 }; /* bytes */

static const struct envvalue_spec *spec;
static struct strs *notes;
static struct git git;
static int looked, isgit, asked;

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
place(struct buf *b, const char *name)
{
	return put(b, *name == 'c' ? path_cwd() : path_root());
}

static int
machine(struct buf *b, const char *name)
{
	struct utsname u;
	size_t i = b->n;

	if (uname(&u) < 0)
		return 0;
	if (strcmp(name, "release") == 0)
		return put(b, u.release);
	if (strcmp(name, "machine") == 0)
		return put(b, u.machine);
	buf_puts(b, u.sysname);
	for (; *name == 'p' && i < b->n; i++)
		if (b->p[i] >= 'A' && b->p[i] <= 'Z')
			b->p[i] += 'a' - 'A';
	return 1;
}

/* PRETTY_NAME of os-release(5), its shell quoting taken off. */
static int
distro(struct buf *b, const char *name)
{
	static const char key[] = "\nPRETTY_NAME=";
	static struct buf t;
	const char *s, *end;
	size_t start = b->n;

	(void)name;
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
shell(struct buf *b, const char *name)
{
	(void)name;
	return put(b, getenv("SHELL"));
}

static int
chat(struct buf *b, const char *name)
{
	(void)name;
	return put(b, getenv("TURNPIPE_CHAT"));
}

static int
in_git(void)
{
	if (!looked) {
		looked = 1;
		isgit = git_look(&git);
	}
	return isgit;
}

static int
head(struct buf *b, const char *name)
{
	int branch;

	if (!in_git())
		return strcmp(name, "nogit") == 0;
	branch = git.branch.n > 0;
	if (strcmp(name, "branch") == 0) {
		buf_add(b, git.branch.p, git.branch.n);
		return branch;
	}
	if (strcmp(name, "state") == 0)
		return put(b, git.state);
	if (strcmp(name, "git") == 0)
		return 1;
	if ((*name == 'd' && branch) || *name == 'n' || !git_commit(&git))
		return 0;
	buf_add(b, git.commit.p, *name == 'd' ? 10 : git.commit.n);
	return 1;
}

/* Wait for git, once. */
static void
ask(void)
{
	struct buf note = {0};
	const char *why;

	if (asked)
		return;
	asked = 1;
	if (git.status.state == CAPTURE_NONE)
		git_status(&git);
	if (git_counts(&git, spec->gitms, &why) < 0 && why != NULL) {
		buf_printf(&note, "git status: %s", why);
		strs_add(notes, buf_cstr(&note));
		buf_free(&note);
	}
}

/* A number that is 0 says nothing; "clean" says that all are. */
static int
counts(struct buf *b, const char *name)
{
	long long n;

	if (!in_git() || !spec->gitstatus)
		return 0;
	ask();
	if (!git.counted)
		return 0;
	if (strcmp(name, "clean") == 0)
		return git.changed + git.untracked == 0;
	n = strcmp(name, "staged") == 0 ? git.staged
	    : strcmp(name, "modified") == 0 ? git.modified
	    : strcmp(name, "untracked") == 0 ? git.untracked
	    : strcmp(name, "conflicts") == 0 ? git.conflicts
	    : strcmp(name, "ahead") == 0 ? git.ahead
	    : strcmp(name, "behind") == 0 ? git.behind
					  : git.changed;
	if (n > 0)
		buf_printf(b, "%lld", n);
	return n > 0;
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
moment(struct buf *b, const char *name)
{
	static const char *const formats[][2] = {
	    {"weekday", "%A"}, {"month", "%B"}, {"day", "%d"}, {"year", "%Y"},
	    {"time", "%H:%M"}, {"seconds", "%S"}, {"date", "%Y-%m-%d"},
	    {"iso", "%Y-%m-%dT%H:%M:%S%z"},
	};
	size_t i, start = b->n;

	if (strcmp(name, "utc") == 0) {
		clock_utc(b, clock_now());
		b->p[start + 10] = ' ';
		b->n = start + 19;
		return 1;
	}
	report_zone();
	if (strcmp(name, "zone") == 0)
		return put(b, clock_zone());
	for (i = 0; strcmp(formats[i][0], name) != 0; i++)
		;
	clock_local(b, clock_now(), formats[i][1]);
	if (strcmp(name, "day") == 0 && b->p[start] == '0')
		b->p[start] = b->p[--b->n];
	if (strcmp(name, "iso") == 0 && b->n - start == 24) {
		/* RFC 3339 wants a colon in the offset. */
		buf_putc(b, b->p[b->n - 1]);
		b->p[b->n - 2] = b->p[b->n - 3];
		b->p[b->n - 3] = ':';
	}
	return 1;
}

static int
tree(struct buf *b, const char *name)
{
	size_t start = b->n;

	(void)name;
	tree_put(b, &spec->tree);
	return b->n > start;
}

/* Where a session keeps the versions, a line each; NULL outside of one. */
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

/* The versions that an earlier call of this session found; 0 if none did. */
static int
kept(struct strs *l, const char *path)
{
	static struct buf b;
	size_t at, n;

	buf_reset(&b);
	if (path == NULL || file_read(path, &b, TOOLCHAIN_MAX) != FILE_OK)
		return 0;
	for (at = 0; at < b.n; at += n + 1) {
		n = strcspn(buf_cstr(&b) + at, "\n");
		if (n > 0)
			strs_addn(l, b.p + at, n);
	}
	return 1;
}

static void
keep(const struct strs *l, const char *path)
{
	const char *dry = env_get("TURNPIPE_DRY");
	struct buf b = {0};
	size_t i;

	/* A dry run leaves no trace in the session. */
	if (dry != NULL && *dry != '\0')
		return;
	for (i = 0; i < l->n; i++)
		buf_printf(&b, "%s\n", l->v[i]);
	if (file_put(path, b.n > 0 ? b.p : "", b.n, 0600) < 0)
		warn_sys("write %s", path);
	buf_free(&b);
}

/*
 * Programs are run once in a session: they cost time before each call, and
 * one that is late once must not change the prompt in the middle of a turn.
 */
static int
toolchain(struct buf *b, const char *name)
{
	static struct strs l, late;
	struct buf note = {0};
	const char *path = kept_path();
	size_t i;

	(void)name;
	if (!spec->fresh && kept(&l, path))
		return list(b, &l);
	projectkind_versions(&l, &late, spec->toolms);
	if (path != NULL)
		keep(&l, path);
	for (i = 0; i < late.n; i++) {
		buf_reset(&note);
		buf_printf(&note, "%s: did not print its version in time",
		    late.v[i]);
		strs_add(notes, buf_cstr(&note));
	}
	buf_free(&note);
	strs_reset(&late);
	return list(b, &l);
}

static int
ison(const char *name)
{
	const char *env = env_get(name);

	return env != NULL && strcmp(env, "0") != 0;
}

/* No value of its own, but only there where no question can be asked. */
static int
unattended(struct buf *b, const char *name)
{
	const char *ask = env_get("TURNPIPE_ASK");
	int fd, later = env_get("TURNPIPE_ASK_LATER") != NULL
	    ? ison("TURNPIPE_ASK_LATER") : settings_bool("toolrun.ask_later");

	(void)b;
	(void)name;
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
permitted(struct buf *b, const char *name)
{
	static struct strs l, origins;

	(void)name;
	permit_allowed(&l, &origins, 0);
	strs_reset(&origins);
	return list(b, &l);
}

static const struct {
	const char *name;
	value *value;
	enum kind kind;
} holes[] = {
    {"cwd", place, KIND_STABLE},
    {"root", place, KIND_STABLE},
    {"os", machine, KIND_STABLE},
    {"platform", machine, KIND_STABLE},
    {"release", machine, KIND_STABLE},
    {"machine", machine, KIND_STABLE},
    {"distro", distro, KIND_STABLE},
    {"shell", shell, KIND_STABLE},
    {"chat", chat, KIND_STABLE},
    {"toolchain", toolchain, KIND_STABLE},
    {"git", head, KIND_STABLE},
    {"nogit", head, KIND_STABLE},
    {"branch", head, KIND_VOLATILE},
    {"detached", head, KIND_VOLATILE},
    {"commit", head, KIND_VOLATILE},
    {"state", head, KIND_VOLATILE},
    {"changed", counts, KIND_VOLATILE},
    {"staged", counts, KIND_VOLATILE},
    {"modified", counts, KIND_VOLATILE},
    {"untracked", counts, KIND_VOLATILE},
    {"conflicts", counts, KIND_VOLATILE},
    {"clean", counts, KIND_VOLATILE},
    {"ahead", counts, KIND_VOLATILE},
    {"behind", counts, KIND_VOLATILE},
    {"tree", tree, KIND_VOLATILE},
    {"unattended", unattended, KIND_VOLATILE},
    {"permitted", permitted, KIND_VOLATILE},
    {"weekday", moment, KIND_TIMED},
    {"month", moment, KIND_TIMED},
    {"day", moment, KIND_TIMED},
    {"year", moment, KIND_TIMED},
    {"time", moment, KIND_TIMED},
    {"seconds", moment, KIND_TIMED},
    {"date", moment, KIND_TIMED},
    {"iso", moment, KIND_TIMED},
    {"utc", moment, KIND_TIMED},
    {"zone", moment, KIND_STABLE},
};

enum { HOLES = sizeof(holes) / sizeof(*holes) };

void
envvalue_init(const struct envvalue_spec *s, struct strs *l)
{
	spec = s;
	notes = l;
}

void
envvalue_prepare(const char *text, size_t n)
{
	struct buf t = {0}, hole = {0};
	size_t i;

	if (!spec->gitstatus || git.status.state == CAPTURE_RUNS || !in_git())
		return;
	buf_add(&t, text, n);
	for (i = 0; i < HOLES; i++) {
		if (holes[i].value != counts)
			continue;
		buf_reset(&hole);
		buf_printf(&hole, "{{%s}}", holes[i].name);
		if (strstr(buf_cstr(&t), buf_cstr(&hole)) == NULL)
			continue;
		git_status(&git);
		break;
	}
	buf_free(&t);
	buf_free(&hole);
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

int
envvalue_fill(struct buf *b, const char *name, size_t n, void *arg)
{
	static struct buf key;
	struct envvalue_use *use = arg;
	size_t i, start = b->n;
	int has = 0;

	buf_reset(&key);
	buf_add(&key, name, n);
	for (i = 0; i < HOLES; i++)
		if (strcmp(holes[i].name, buf_cstr(&key)) == 0)
			break;
	if (i == HOLES) {
		if (!project(b, key.p, &has))
			return 0;
	} else {
		has = holes[i].value(b, key.p);
		use->timed |= holes[i].kind == KIND_TIMED;
		use->isvolatile |= holes[i].kind != KIND_STABLE;
	}
	use->missing |= !has;
	/* A directory's name must not make lines of its own. */
	for (; (i == HOLES || holes[i].value != tree) && start < b->n; start++)
		if ((unsigned char)b->p[start] < ' ' || b->p[start] == 127)
			b->p[start] = '?';
	return 1;
}

void
envvalue_reset(void)
{
	looked = asked = 0;
	git.status.state = CAPTURE_NONE;
	projectkind_reset();
}
