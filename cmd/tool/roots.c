#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "env.h"
#include "file.h"
#include "match.h"
#include "path.h"
#include "roots.h"
#include "settings.h"

enum { LINKS = 40 }; /* to nowhere, one after the other */

static struct strs readable, writable, hidden, names, kept, agreed;
static struct strs plan; /* what file tools write all the same */
static struct strs tree; /* the work tree of this agent's own, if that */

/*
 * realpath(3) of a path whose last names need not exist.  Appended to b.
 * 0, or -1 and errno.
 */
static int
resolve(struct buf *b, const char *path, int depth)
{
	struct buf dir = {0};
	static char to[PATH_MAX];
	char *real = realpath(path, NULL);
	const char *name = file_name(path);
	ssize_t n;
	int r;

	if (real != NULL) {
		buf_puts(b, real);
		free(real);
		return 0;
	}
	if (errno != ENOENT || *name == '\0' || strcmp(name, ".") == 0
	    || strcmp(name, "..") == 0)
		return -1;
	if (depth == LINKS) {
		errno = ELOOP;
		return -1;
	}
	file_dir(&dir, path);
	n = readlink(path, to, sizeof(to));
	if (n >= (ssize_t)sizeof(to)) {
		errno = ENAMETOOLONG;
		r = -1;
	} else if (n > 0) {
		if (to[0] == '/')
			buf_reset(&dir);
		else
			buf_putc(&dir, '/');
		buf_add(&dir, to, (size_t)n);
		r = resolve(b, buf_cstr(&dir), depth + 1);
	} else {
		r = resolve(b, buf_cstr(&dir), depth);
		if (r == 0)
			buf_printf(b, "%s%s",
			    b->n > 0 && b->p[b->n - 1] == '/' ? "" : "/", name);
	}
	buf_free(&dir);
	return r;
}

int
roots_real(struct buf *real, const char *path)
{
	char *s = xstrdup(path);
	size_t n = strlen(s);
	int r;

	while (n > 1 && s[n - 1] == '/')
		s[--n] = '\0';
	buf_reset(real);
	r = resolve(real, s, 0);
	free(s);
	return r;
}

char *
roots_resolve(const char *path)
{
	struct buf b = {0}, real = {0};

	if (path[0] == '~' && (path[1] == '/' || path[1] == '\0')) {
		if (!path_ishome()) {
			errno = ENOENT;
			return NULL;
		}
		buf_puts(&b, path_home());
		path++;
	}
	buf_puts(&b, path);
	if (roots_real(&real, buf_cstr(&b)) < 0)
		buf_free(&real);
	buf_free(&b);
	return real.p != NULL ? buf_cstr(&real) : NULL;
}

/* Add the place that a setting or variable names. */
static void
place(struct strs *l, const char *path)
{
	char *real;

	if (path == NULL || *path == '\0')
		return;
	real = roots_resolve(path);
	if (real != NULL || path[0] == '/')
		strs_once(l, real != NULL ? real : path);
	free(real);
}

static void
below(struct strs *l, const char *dir, const char *name)
{
	struct buf b = {0};

	buf_printf(&b, "%s/%s", dir, name);
	place(l, buf_cstr(&b));
	buf_free(&b);
}

static void
listed(struct strs *l, const char *key)
{
	struct strs v = {0};
	size_t i;

	settings_strs(key, &v);
	for (i = 0; i < v.n; i++)
		if (l == &hidden && strchr(v.v[i], '/') == NULL)
			strs_once(&names, v.v[i]);
		else
			place(l, v.v[i]);
	strs_free(&v);
}

/* Where skills lie: what the menu names may be read. */
static void
skills(void)
{
	const struct strs *share = path_dirs();
	static struct strs home;
	size_t i;

	settings_strs("skillmenu.home", &home);
	for (i = 0; i < home.n; i++)
		if (path_ishome())
			below(&readable, path_home(), home.v[i]);
	listed(&readable, "skillmenu.dirs");
	for (i = 0; i < share->n; i++) {
		below(&readable, share->v[i], "skills");
		below(&readable, share->v[i], "playbooks");
	}
}

