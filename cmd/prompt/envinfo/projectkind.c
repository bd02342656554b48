#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "capture.h"
#include "file.h"
#include "fileshape.h"
#include "path.h"
#include "projectkind.h"
#include "wild.h"
#include "yamlfile.h"

enum {
	MARKER_TEXT = 1 << 18,	/* bytes of a file that is searched */
	MARKER_NAMES = 10000	/* of one directory that are looked at */
};

/* A directory's names, or a file's text. */
struct look {
	char *path;
	struct strs names;
	struct buf text;
};

static struct table table;
static struct look *dirs, *texts;
static size_t ndirs, capdirs, ntexts, captexts;

static _Noreturn void
bad(int i, const char *why)
{
	yamlfile_bad(&table.yml, i, why);
}

/* 0 if there is no table. */
static int
load(void)
{
	const struct json *j = table_read(&table, "markers.yaml", NULL);

	if (j->ntok > 0 && json_kind(j, 0) != JSON_OBJECT)
		bad(0, "expected a mapping of categories");
	return j->ntok > 0;
}

/* Owned by us, good until the next call. */
static const char *
full(const char *base, const char *name, size_t n)
{
	static struct buf b;

	buf_reset(&b);
	buf_puts(&b, base);
	if (b.n > 0 && b.p[b.n - 1] != '/')
		buf_putc(&b, '/');
	buf_add(&b, name, n);
	return buf_cstr(&b);
}

/* The entry for path among *v; a new one has only that. */
static struct look *
entry(struct look **v, size_t *n, size_t *cap, const char *path, int *isnew)
{
	size_t i;

	*isnew = 0;
	for (i = 0; i < *n; i++)
		if (strcmp((*v)[i].path, path) == 0)
			return &(*v)[i];
	grow(v, cap, *n, sizeof(**v));
	memset(&(*v)[*n], 0, sizeof(**v));
	(*v)[*n].path = xstrdup(path);
	*isnew = 1;
	return &(*v)[(*n)++];
}

static const struct strs *
names(const char *dir)
{
	const struct dirent *e;
	struct look *l;
	int isnew;
	DIR *d;

	l = entry(&dirs, &ndirs, &capdirs, dir, &isnew);
	if (isnew && (d = opendir(dir)) != NULL) {
		while (l->names.n < MARKER_NAMES && (e = readdir(d)) != NULL)
			strs_add(&l->names, e->d_name);
		closedir(d);
	}
	return &l->names;
}

/* Is there a file of this name or pattern below base? */
static int
exists(const char *base, const char *pattern)
{
	const char *last = file_name(pattern);
	const struct strs *l;
	size_t i, n;
	int r = 0;

	l = names(full(base, pattern, (size_t)(last - pattern)));
	n = strlen(last);
	if (!wild_is(last))
		return strs_find(l, last) >= 0;
	/* As in the shell, a star does not find what is hidden. */
	for (i = 0; i < l->n && !r; i++)
		r = (l->v[i][0] != '.' || *last == '.')
		    && wild_match(last, n, l->v[i], strlen(l->v[i]));
	return r;
}

static int
holds(const char *base, const char *name, const char *text)
{
	const char *path = full(base, name, strlen(name));
	struct look *l;
	size_t i, n = strlen(text);
	int isnew;

	l = entry(&texts, &ntexts, &captexts, path, &isnew);
	if (isnew)
		(void)file_read(path, &l->text, MARKER_TEXT);
	for (i = 0; i + n <= l->text.n; i++)
		if (memcmp(l->text.p + i, text, n) == 0)
			return 1;
	return 0;
}

/* Does the marker at token i, a name or {name: text}, fit the project? */
static int
fits(int i)
{
	const struct json *j = &table.yml.json;
	const char *base;
	char *name, *text = NULL;
	int k = json_kind(j, i) == JSON_OBJECT ? json_first(j, i) : i, r = 0;

	name = json_dup(j, k);
	if (k != i && k >= 0)
		text = json_dup(j, k + 1);
	if (name == NULL || (k != i && (text == NULL || json_count(j, i) != 1)))
		bad(i, "expected NAME or {NAME: TEXT}");
	/* The whole, and the part of it that is worked on. */
	for (base = path_root(); base != NULL && !r;
	    base = base == path_root() && strcmp(base, path_cwd()) != 0
		? path_cwd() : NULL)
		r = text != NULL ? holds(base, name, text)
				 : exists(base, name);
	free(name);
	free(text);
	return r;
}

