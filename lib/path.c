#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "diag.h"
#include "env.h"
#include "file.h"
#include "path.h"

/* One name in one directory of the search path. */
struct entry {
	char *name;
	size_t dir;
};

enum look { LOOK_NONE, LOOK_OFF, LOOK_WINS };

int
path_ishome(void)
{
	const char *s = env_get("HOME");

	return s != NULL && *s == '/';
}

const char *
path_home(void)
{
	if (!path_ishome())
		die(EX_CONFIG, "HOME: expected an absolute path");
	return getenv("HOME");
}

/* XDG Base Directory Specification: a relative path is to be ignored. */
static char *
base(const char *var, const char *below)
{
	struct buf b = {0};
	const char *s = env_get(var);

	if (s != NULL && *s == '/') {
		file_join(&b, s, "turnpipe");
	} else {
		file_join(&b, path_home(), below);
		buf_puts(&b, "/turnpipe");
	}
	return buf_cstr(&b);
}

const char *
path_config(void)
{
	static char *dir;

	if (dir == NULL)
		dir = base("XDG_CONFIG_HOME", ".config");
	return dir;
}

const char *
path_state(void)
{
	static char *dir;

	if (dir == NULL)
		dir = base("XDG_STATE_HOME", ".local/state");
	return dir;
}

const char *
path_cache(void)
{
	static char *dir;

	if (dir == NULL)
		dir = base("XDG_CACHE_HOME", ".cache");
	return dir;
}

const char *
path_data(void)
{
	static char *dir;

	if (dir == NULL)
		dir = base("XDG_DATA_HOME", ".local/share");
	return dir;
}

static void
add_dir(struct strs *l, const char *s, size_t n)
{
	strs_addn(l, s, n);
	/* Named twice, searched once. */
	if (strs_find(l, l->v[l->n - 1]) != (long)l->n - 1)
		free(l->v[--l->n]);
}

static struct strs searched; /* made absolute by path_leave */

const struct strs *
path_dirs(void)
{
	const char *s, *xdg;
	size_t n;

	if (searched.n > 0)
		return &searched;
	/*
	 * An empty part is no directory: were it the current one, a work
	 * tree could bring its own rules.
	 */
	for (s = env_get("TURNPIPE_PATH"); s != NULL && *s != '\0'; s += n) {
		n = strcspn(s, ":");
		if (n > 0)
			add_dir(&searched, s, n);
		n += s[n] == ':';
	}
	/* Without a home directory the installed share still works. */
	xdg = env_get("XDG_CONFIG_HOME");
	if ((xdg != NULL && *xdg == '/') || path_ishome())
		add_dir(&searched, path_config(), strlen(path_config()));
	s = env_get("TURNPIPE_SHARE");
	if (s == NULL)
		s = DATADIR;
	add_dir(&searched, s, strlen(s));
	return &searched;
}

/* A name stays below the search path, wherever it came from. */
static int
inside(const char *rel)
{
	size_t n;

	if (*rel == '\0' || *rel == '/')
		return 0;
	for (; *rel != '\0'; rel += n) {
		n = strcspn(rel, "/");
		if (n == 2 && memcmp(rel, "..", 2) == 0)
			return 0;
		n += rel[n] == '/';
	}
	return 1;
}

/*
 * A file that cannot be looked at wins: opening it reports why, so that an
 * override is not ignored in silence.
 */
static enum look
look(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? LOOK_NONE
							   : LOOK_WINS;
	if (S_ISDIR(st.st_mode))
		return LOOK_NONE;
	return st.st_size == 0 ? LOOK_OFF : LOOK_WINS;
}

int
path_find(struct buf *b, const char *rel)
{
	const struct strs *dirs = path_dirs();
	enum look what = LOOK_NONE;
	size_t i;

	buf_reset(b);
	for (i = 0; i < dirs->n && what == LOOK_NONE && inside(rel); i++) {
		file_join(b, dirs->v[i], rel);
		what = look(buf_cstr(b));
	}
	if (what == LOOK_WINS)
		return 0;
	buf_reset(b);
	return what == LOOK_OFF ? -1 : -2;
}

static int
ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r != 0 ? r : (x->dir > y->dir) - (x->dir < y->dir);
}