/* A path per line, absolute: what the user agreed to in this call. */
static void
agreements(void)
{
	const char *s = env_get("TURNPIPE_AGREED");
	size_t n;

	for (; s != NULL && *s != '\0'; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		if (*s == '/')
			strs_addn(&agreed, s, n);
	}
}

/* The session's log and run directory, and those of an agent's caller. */
static void
session(const char *path)
{
	struct buf b = {0};
	const char *end;

	place(&kept, path);
	end = path != NULL ? strrchr(path, '.') : NULL;
	if (end != NULL && strcmp(end, ".jsonl") == 0) {
		buf_add(&b, path, (size_t)(end - path));
		buf_puts(&b, ".d");
		place(&kept, buf_cstr(&b));
	}
	buf_free(&b);
}

/* What makes git run programs; all of .git where that is a file. */
static void
git(const char *root)
{
	static const char *const runs[] = {".git/hooks", ".git/config",
	    ".git/config.worktree"};
	static struct buf b;
	struct stat st;
	size_t i;

	file_join(&b, root, ".git");
	if (stat(buf_cstr(&b), &st) < 0)
		return;
	if (!S_ISDIR(st.st_mode))
		below(&kept, root, ".git");
	for (i = 0; S_ISDIR(st.st_mode) && i < 3; i++) {
		file_join(&b, root, runs[i]);
		if (i == 0 || access(buf_cstr(&b), F_OK) == 0)
			below(&kept, root, runs[i]);
	}
}

const char *
roots_within(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (n == 1)
		return path + 1;
	if (strncmp(path, dir, n) != 0)
		return NULL;
	return path[n] == '/' ? path + n + 1 : path[n] == '\0' ? "" : NULL;
}

static int
beneath(const struct strs *l, const char *path)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (roots_within(path, l->v[i]) != NULL)
			return 1;
	return 0;
}

static void
load(void)
{
	static int loaded;
	const struct strs *share = path_dirs();
	const char *run = env_get("TURNPIPE_RUN");
	size_t i;

	if (loaded)
		return;
	loaded = 1;
	place(&writable, path_root());
	listed(&writable, "toolrun.roots");
	for (i = 0; i < writable.n; i++)
		strs_add(&readable, writable.v[i]);
	place(&readable, run);
	place(&readable, "/usr/include");
	place(&readable, "/usr/share");
	skills();
	listed(&hidden, "toolrun.hide");
	for (i = 0; i < share->n; i++) {
		below(&hidden, share->v[i], "keys");
		place(&kept, share->v[i]);
	}
	if (path_ishome() || env_get("XDG_STATE_HOME") != NULL)
		place(&kept, path_state());
	if (path_ishome() || env_get("XDG_DATA_HOME") != NULL)
		place(&kept, path_data());
	if (path_ishome() || env_get("XDG_CACHE_HOME") != NULL)
		place(&kept, path_cache());
	place(&kept, run);
	session(env_get("TURNPIPE_SESSION"));
	session(env_get("TURNPIPE_PARENT"));
	for (i = 0; i < writable.n; i++)
		git(writable.v[i]);
	if (run != NULL) {
		below(&plan, run, "plan.md");
		below(&tree, run, "tree");
	}
	if (!beneath(&tree, path_root()))
		strs_reset(&tree);
	agreements();
}

/* Is one of the path's names .git, however a file system may spell it? */
static int
repository(const char *path)
{
	size_t n;

	for (; *path != '\0'; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (n == 4 && strncasecmp(path, ".git", 4) == 0)
			return 1;
	}
	return 0;
}

static int
secret(const char *path)
{
	const char *s;
	char *name;
	size_t i, n;
	int r = beneath(&hidden, path);

	for (s = path; !r && names.n > 0 && *s != '\0';
	     s += n + (s[n] == '/')) {
		n = strcspn(s, "/");
		name = xstrndup(s, n);
		for (i = 0; !r && i < names.n; i++)
			r = n > 0 && match_name(names.v[i], name);
		free(name);
	}
	return r;
}

/* Is it never written by a file tool?  Of a .git that is all, at any depth. */
static int
ours(const char *path)
{
	return repository(path)
	    || (strs_find(&plan, path) < 0 && beneath(&kept, path)
		&& !beneath(&tree, path));
}

