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

static enum skillset_say level;
static struct skill_rules rules;
static size_t rank, given; /* the first ones were given by name */
static int shared; /* on the search path now: */
static int aside;  /* among playbooks */
static char *tree; /* links may not leave it; NULL: they may */

void
skillset_tell(enum skillset_say say, const char *fmt, ...)
{
	char what[TELL];
	va_list ap;

	if (say == SKILLSET_QUIET)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (say == SKILLSET_ALWAYS)
		warn("%s", what);
	else
		warnonce(what);
}

static void
report(const char *what, int lost)
{
	skillset_tell(level, "%s%s", what, lost ? "; skipped" : "");
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

/* Of file in dir, or of the file dir if that is NULL. */
static void
tell_keyword(const char *dir, const char *file, const char *key,
    const char *why)
{
	if (why != NULL)
		skillset_tell(level, "%s%s%s: keyword '%s': %s", dir,
		    file != NULL ? "/" : "", file != NULL ? file : "", key,
		    why);
}

/* The keywords of words/NAME.yaml, read once; NULL if there is no such file. */
static const struct strs *
named(const char *name)
{
	static struct list {
		char *name;
		struct strs words;
	} *v;
	static size_t n, cap;
	static struct yamlfile y;
	struct buf b = {0}, rel = {0};
	struct strs raw = {0};
	size_t i;

	for (i = 0; i < n && strcmp(v[i].name, name) != 0; i++)
		;
	if (i < n)
		return &v[i].words;
	buf_printf(&rel, "words/%s.yaml", name);
	if (path_find(&b, buf_cstr(&rel)) < 0) {
		buf_free(&b);
		buf_free(&rel);
		return NULL;
	}
	yamlfile_load(&y, buf_cstr(&b));
	if (json_kind(&y.json, 0) != JSON_ARRAY
	    || json_strs(&y.json, 0, &raw) != 0)
		yamlfile_bad(&y, 0, "expected a list of keywords");
	grow(&v, &cap, n, sizeof(*v));
	memset(&v[n], 0, sizeof(*v));
	v[n].name = xstrdup(name);
	keyword_list(&v[n].words, &raw);
	for (i = 0; i < v[n].words.n; i++)
		tell_keyword(buf_cstr(&b), NULL, v[n].words.v[i],
		    keyword_bad(v[n].words.v[i]));
	strs_free(&raw);
	buf_free(&b);
	buf_free(&rel);
	return &v[n++].words;
}

/* A table words/NAME.tsv that playbooks name among their keywords. */
struct skillset_table {
	struct skillset_table *next;
	char *name;
	struct weigh weigh;
	struct weigh_found found; /* in the text at hand, if done */
	int done, missing;
};

static struct skillset_table *tables;

/* Read once; NULL if there is no such file. */
static struct skillset_table *
table(const char *name)
{
	struct skillset_table *t;
	const char *why;

	for (t = tables; t != NULL && strcmp(t->name, name) != 0; t = t->next)
		;
	if (t == NULL) {
		t = xreallocarray(NULL, 1, sizeof(*t));
		memset(t, 0, sizeof(*t));
		t->name = xstrdup(name);
		t->next = tables;
		tables = t;
		t->missing = weigh_load(&t->weigh, name) < 0;
		if (!t->missing && level == SKILLSET_ALWAYS
		    && (why = weigh_bad(&t->weigh)) != NULL)
			skillset_tell(level, "words/%s.tsv: %s", name, why);
	}
	return t->missing ? NULL : t;
}

static void
add_vetoes(struct skillset_item *it, const struct strs *from)
{
	struct strs own = {0};
	const struct strs *words;
	size_t i, k;

	for (i = 0; i < from->n; i++) {
		if (from->v[i][0] != '@') {
			strs_add(&own, from->v[i]);
			continue;
		}
		words = named(from->v[i] + 1);
		if (words == NULL)
			skillset_tell(level, "%s/%s: vetoes: expected a "
			    "words/%s.yaml", it->dir, it->file,
			    from->v[i] + 1);
		for (k = 0; words != NULL && k < words->n; k++)
			strs_add(&it->vetoes, words->v[k]);
	}
	i = it->vetoes.n;
	keyword_list(&it->vetoes, &own);
	for (; i < it->vetoes.n; i++)
		tell_keyword(it->dir, it->file, it->vetoes.v[i],
		    keyword_bad(it->vetoes.v[i]));
	strs_free(&own);
}

static void
add_keywords(struct skillset_item *it, const struct strs *from)
{
	struct strs own = {0};
	size_t i;

	for (i = 0; i < from->n; i++) {
		if (from->v[i][0] != '@' || from->v[i][1] == '\0')
			strs_add(&own, from->v[i]);
		else if ((it->table = table(from->v[i] + 1)) == NULL)
			skillset_tell(level, "%s/%s: keywords: expected a "
			    "words/%s.tsv", it->dir, it->file,
			    from->v[i] + 1);
	}
	keyword_list(&it->keywords, &own);
	strs_free(&own);
}

static void
add_needs(struct skillset_item *it)
{
	size_t i;

	for (i = 0; i < it->keywords.n; i++)
		tell_keyword(it->dir, it->file, it->keywords.v[i],
		    keyword_need(&it->needs, it->keywords.v[i]));
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
	it->sure = k->sure;
	it->hidden = k->hidden;
	add_keywords(it, &k->keywords);
	add_vetoes(it, &k->vetoes);
	add_needs(it);
	for (i = 0; i < k->tools.n; i++)
		strs_once(&it->tools, k->tools.v[i]);
}

/* Is this the first time that we are here? */
static int
first(DIR *d)
{
	static struct seen *v;
	static size_t n, cap;
	struct stat st;
	size_t i;

	if (fstat(dirfd(d), &st) < 0)
		return 1;
	for (i = 0; i < n; i++)
		if (v[i].dev == st.st_dev && v[i].ino == st.st_ino)
			return 0;
	grow(&v, &cap, n, sizeof(*v));
	v[n].dev = st.st_dev;
	v[n++].ino = st.st_ino;
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
		    level, "%s: expected front matter; skipped", dir);
	}
}