/* The names in dirs[dir]/rel that may count. */
static size_t
scan(struct entry **v, size_t *cap, size_t n, size_t dir, const char *path,
    const char *suffix)
{
	const struct dirent *e;
	DIR *d = opendir(path);

	if (d == NULL) {
		if (errno != ENOENT && errno != ENOTDIR)
			die_sys(EX_NOINPUT, "%s", path);
		return n;
	}
	for (;;) {
		errno = 0;
		if ((e = readdir(d)) == NULL)
			break;
		if (e->d_name[0] == '.' || !ends(e->d_name, suffix))
			continue;
		grow(v, cap, n, sizeof(**v));
		(*v)[n].name = xstrdup(e->d_name);
		(*v)[n++].dir = dir;
	}
	if (errno != 0)
		die_sys(EX_NOINPUT, "%s", path);
	closedir(d);
	return n;
}

void
path_list(struct strs *l, const char *rel, const char *suffix)
{
	static struct entry *v;
	static struct buf b;
	static size_t cap;
	const struct strs *dirs = path_dirs();
	const char *last = NULL;
	enum look what = LOOK_NONE;
	size_t i, n = 0;

	for (i = 0; i < dirs->n && inside(rel); i++) {
		file_join(&b, dirs->v[i], rel);
		n = scan(&v, &cap, n, i, buf_cstr(&b), suffix);
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), compare);
	/* Of one name the first that is a file decides. */
	for (i = 0; i < n; i++) {
		if (last == NULL || strcmp(v[i].name, last) != 0)
			what = LOOK_NONE;
		last = v[i].name;
		if (what != LOOK_NONE)
			continue;
		file_join(&b, dirs->v[v[i].dir], rel);
		if (b.p[b.n - 1] != '/')
			buf_putc(&b, '/');
		buf_puts(&b, v[i].name);
		what = look(buf_cstr(&b));
		if (what == LOOK_WINS)
			strs_addn(l, b.p, b.n);
	}
	for (i = 0; i < n; i++)
		free(v[i].name);
}

/* As pwd -L: absolute, without "." and "..", and where we are. */
static int
right(const char *pwd)
{
	const char *s;
	size_t n;

	n = strlen(pwd);
	if (*pwd != '/' || (n > 1 && pwd[n - 1] == '/'))
		return 0;
	for (s = pwd; *s != '\0'; s += n) {
		n = strcspn(s, "/");
		if ((n == 1 && s[0] == '.')
		    || (n == 2 && s[0] == '.' && s[1] == '.'))
			return 0;
		n += s[n] == '/';
	}
	return file_same(pwd, ".");
}

/* The working directory without links. */
static char *
physical(void)
{
	struct buf b = {0};

	buf_room(&b, 256);
	while (getcwd(b.p, b.cap) == NULL) {
		if (errno != ERANGE)
			die_sys(EX_NOINPUT, "working directory");
		buf_room(&b, 2 * b.cap);
	}
	if (b.p[0] != '/') /* "(unreachable)" of older C libraries */
		die(EX_NOINPUT, "working directory: not reachable");
	return b.p;
}

static char *cwd, *root;

const char *
path_cwd(void)
{
	const char *pwd;

	if (cwd == NULL) {
		pwd = env_get("PWD");
		cwd = pwd != NULL && right(pwd) ? xstrdup(pwd) : physical();
	}
	return cwd;
}

void
path_leave(void)
{
	struct buf b = {0};
	size_t i;

	(void)path_dirs();
	for (i = 0; i < searched.n; i++) {
		if (searched.v[i][0] == '/')
			continue;
		file_join(&b, path_cwd(), searched.v[i]);
		free(searched.v[i]);
		searched.v[i] = xstrdup(buf_cstr(&b));
	}
	buf_free(&b);
	free(cwd);
	free(root);
	cwd = root = NULL;
}

/* Cut the last name off; 0 at the top. */
static int
cut_last_name(char *path)
{
	size_t n = strlen(path);

	if (n <= 1)
		return 0;
	while (n > 1 && path[n - 1] != '/')
		n--;
	while (n > 1 && path[n - 1] == '/')
		n--;
	path[n] = '\0';
	return 1;
}

const char *
path_root(void)
{
	struct buf b = {0};
	struct stat st;
	char *named;

	if (root != NULL)
		return root;
	/* Upwards without links, as git does. */
	root = physical();
	for (;;) {
		file_join(&b, root, ".git");
		if (stat(buf_cstr(&b), &st) == 0)
			break;
		if (!cut_last_name(root)) {
			free(root);
			root = physical();
			break;
		}
	}
	buf_free(&b);
	/* By the name that leads to path_cwd, where there is one. */
	named = xstrdup(path_cwd());
	while (!file_same(named, root))
		if (!cut_last_name(named)) {
			free(named);
			return root;
		}
	free(root);
	return root = named;
}