static struct stat sought;

static int
is_sought(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)at;
	return what == FTW_F && st->st_ino == sought.st_ino
	    && st->st_dev == sought.st_dev && secret(path);
}

/* Has the file a hidden name in one of these places, on its file system? */
static int
has_hidden_name(const struct stat *file, const struct strs *places)
{
	struct stat st;
	size_t i;
	int r = 0;

	sought = *file;
	for (i = 0; r == 0 && i < places->n; i++)
		if (lstat(places->v[i], &st) == 0 && st.st_dev == file->st_dev)
			r = nftw(places->v[i], is_sought, 16,
			    FTW_PHYS | FTW_MOUNT);
	return r != 0; /* where one cannot be looked through, too */
}

int
roots_foreign(const struct stat *file, const struct stat *dir)
{
	return S_ISREG(file->st_mode) && file->st_nlink > 1
	    && ((file->st_uid != geteuid() && file->st_uid != dir->st_uid)
		|| has_hidden_name(file, &hidden)
		|| (names.n > 0 && has_hidden_name(file, &writable)));
}

/* The same by name, for the question; the file may change yet. */
static int
foreign(const char *path)
{
	struct buf b = {0};
	struct stat dir, file;
	int r;

	file_dir(&b, path);
	r = lstat(path, &file) == 0 && stat(buf_cstr(&b), &dir) == 0
	    && roots_foreign(&file, &dir);
	buf_free(&b);
	return r;
}

enum roots_verdict
roots_judge(struct buf *real, const char *path, int writing,
    const struct strs *own)
{
	struct strs given = {0};
	const struct strs *l = writing ? &writable : &readable;
	const char *s;
	size_t i;
	int r;

	load();
	if (roots_real(real, path) < 0)
		return ROOTS_ERRNO;
	s = buf_cstr(real);
	if (writing && ours(s))
		return ROOTS_KEPT;
	if (beneath(&agreed, s))
		return ROOTS_AGREED;
	if (secret(s))
		return ROOTS_HIDDEN;
	if (foreign(s))
		return ROOTS_FOREIGN;
	for (i = 0; own != NULL && i < own->n; i++)
		place(&given, own->v[i]);
	r = beneath(own != NULL && own->n > 0 ? &given : l, s);
	/* The model is asked for the plan, wherever the run directory lies. */
	if (writing && own == NULL && strs_find(&plan, s) >= 0)
		r = 1;
	strs_free(&given);
	return r ? ROOTS_IN : ROOTS_OUT;
}

const struct strs *
roots_writable(void)
{
	load();
	return &writable;
}

const struct strs *
roots_ours(void)
{
	load();
	return &kept;
}

const struct strs *
roots_tree(void)
{
	load();
	return &tree;
}

const struct strs *
roots_hides(void)
{
	load();
	return &hidden;
}

void
roots_hidden(const char *real, struct strs *l)
{
	struct buf b = {0};
	const char *rel;
	size_t i;

	for (i = 0; i < hidden.n; i++) {
		rel = roots_within(hidden.v[i], real);
		/* Agreed to as it is: what is in it may be seen. */
		if (rel == NULL || *rel == '\0'
		    || strs_find(&agreed, hidden.v[i]) >= 0)
			continue;
		buf_reset(&b);
		for (buf_puts(&b, "./"); *rel != '\0'; rel++) {
			if (strchr("*?[\\", *rel) != NULL)
				buf_putc(&b, '\\');
			buf_putc(&b, *rel);
		}
		strs_once(l, buf_cstr(&b));
	}
	for (i = 0; i < names.n; i++)
		strs_once(l, names.v[i]);
	buf_free(&b);
}

const char *
roots_why(enum roots_verdict v)
{
	switch (v) {
	case ROOTS_OUT:
		return "outside of the work tree";
	case ROOTS_HIDDEN:
		return "hidden by toolrun.hide";
	case ROOTS_FOREIGN:
		return "a hard link to a file of another owner, or to a hidden one";
	case ROOTS_KEPT:
		return "never written by a file tool";
	default:
		return NULL;
	}
}
