#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "keyword.h"
#include "path.h"
#include "settings.h"
#include "skillset.h"

static enum skillset_say level;
static size_t nlost;

static void
told(const char *file, const char *what, int lost)
{
	nlost += lost != 0;
	if (level == SKILLSET_ALL || (lost && level == SKILLSET_LOST))
		warn("%s: %s%s", file, what, lost ? "; skipped" : "");
}

/* Hash of the name, for a set of 10000 skills. */
static size_t *slots;
static size_t nslots;

static size_t
slot(const struct skillset *s, const char *name)
{
	size_t h = 5381, i;
	const char *p;

	for (p = name; *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	for (i = h & (nslots - 1); slots[i] != 0; i = (i + 1) & (nslots - 1))
		if (strcmp(s->v[slots[i] - 1].name, name) == 0)
			break;
	return i;
}

static void
rehash(const struct skillset *s)
{
	size_t i;

	if (nslots > s->n * 2 + 1)
		return;
	nslots = nslots == 0 ? 256 : nslots * 4;
	free(slots);
	slots = xreallocarray(NULL, nslots, sizeof(*slots));
	memset(slots, 0, nslots * sizeof(*slots));
	for (i = 0; i < s->n; i++)
		slots[slot(s, s->v[i].name)] = i + 1;
}

static void
add(struct skillset *s, struct skill *k)
{
	static struct buf b;
	struct skillset_item *it;
	size_t i, at;

	rehash(s);
	at = slot(s, k->name);
	if (slots[at] != 0) {
		it = &s->v[slots[at] - 1];
		if (level == SKILLSET_ALL && strcmp(it->dir, k->dir) != 0)
			warn("%s: hidden by %s", k->dir, it->dir);
		return;
	}
	grow(&s->v, &s->cap, s->n, sizeof(*s->v));
	it = &s->v[s->n++];
	slots[at] = s->n;
	memset(it, 0, sizeof(*it));
	it->name = xstrdup(k->name);
	it->description = xstrdup(k->description);
	it->dir = xstrdup(k->dir);
	it->priority = k->priority;
	it->hidden = k->hidden;
	for (i = 0; i < k->keywords.n; i++) {
		buf_reset(&b);
		keyword_fold(
		    &b, k->keywords.v[i], strlen(k->keywords.v[i]));
		if (b.n > 0)
			strs_addn(&it->keywords, b.p, b.n);
	}
	for (i = 0; i < k->tools.n; i++)
		if (strs_find(&it->tools, k->tools.v[i]) < 0)
			strs_add(&it->tools, k->tools.v[i]);
}

static void
scan(struct skillset *s, const char *dir, int strict)
{
	static struct skill k;
	static struct strs names;
	static struct buf path;
	struct dirent *e;
	size_t i;
	DIR *d;

	d = opendir(dir);
	if (d == NULL)
		return;
	strs_reset(&names);
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			strs_add(&names, e->d_name);
	closedir(d);
	strs_sort(&names);
	for (i = 0; i < names.n; i++) {
		buf_reset(&path);
		buf_printf(&path, "%s/%s", dir, names.v[i]);
		if (skill_read(&k, buf_cstr(&path), 0, strict, told) == 0)
			add(s, &k);
	}
}

/* Each of the directories of a setting, below a place. */
static void
scan_below(
    struct skillset *s, const char *key, const char *place, int strict)
{
	struct strs dirs = {0};
	struct buf b = {0};
	size_t i;

	settings_strs(key, &dirs);
	for (i = 0; i < dirs.n; i++) {
		buf_reset(&b);
		if (place != NULL && dirs.v[i][0] != '/')
			buf_printf(&b, "%s/", place);
		buf_puts(&b, dirs.v[i]);
		scan(s, buf_cstr(&b), strict);
	}
	strs_reset(&dirs);
	free(dirs.v);
	buf_free(&b);
}

/* From the working directory up to the work tree's root: nearest first. */
static void
scan_project(struct skillset *s, int strict)
{
	const char *root = path_root();
	size_t n = strlen(root);
	char *dir = xstrdup(path_cwd()), *slash;

	for (;;) {
		scan_below(s, "skillmenu.project", dir, strict);
		slash = strrchr(dir, '/');
		if (strlen(dir) <= n || slash == NULL)
			break;
		*slash = '\0';
	}
	free(dir);
}

void
skillset_find(struct skillset *s, const struct strs *extra, int strict,
    enum skillset_say say)
{
	const struct strs *share = path_dirs();
	struct buf b = {0};
	size_t i;

	level = say;
	for (i = 0; i < extra->n; i++)
		scan(s, extra->v[i], strict);
	scan_project(s, strict);
	if (getenv("HOME") != NULL)
		scan_below(s, "skillmenu.home", getenv("HOME"), strict);
	scan_below(s, "skillmenu.dirs", NULL, strict);
	for (i = 0; i < 2 * share->n; i++) {
		buf_reset(&b);
		buf_printf(&b, "%s/%s", share->v[i / 2],
		    i % 2 == 0 ? "skills" : "playbooks");
		scan(s, buf_cstr(&b), strict);
	}
	s->told = nlost;
	buf_free(&b);
}

const struct skillset_item *
skillset_get(const struct skillset *s, const char *name)
{
	size_t at;

	if (s->n == 0)
		return NULL;
	at = slot(s, name);
	return slots[at] == 0 ? NULL : &s->v[slots[at] - 1];
}

static int
hit(const struct skillset_item *it, const struct buf *message)
{
	struct buf key;
	size_t i;

	for (i = 0; i < it->keywords.n; i++) {
		key.p = it->keywords.v[i];
		key.n = key.cap = strlen(key.p);
		if (keyword_in(message, &key))
			return 1;
	}
	return 0;
}

size_t
skillset_match(const struct skillset *s, const struct buf *message,
    size_t *order, size_t max)
{
	size_t i, k, n = 0;

	for (i = 0; max > 0 && i < s->n; i++) {
		if (s->v[i].hidden || !hit(&s->v[i], message))
			continue;
		if (n == max
		    && s->v[order[n - 1]].priority >= s->v[i].priority)
			continue;
		/* Stable: behind all of the same priority. */
		k = n < max ? n++ : n - 1;
		for (; k > 0
		     && s->v[order[k - 1]].priority < s->v[i].priority;
		     k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return n;
}
