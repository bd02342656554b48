#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "capture.h"
#include "diag.h"
#include "file.h"
#include "fileshape.h"
#include "match.h"
#include "path.h"
#include "projectkind.h"

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
static struct look *looks;
static size_t nlooks, caplooks;

/* The content of the table; 0 if there is none. */
static const struct json *
load(void)
{
	const struct json *j = table_read(&table, "markers.yaml", "markers");

	return j->ntok > 0 ? j : NULL;
}

/* What there is at base/name, looked at once: all of a directory, or a file. */
static const struct look *
look_at(const char *base, const char *name, size_t n, int isdir)
{
	static struct buf path;
	const struct dirent *e;
	struct look *l;
	size_t i;
	DIR *d;

	file_join(&path, base, "");
	buf_add(&path, name, n);
	for (i = 0; i < nlooks; i++)
		if (strcmp(looks[i].path, buf_cstr(&path)) == 0)
			return &looks[i];
	grow(&looks, &caplooks, nlooks, sizeof(*looks));
	l = &looks[nlooks++];
	memset(l, 0, sizeof(*l));
	l->path = xstrdup(buf_cstr(&path));
	if (!isdir)
		(void)file_read(l->path, &l->text, MARKER_TEXT);
	else if ((d = opendir(l->path)) != NULL) {
		while (l->names.n < MARKER_NAMES && (e = readdir(d)) != NULL)
			strs_add(&l->names, e->d_name);
		closedir(d);
	}
	return l;
}

/* Is there a file of this name or pattern below base? */
static int
exists(const char *base, const char *pattern)
{
	const char *last = file_name(pattern);
	const struct look *l = look_at(base, pattern, (size_t)(last - pattern), 1);
	size_t i;

	/* As in the shell, a star does not find what is hidden. */
	for (i = 0; i < l->names.n; i++)
		if ((l->names.v[i][0] != '.' || *last == '.')
		    && match_name(last, l->names.v[i]))
			return 1;
	return 0;
}

static int
holds(const char *base, const char *name, const char *text)
{
	const struct look *l = look_at(base, name, strlen(name), 0);
	size_t i, n = strlen(text);

	for (i = 0; i + n <= l->text.n; i++)
		if (memcmp(l->text.p + i, text, n) == 0)
			return 1;
	return 0;
}

/* Does the marker at token i, a name or {name: text}, fit the project? */
static int
fits(const struct json *j, int i)
{
	const char *base = path_root();
	int k = json_kind(j, i) == JSON_OBJECT ? json_first(j, i) : i, r;
	char *name = json_dup(j, k), *text = k == i ? NULL : json_dup(j, k + 1);

	/* The whole, and the part of it that is worked on. */
	do
		r = text != NULL ? holds(base, name, text)
				 : exists(base, name);
	while (!r && base == path_root()
	    && strcmp(base = path_cwd(), path_root()) != 0);
	free(name);
	free(text);
	return r;
}

static void
category(struct strs *l, const struct json *j, int object)
{
	char *name;
	int i, k;

	for (k = json_first(j, object); k >= 0; k = json_next(j, k)) {
		for (i = json_first(j, k + 1); i >= 0; i = json_next(j, i))
			if (fits(j, i))
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
	const struct json *j = load();
	int k, found = name == NULL;

	if (j == NULL)
		return found;
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "toolchain")
		    || (name != NULL && !json_is(j, k, name)))
			continue;
		found = 1;
		category(l, j, k + 1);
	}
	return found;
}

/* Is one of the names in the list at token i among l? */
static int
concerns(const struct strs *l, const struct json *j, int i)
{
	struct strs names = {0};
	size_t k;
	int r = 0;

	(void)json_strs(j, i, &names);
	for (k = 0; k < names.n; k++)
		r |= strs_find(l, names.v[k]) >= 0;
	strs_free(&names);
	return r;
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
say(struct strs *l, const char *name, const struct capture *c)
{
	struct buf b = {0};
	struct span v;

	if (c->state == CAPTURE_GIVENUP)
		warn("%s: did not print its version in time", name);
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
projectkind_versions(struct strs *l, long long ms)
{
	static struct capture *c;
	static size_t cap;
	const struct json *j = load();
	struct strs kinds = {0}, asked = {0}, args = {0};
	size_t i;
	char *name;
	int k;

	if (j == NULL)
		return;
	projectkind_find(&kinds, NULL);
	k = json_first(j, json_get(j, 0, "toolchain"));
	for (; k >= 0; k = json_next(j, k)) {
		if (!concerns(&kinds, j, json_get(j, k + 1, "for"))
		    || (name = json_dup(j, k)) == NULL)
			continue;
		grow(&c, &cap, asked.n, sizeof(*c));
		memset(&c[asked.n], 0, sizeof(*c));
		c[asked.n].isgroup = 1;
		strs_reset(&args);
		(void)json_strs(j, json_get(j, k + 1, "run"), &args);
		(void)capture_start(&c[asked.n], strs_vector(&args), NULL, 1);
		strs_add(&asked, name);
		free(name);
	}
	capture_wait(c, asked.n, ms);
	for (i = 0; i < asked.n; i++) {
		say(l, asked.v[i], &c[i]);
		buf_free(&c[i].out);
	}
	strs_free(&args);
	strs_free(&asked);
	strs_free(&kinds);
}

void
projectkind_reset(void)
{
	for (; nlooks > 0; nlooks--) {
		free(looks[nlooks - 1].path);
		strs_free(&looks[nlooks - 1].names);
		buf_free(&looks[nlooks - 1].text);
	}
}
