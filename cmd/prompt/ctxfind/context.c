#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "context.h"
#include "diag.h"
#include "file.h"
#include "path.h"
#include "utf8.h"

/* Regular files of one directory, in the order of the names. */
struct found {
	struct strs paths;
	struct stat *st;
	size_t cap;
};

static void
report_path(struct context *c, const char *path, const char *what)
{
	struct buf b = {0};

	buf_printf(&b, "%s: %s", path, what);
	strs_add(&c->notes, buf_cstr(&b));
	buf_free(&b);
}

/* Is path dir, or below it? */
static int
below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return 1;
	return strncmp(path, dir, n) == 0
	    && (path[n] == '/' || path[n] == '\0');
}

/* The directories to look in, nearest first. */
static void
walk(struct strs *dirs, enum context_stop stop)
{
	const char *cwd = path_cwd(), *top = cwd;
	char *from = NULL, *to = NULL;
	struct buf b = {0};

	if (stop == CONTEXT_GIT)
		top = path_root();
	else if (stop == CONTEXT_HOME)
		top = path_home();
	else if (stop == CONTEXT_ROOT)
		top = "/";
	/* By the way of the links one may never come past the top. */
	if (!below(cwd, top) && (from = realpath(cwd, NULL)) != NULL
	    && (to = realpath(top, NULL)) != NULL) {
		cwd = from;
		top = below(from, to) ? to : "/";
	}
	strs_add(dirs, cwd);
	while (strcmp(dirs->v[dirs->n - 1], top) != 0
	    && strcmp(dirs->v[dirs->n - 1], "/") != 0) {
		buf_reset(&b);
		file_dir(&b, dirs->v[dirs->n - 1]);
		strs_add(dirs, buf_cstr(&b));
	}
	buf_free(&b);
	free(from);
	free(to);
}

/* A link to nowhere is no file; that it is there may surprise its owner. */
static int
stat_file(struct stat *st, const char *path)
{
	if (lstat(path, st) < 0)
		return -1;
	if (!S_ISLNK(st->st_mode) || stat(path, st) == 0)
		return 0;
	if (errno == ENOENT || errno == ENOTDIR)
		errno = ENXIO;
	return -1;
}

/* It is there and it is the user's to see: nothing goes without it. */
static void
refuse(const char *path)
{
	if (errno == EACCES || errno == EPERM)
		die_sys(EX_NOPERM, "%s", path);
	if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
		die_sys(EX_IOERR, "%s", path);
}

/* 0 if the directory cannot be searched at all. */
static int
try(struct context *c, struct found *f, const char *dir, const char *variant,
    const char *name)
{
	static struct buf path;
	struct stat st;

	buf_reset(&path);
	buf_puts(&path, strcmp(dir, "/") == 0 ? "" : dir);
	if (*variant != '\0')
		buf_printf(&path, "/%s", variant);
	buf_printf(&path, "/%s", name);
	if (stat_file(&st, buf_cstr(&path)) == 0) {
		if (!S_ISREG(st.st_mode)) {
			report_path(c, path.p, file_why(FILE_IRREGULAR));
			return 1;
		}
		grow(&f->st, &f->cap, f->paths.n, sizeof(*f->st));
		f->st[f->paths.n] = st;
		strs_addn(&f->paths, path.p, path.n);
		return 1;
	}
	if (errno == ENXIO) {
		report_path(c, path.p, "a link to nowhere");
	} else if (errno == EACCES && *variant == '\0') {
		report_path(c, dir, strerror(errno));
		return 0;
	} else if (errno == EIO) {
		refuse(buf_cstr(&path));
	} else if (errno != ENOENT && errno != ENOTDIR) {
		report_path(c, path.p, strerror(errno));
	}
	return 1;
}

static void
list(struct context *c, struct found *f, const char *dir,
    const struct context_spec *spec)
{
	size_t i, j;

	strs_reset(&f->paths);
	for (i = 0; i < spec->names.n; i++) {
		if (!try(c, f, dir, "", spec->names.v[i]))
			return;
		for (j = 0; j < spec->variants.n; j++)
			(void)try(c, f, dir, spec->variants.v[j],
			    spec->names.v[i]);
	}
	for (i = 0; i < spec->fallback.n && f->paths.n == 0; i++)
		if (!try(c, f, dir, "", spec->fallback.v[i]))
			return;
	while (spec->oneperdir && f->paths.n > 1)
		free(f->paths.v[--f->paths.n]);
}

