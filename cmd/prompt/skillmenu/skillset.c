#define _XOPEN_SOURCE 700 /* realpath */

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "file.h"
#include "nfc.h"
#include "path.h"
#include "plugin.h"
#include "settings.h"
#include "skillset.h"
#include "warnonce.h"
#include "yamlfile.h"

enum { TELL = 3900 }; /* as much as warn shows */

/* A directory that was looked at: links lead to one more than once. */
struct seen {
	dev_t dev;
	ino_t ino;
};

static int silent;
static struct skill_rules rules;
static size_t rank;
static int shared; /* on the search path now: */
static int aside;  /* among playbooks */
static char *tree; /* links may not leave it; NULL: they may */
static struct seen *seen;
static size_t nseen, capseen;

void
skillset_tell(int quiet, const char *fmt, ...)
{
	char what[TELL];
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	warnonce(what);
}

static void
report(const char *what, int lost)
{
	skillset_tell(silent, "%s%s", what, lost ? "; skipped" : "");
}

static struct skillset_item *
item(struct skillset *s, const char *dir)
{
	struct skillset_item *it;

	grow(&s->v, &s->cap, s->n, sizeof(*s->v));
	it = &s->v[s->n++];
	memset(it, 0, sizeof(*it));
	it->dir = xstrdup(dir);
	it->rank = rank;
	it->aside = aside;
	it->shared = shared;
	return it;
}

static void
tell_keyword(const struct skillset_item *it, const char *key, const char *why)
{
	if (why != NULL)
		skillset_tell(silent, "%s/%s: keyword '%s': %s", it->dir,
		    it->file, key, why);
}

/* Take a list in the form of the matcher; report what cannot match. */
static void
add_words(const struct skillset_item *it, struct strs *l,
    const struct strs *from)
{
	size_t i;

	keyword_list(l, from);
	for (i = 0; i < l->n; i++)
		tell_keyword(it, l->v[i], keyword_bad(l->v[i]));
}

static void
add(struct skillset *s, struct skill *k, const char *dir)
{
	struct skillset_item *it = item(s, dir);
	size_t i;

	it->name = k->name;
	it->description = k->description;
	k->name = k->description = NULL;
	it->file = k->file;
	it->priority = k->priority;
	it->hidden = k->hidden;
	add_words(it, &it->keywords, &k->keywords);
	add_words(it, &it->vetoes, &k->vetoes);
	for (i = 0; i < k->tools.n; i++)
		strs_once(&it->tools, k->tools.v[i]);
	for (i = 0; i < k->allowed.n; i++)
		strs_once(&it->allowed, k->allowed.v[i]);
}

/* Is this the first time that we are here? */
static int
first(DIR *d)
{
	struct stat st;
	size_t i;

	if (fstat(dirfd(d), &st) < 0)
		return 1;
	for (i = 0; i < nseen; i++)
		if (seen[i].dev == st.st_dev && seen[i].ino == st.st_ino)
			return 0;
	grow(&seen, &capseen, nseen, sizeof(*seen));
	seen[nseen].dev = st.st_dev;
	seen[nseen++].ino = st.st_ino;
	return 1;
}

/* No skill is called so, however often it is there. */
static int
ignored(const char *name)
{
	return name[0] == '.' || strcmp(name, "node_modules") == 0;
}

static void
read_names(struct strs *l, DIR *d)
{
	struct dirent *e;

	strs_reset(l);
	while ((e = readdir(d)) != NULL)
		if (!ignored(e->d_name))
			strs_add(l, e->d_name);
	strs_sort(l);
}

/* A skill of which there is an empty file only. */
static void
add_empty(struct skillset *s, const char *dir)
{
	struct skillset_item *it;

	if (shared) {
		it = item(s, dir);
		it->off = 1;
		it->name = xstrdup(file_name(dir));
	} else {
		skillset_tell(
		    silent, "%s: expected front matter; skipped", dir);
	}
}