static void
category(struct strs *l, int object)
{
	const struct json *j = &table.yml.json;
	char *name;
	int i, k;

	if (json_kind(j, object) != JSON_OBJECT)
		bad(object, "expected a mapping of names");
	for (k = json_first(j, object); k >= 0; k = json_next(j, k)) {
		if (json_kind(j, k + 1) != JSON_ARRAY)
			bad(k + 1, "expected a list of markers");
		for (i = json_first(j, k + 1); i >= 0; i = json_next(j, i))
			if (fits(i))
				break;
		if (i < 0 || (name = json_dup(j, k)) == NULL)
			continue;
		strs_once(l, name);
		free(name);
	}
}

int
projectkind_find(struct strs *l, const char *name)
{
	const struct json *j = &table.yml.json;
	int k, found = name == NULL;

	if (!load())
		return found;
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "toolchain")
		    || (name != NULL && !json_is(j, k, name)))
			continue;
		found = 1;
		category(l, k + 1);
	}
	return found;
}

/* Is one of the names in the list at token i among l? */
static int
concerns(const struct strs *l, int i)
{
	struct strs names_for = {0};
	size_t k;
	int r = 0;

	if (json_strs(&table.yml.json, i, &names_for) != 0)
		bad(i, "expected a list of names");
	for (k = 0; k < names_for.n; k++)
		r |= strs_find(l, names_for.v[k]) >= 0;
	strs_free(&names_for);
	return r;
}

static void
start(struct capture *c, int i)
{
	struct strs args = {0};

	if (json_strs(&table.yml.json, i, &args) != 0 || args.n == 0)
		bad(i, "expected a command");
	c->isgroup = 1;
	(void)capture_start(c, strs_vector(&args), NULL, 1);
	strs_free(&args);
}

/* The first run of digits and dots with both in it, from the first line. */
static struct span
version(const struct buf *b)
{
	struct span v = {NULL, 0};
	size_t i, k;

	for (i = 0; i < b->n && b->p[i] != '\n'; i = k + 1) {
		for (k = i; k < b->n; k++)
			if (!isdigit((unsigned char)b->p[k])
			    && (k == i || b->p[k] != '.'))
				break;
		if (k > i && memchr(b->p + i, '.', k - i) != NULL) {
			v.p = b->p + i;
			v.n = k - i - (b->p[k - 1] == '.');
			break;
		}
	}
	return v;
}

static void
say(struct strs *l, struct strs *late, const char *name,
    const struct capture *c)
{
	struct buf b = {0};
	struct span v;

	if (c->state == CAPTURE_GIVENUP)
		strs_add(late, name);
	if (c->state != CAPTURE_DONE || !WIFEXITED(c->status)
	    || WEXITSTATUS(c->status) != 0)
		return;
	v = version(&c->out);
	if (v.n == 0)
		return;
	buf_printf(&b, "%s ", name);
	buf_span(&b, v);
	strs_add(l, buf_cstr(&b));
	buf_free(&b);
}

void
projectkind_versions(struct strs *l, struct strs *late, long long ms)
{
	static struct capture *c;
	static size_t cap;
	const struct json *j = &table.yml.json;
	struct strs kinds = {0}, asked = {0};
	size_t i;
	char *name;
	int k, top;

	if (!load())
		return;
	projectkind_find(&kinds, NULL);
	top = json_get(j, 0, "toolchain");
	for (k = json_first(j, top); k >= 0; k = json_next(j, k)) {
		if (!concerns(&kinds, json_get(j, k + 1, "for"))
		    || (name = json_dup(j, k)) == NULL)
			continue;
		grow(&c, &cap, asked.n, sizeof(*c));
		memset(&c[asked.n], 0, sizeof(*c));
		start(&c[asked.n], json_get(j, k + 1, "run"));
		strs_add(&asked, name);
		free(name);
	}
	capture_wait(c, asked.n, ms);
	for (i = 0; i < asked.n; i++) {
		say(l, late, asked.v[i], &c[i]);
		buf_free(&c[i].out);
	}
	strs_free(&asked);
	strs_free(&kinds);
}

static void
forget(struct look *v, size_t *n)
{
	for (; *n > 0; --*n) {
		free(v[*n - 1].path);
		strs_free(&v[*n - 1].names);
		buf_free(&v[*n - 1].text);
	}
}

void
projectkind_reset(void)
{
	forget(dirs, &ndirs);
	forget(texts, &ntexts);
}