/* Also of files that were left out: they are reported once. */
static int
seen(struct context *c, const struct stat *st)
{
	size_t i;

	for (i = 0; i < c->nseen; i++)
		if (c->seen[i].dev == st->st_dev
		    && c->seen[i].ino == st->st_ino)
			return 1;
	grow(&c->seen, &c->capseen, c->nseen, sizeof(*c->seen));
	c->seen[c->nseen].dev = st->st_dev;
	c->seen[c->nseen++].ino = st->st_ino;
	return 0;
}

/* Its bytes as text in b; 0, with a note, if they are not text. */
static int
text(struct context *c, struct buf *b, const char *path, size_t max)
{
	struct buf raw = {0}, why = {0};
	enum file_result res;
	size_t at, skip;

	res = file_read(path, &raw, max);
	if (res == FILE_ERRNO)
		refuse(path);
	if (res == FILE_LARGE) {
		buf_printf(&why, "more than %zu bytes, left out", max);
		report_path(c, path, buf_cstr(&why));
		buf_free(&why);
	} else if (res != FILE_OK) {
		report_path(c, path, file_why(res));
	} else if (raw.n > 0 && memchr(raw.p, '\0', raw.n) != NULL) {
		report_path(c, path, "holds a NUL byte, so it is not text, left out");
		res = FILE_IRREGULAR;
	} else if (raw.n > 0) {
		skip = utf8_bom(raw.p, raw.n);
		at = utf8_check(raw.p, raw.n);
		if (at == raw.n) {
			buf_add(b, raw.p + skip, raw.n - skip);
		} else {
			buf_printf(&why, "byte %zu is not UTF-8, replaced",
			    at + 1);
			report_path(c, path, buf_cstr(&why));
			buf_free(&why);
			utf8_repair(b, raw.p + skip, raw.n - skip);
		}
	}
	buf_free(&raw);
	return res == FILE_OK;
}

/* Blank, or the same as a nearer one? */
static int
useless(const struct context *c, const struct buf *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		if (strchr(" \t\r\n\f\v", b->p[i]) == NULL)
			break;
	if (i == b->n)
		return 1;
	for (i = 0; i < c->n; i++)
		if (c->v[i].text.n == b->n
		    && memcmp(c->v[i].text.p, b->p, b->n) == 0)
			return 1;
	return 0;
}

/* Why path, its links followed, must not be read; NULL if it is below dir. */
static const char *
outside(const char *path, const char *dir)
{
	char *to = realpath(path, NULL);
	char *tree = to == NULL ? NULL : realpath(dir, NULL);
	const char *why = tree == NULL ? strerror(errno)
	    : below(to, tree) ? NULL : "a link that leaves the tree";

	free(to);
	free(tree);
	return why;
}

/* The directory that links in dir must not leave; NULL if they may. */
static const char *
tree_of(const char *dir, const struct context_spec *spec)
{
	if (!spec->inside)
		return NULL;
	return below(dir, path_root()) ? path_root() : dir;
}

static void
add_file(struct context *c, const char *path, const struct stat *st,
    const char *tree, const struct context_spec *spec)
{
	struct buf b = {0}, why = {0};
	const char *reason;

	if (seen(c, st))
		return;
	reason = tree != NULL ? outside(path, tree) : NULL;
	if (reason != NULL) {
		buf_printf(&why, "%s, left out", reason);
		report_path(c, path, buf_cstr(&why));
		buf_free(&why);
		return;
	}
	if (!text(c, &b, path, spec->maxfile) || useless(c, &b)) {
		buf_free(&b);
		return;
	}
	if (b.n > spec->maxtotal - c->total) {
		buf_printf(&why,
		    "%zu bytes do not fit in what nearer files leave of %zu, "
		    "left out", b.n, spec->maxtotal);
		report_path(c, path, buf_cstr(&why));
		buf_free(&why);
		buf_free(&b);
		return;
	}
	c->total += b.n;
	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	c->v[c->n].path = xstrdup(path);
	c->v[c->n++].text = b;
}