/* May the path lead out of the tree, which it is in by its name? */
static int
leaves(const char *path)
{
	size_t n = tree != NULL ? strlen(tree) : 0;
	char *real;
	int r;

	if (tree == NULL)
		return 0;
	real = realpath(path, NULL);
	if (real == NULL && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (real == NULL) {
		skillset_tell(silent, "%s: %s; skipped", path, strerror(errno));
		return 1;
	}
	r = n > 1 && (strncmp(real, tree, n) != 0
			 || (real[n] != '/' && real[n] != '\0'));
	free(real);
	if (r)
		skillset_tell(silent, "%s: a link that leaves the tree; skipped",
		    path);
	return r;
}

/* The same of what only links can lead out: a skill, or its text. */
static int
link_leaves(const char *path)
{
	struct stat st;

	return tree != NULL && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)
	    && leaves(path);
}

static int
skill_leaves(const char *dir)
{
	static struct buf b;
	int r;

	if (tree == NULL)
		return 0;
	file_join(&b, dir, "SKILL.md");
	r = link_leaves(dir) || link_leaves(buf_cstr(&b));
	file_join(&b, dir, "skill.md");
	return r || link_leaves(buf_cstr(&b));
}

/*
 * Take in each directory of skills below one.  On the search path an
 * empty file switches off those of its name that come later.
 */
static void
scan(struct skillset *s, const char *dir)
{
	static struct skill k;
	static struct strs names;
	static struct buf path;
	enum skill_result r;
	size_t i, n;
	DIR *d;

	rank++;
	if (leaves(dir))
		return;
	d = opendir(dir);
	if (d == NULL) {
		if (errno != ENOENT && errno != ENOTDIR)
			skillset_tell(silent, "%s: %s", dir, strerror(errno));
		return;
	}
	strs_reset(&names);
	if (first(d))
		read_names(&names, d);
	buf_reset(&path);
	buf_puts(&path, dir);
	buf_putc(&path, '/');
	for (n = path.n, i = 0; i < names.n; i++) {
		path.n = n;
		buf_puts(&path, names.v[i]);
		if (skill_leaves(buf_cstr(&path)))
			continue;
		r = skill_read(&k, dirfd(d), buf_cstr(&path), &rules);
		if (r == SKILL_OK)
			add(s, &k, path.p);
		else if (r == SKILL_EMPTY)
			add_empty(s, path.p);
	}
	closedir(d);
}

/* Below a place each of the directories of a list; "~/" is the home. */
static void
scan_below(struct skillset *s, const struct strs *dirs, const char *place)
{
	static struct buf b;
	const char *dir;
	size_t i;

	for (i = 0; i < dirs->n; i++) {
		dir = dirs->v[i];
		buf_reset(&b);
		if (dir[0] == '~' && dir[1] == '/') {
			buf_printf(&b, "%s/", path_home());
			dir += 2;
		} else if (dir[0] != '/') {
			buf_printf(&b, "%s/", place);
		}
		buf_puts(&b, dir);
		while (b.n > 1 && b.p[b.n - 1] == '/')
			b.n--;
		scan(s, buf_cstr(&b));
	}
}

/* From the working directory up to the work tree's root: nearest first. */
static void
scan_project(struct skillset *s)
{
	struct strs dirs = {0};
	struct buf b = {0};
	size_t root = strlen(path_root()), i;
	char *dir = xstrdup(path_cwd()), *slash;

	settings_strs("skillmenu.project", &dirs);
	if (settings_bool("skillmenu.refuse_outside"))
		tree = realpath(path_root(), NULL);
	for (;;) {
		scan_below(s, &dirs, dir);
		slash = strrchr(dir, '/');
		if (strlen(dir) <= root || slash == NULL)
			break;
		*slash = '\0';
	}
	strs_reset(&dirs);
	plugin_dirs(&dirs);
	for (i = 0; i < dirs.n; i++) {
		file_join(&b, dirs.v[i], "skills");
		scan(s, buf_cstr(&b));
	}
	strs_free(&dirs);
	buf_free(&b);
	free(dir);
	free(tree);
	tree = NULL;
}