/* Does the path lead out of the tree, which it is in by its name? */
static int
leaves(const char *path)
{
	size_t n = tree != NULL ? strlen(tree) : 0;
	char *real;
	int r;

	if (tree == NULL || (real = realpath(path, NULL)) == NULL)
		return 0;
	r = n > 1 && (strncmp(real, tree, n) != 0
			 || (real[n] != '/' && real[n] != '\0'));
	free(real);
	if (r)
		skillset_tell(level, "%s: a link that leaves the tree; skipped",
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
		if (rank <= given || (errno != ENOENT && errno != ENOTDIR))
			skillset_tell(level, "%s: %s", dir, strerror(errno));
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
	size_t root = strlen(path_root());
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
	strs_free(&dirs);
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

/* A skill put before one of the search path is meant to hide it. */
static void
drop(struct skillset_item *it, const struct skillset_item *winner)
{
	if (level != SKILLSET_QUIET && !(it->shared && winner->shared)
	    && !file_same(it->dir, winner->dir))
		skillset_tell(
		    level, "%s: hidden by %s", it->dir, winner->dir);
	free(it->name);
	free(it->description);
	free(it->dir);
	strs_free(&it->keywords);
	keyword_needs_free(&it->needs);
	strs_free(&it->vetoes);
	strs_free(&it->tools);
}

/* Sort, and keep the first of each name. */
static void
settle(struct skillset *s)
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
skillset_find(struct skillset *s, const struct strs *extra,
    enum skill_mode mode, enum skillset_say say)
{
	const struct strs *share = path_dirs();
	struct strs dirs = {0};
	struct buf b = {0};
	size_t i;

	level = say;
	given = extra->n;
	rules.mode = mode;
	rules.report = report;
	scan_below(s, extra, path_cwd());
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
	settle(s);
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
	size_t lo = 0, hi = s->n, mid;
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

/* How much the table that it names speaks for it: 0, 1 or 2. */
static int
weighed(const struct skillset_item *it, const struct keyword_text *t)
{
	struct skillset_table *w = it->table;

	if (w == NULL)
		return 0;
	if (!w->done)
		weigh_request(&w->weigh, buf_view(&t->text), &w->found);
	w->done = 1;
	return weigh_for(&w->weigh, &w->found, it->name);
}

static int
hit(struct skillset_item *it, const struct keyword_text *t)
{
	int by = visible(it) ? weighed(it, t) : 0;

	it->found = 0;
	if (by == 2)
		it->found = it->sure;
	else if (visible(it))
		it->found = (size_t)by + keyword_count(t, &it->keywords,
		    &it->vetoes, &it->needs, it->sure - (size_t)by);
	return it->found > 0;
}

int
skillset_isplaybook(const struct skillset_item *it)
{
	return it->keywords.n > 0 || it->table != NULL;
}

/* Report what the table found for it, with -v. */
static void
tell_why(const struct skillset_item *it)
{
	static struct buf b;

	if (it->table == NULL || level != SKILLSET_ALWAYS)
		return;
	buf_reset(&b);
	weigh_why(&it->table->weigh, &it->table->found, it->name, &b);
	skillset_tell(level, "playbook %s: %s", it->name, buf_cstr(&b));
}

size_t
skillset_match(
    struct skillset *s, const struct keyword_text *t, size_t *order)
{
	struct skillset_table *w;
	size_t i, k, n = 0;

	for (w = tables; w != NULL; w = w->next)
		w->done = 0;
	for (i = 0; i < s->n; i++) {
		if (!hit(&s->v[i], t))
			continue;
		tell_why(&s->v[i]);
		/* After all of the same priority. */
		for (k = n++; k > 0
		     && s->v[order[k - 1]].priority < s->v[i].priority; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return n;
}