static void
reverse(struct context_file *v, size_t n)
{
	struct context_file t;
	size_t i;

	for (i = 0; i < n / 2; i++) {
		t = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* Back to what was found; to nothing if that is not set. */
static void
forget(struct context *c)
{
	for (; c->n > c->found.n; c->n--) {
		free(c->v[c->n - 1].path);
		buf_free(&c->v[c->n - 1].text);
	}
	c->total = c->found.total;
	c->nseen = c->found.nseen;
	strs_reset(&c->notes);
}

/* The first directory past the last level that would have had something. */
static void
beyond(struct context *c, struct found *f, const struct strs *dirs,
    const struct context_spec *spec)
{
	static struct context hush;
	struct buf why = {0};
	size_t i;

	for (i = spec->levels; i < dirs->n; i++) {
		list(&hush, f, dirs->v[i], spec);
		strs_reset(&hush.notes);
		if (f->paths.n == 0)
			continue;
		buf_printf(&why, "more than %zu levels up, left out",
		    spec->levels);
		report_path(c, f->paths.v[0], buf_cstr(&why));
		buf_free(&why);
		return;
	}
}

static int
enough(const struct context *c, const struct context_spec *spec)
{
	return spec->nearest && c->n > 0;
}

static void
take_dir(struct context *c, const char *dir, const struct context_spec *spec)
{
	static struct found f;
	const char *tree = tree_of(dir, spec);
	size_t i, start = c->n;

	list(c, &f, dir, spec);
	for (i = 0; i < f.paths.n && !enough(c, spec); i++)
		add_file(c, f.paths.v[i], &f.st[i], tree, spec);
	/* Turned here and once more with all: as they were listed. */
	reverse(c->v + start, c->n - start);
}

void
context_find(struct context *c, const struct context_spec *spec)
{
	static struct found f;
	static struct strs dirs;
	struct stat st;
	size_t i;

	memset(&c->found, 0, sizeof(c->found));
	forget(c);
	strs_reset(&dirs);
	walk(&dirs, spec->stop);
	for (i = 0; i < dirs.n && i < spec->levels && !enough(c, spec); i++)
		take_dir(c, dirs.v[i], spec);
	if (!enough(c, spec))
		beyond(c, &f, &dirs, spec);
	if (spec->user != NULL && !enough(c, spec)) {
		if (stat(spec->user, &st) == 0)
			add_file(c, spec->user, &st, NULL, spec);
		else if (errno != ENOENT && errno != ENOTDIR)
			report_path(c, spec->user, strerror(errno));
	}
	reverse(c->v, c->n);
	c->found.n = c->n;
	c->found.nseen = c->nseen;
	c->found.total = c->total;
}

/* Add a file's directories below the tree's root, whose real name is root. */
static void
climb(struct strs *dirs, const char *file, const char *root,
    const struct strs *notbelow)
{
	static struct strs way;
	static struct buf b, up;
	size_t i, n, top = strcmp(root, "/") == 0 ? 0 : strlen(root);
	char *dir;

	file_join(&b, *file == '/' ? "" : path_cwd(), file);
	buf_reset(&up);
	file_dir(&up, buf_cstr(&b));
	dir = realpath(buf_cstr(&up), NULL);
	if (dir == NULL)
		return;
	strs_reset(&way);
	for (n = below(dir, root) ? strlen(dir) : 0; n > top;) {
		dir[n] = '\0';
		buf_reset(&b);
		buf_printf(&b, "%s%s", top == 0 ? "" : path_root(), dir + top);
		strs_add(&way, buf_cstr(&b));
		if (strs_find(notbelow, file_name(dir)) >= 0)
			strs_reset(&way);
		while (dir[--n] != '/')
			;
	}
	for (i = 0; i < way.n; i++)
		strs_once(dirs, way.v[i]);
	free(dir);
}

void
context_touched(struct context *c, const struct context_spec *spec,
    const struct strs *files)
{
	static struct strs dirs;
	char *root = realpath(path_root(), NULL);
	size_t i;

	forget(c);
	strs_reset(&dirs);
	for (i = 0; i < files->n && root != NULL; i++)
		climb(&dirs, files->v[i], root, &spec->notbelow);
	free(root);
	/* A directory's name sorts after those that it lies in. */
	strs_sort(&dirs);
	for (i = dirs.n; i > 0; i--)
		take_dir(c, dirs.v[i - 1], spec);
	reverse(c->v + c->found.n, c->n - c->found.n);
}

int
context_project(
    struct buf *b, const struct context_spec *spec, const char **why)
{
	static struct context hush;
	static struct found f;
	static struct strs dirs;
	const char *top, *tree;
	size_t i;

	strs_reset(&dirs);
	walk(&dirs, spec->stop);
	buf_reset(b);
	for (i = 0; i < dirs.n && i < spec->levels; i++) {
		list(&hush, &f, dirs.v[i], spec);
		strs_reset(&hush.notes);
		if (f.paths.n == 0)
			continue;
		buf_puts(b, f.paths.v[0]);
		tree = tree_of(dirs.v[i], spec);
		*why = tree == NULL ? NULL : outside(buf_cstr(b), tree);
		return *why == NULL ? 1 : -1;
	}
	top = spec->stop == CONTEXT_CWD ? path_cwd() : path_root();
	buf_printf(b, "%s/%s", strcmp(top, "/") == 0 ? "" : top,
	    spec->names.v[0]);
	return 0;
}