static int
compare(const void *a, const void *b)
{
	const struct skillset_item *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r == 0)
		r = (x->rank > y->rank) - (x->rank < y->rank);
	return r != 0 ? r : strcmp(x->dir, y->dir);
}

static void
item_free(struct skillset_item *it)
{
	free(it->name);
	free(it->description);
	free(it->dir);
	strs_free(&it->keywords);
	strs_free(&it->vetoes);
	strs_free(&it->tools);
	strs_free(&it->allowed);
}

/* A skill put before one of the search path is meant to hide it. */
static void
drop(struct skillset_item *it, const struct skillset_item *winner)
{
	if (!silent && !(it->shared && winner->shared)
	    && !file_same(it->dir, winner->dir))
		skillset_tell(
		    silent, "%s: hidden by %s", it->dir, winner->dir);
	item_free(it);
}

/* Sort, and keep the first of each name. */
static void
keep_first(struct skillset *s)
{
	size_t i, n = 0;

	for (i = 1; i < s->n && compare(&s->v[i - 1], &s->v[i]) < 0; i++)
		;
	if (i < s->n)
		qsort(s->v, s->n, sizeof(*s->v), compare);
	for (i = 0; i < s->n; i++) {
		if (n > 0 && strcmp(s->v[i].name, s->v[n - 1].name) == 0)
			drop(&s->v[i], &s->v[n - 1]);
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

void
skillset_find(struct skillset *s, int quiet)
{
	const struct strs *share = path_dirs();
	struct strs dirs = {0};
	struct buf b = {0};
	size_t i;

	for (i = 0; i < s->n; i++)
		item_free(&s->v[i]);
	s->n = rank = nseen = 0;
	shared = aside = 0;
	silent = quiet;
	rules.report = report;
	scan_project(s);
	settings_strs("skillmenu.home", &dirs);
	if (path_ishome()) /* without one it can still run */
		scan_below(s, &dirs, path_home());
	strs_reset(&dirs);
	settings_strs("skillmenu.dirs", &dirs);
	scan_below(s, &dirs, path_cwd());
	shared = 1;
	for (i = 0; i < 2 * share->n; i++) {
		aside = i % 2;
		buf_reset(&b);
		buf_printf(&b, "%s/%s", share->v[i / 2],
		    aside ? "playbooks" : "skills");
		scan(s, buf_cstr(&b));
	}
	keep_first(s);
	strs_free(&dirs);
	buf_free(&b);
}

static int
visible(const struct skillset_item *it)
{
	return !it->hidden && !it->off;
}

/* Where names differ from directories, people take the one for the other. */
static const struct skillset_item *
by_directory(const struct skillset *s, const char *name)
{
	const struct skillset_item *found = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!visible(&s->v[i])
		    || strcmp(file_name(s->v[i].dir), name) != 0)
			continue;
		if (found != NULL)
			return NULL;
		found = &s->v[i];
	}
	return found;
}

const struct skillset_item *
skillset_get(const struct skillset *s, const char *name)
{
	struct buf b = {0};
	size_t lo = 0, hi = s->n, mid = 0;
	int r;

	nfc_text(&b, name, strlen(name));
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		r = strcmp(s->v[mid].name, buf_cstr(&b));
		if (r == 0)
			break;
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	buf_free(&b);
	if (lo == hi)
		return by_directory(s, name);
	return visible(&s->v[mid]) ? &s->v[mid] : NULL;
}

int
skillset_isplaybook(const struct skillset_item *it)
{
	return it->keywords.n > 0;
}

size_t
skillset_match(const struct skillset *s, const struct keyword_text *t,
    int all, size_t *order)
{
	const struct skillset_item *it;
	size_t i, k, n = 0;

	for (i = 0; i < s->n; i++) {
		it = &s->v[i];
		if (!visible(it) || (it->aside && !all)
		    || !keyword_any(t, &it->keywords, &it->vetoes))
			continue;
		/* After all of the same priority. */
		for (k = n++; k > 0
		     && s->v[order[k - 1]].priority < it->priority; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return n;
}
