#include <stdlib.h>
#include <string.h>

#include "cond.h"
#include "diag.h"
#include "fileshape.h"
#include "layout.h"
#include "markup.h"
#include "path.h"
#include "toolgroup.h"
#include "yamlfile.h"

enum kind { STR, NUM, INT, BOOL, WORD };

/* How one key of a mapping is read into a struct. */
struct key {
	const char *name;
	enum kind kind;
	size_t at;
	const char *const *words; /* the index of one of these */
};

static const char *const engines[] = {"reserve", "ivy", NULL};
static const char *const wheres[] = {
    "", "system", "trailing", "message", NULL};
static const char *const ends[] = {"first", "last", NULL};

#define AT(f) offsetof(struct place, f)
static const struct key place_keys[] = {
    {"tag", STR, AT(tag), NULL},
    {"attr", STR, AT(attr), NULL},
    {"heading", STR, AT(heading), NULL},
    {"wrap", STR, AT(wrap), NULL},
    {"joiner", STR, AT(joiner), NULL},
    {"before", STR, AT(before), NULL},
    {"role", STR, AT(role), NULL},
    {"file", STR, AT(file), NULL},
    {"unless", STR, AT(unless), NULL},
    {"priority", NUM, AT(priority), NULL},
    {"weight", NUM, AT(weight), NULL},
    {"reserve", INT, AT(reserve), NULL},
    {"phase", WORD, AT(phase), phase_names},
    {"sticky", BOOL, AT(sticky), NULL},
    {"order", BOOL, AT(order), NULL},
    {"prefer", WORD, AT(last), ends},
    {"place", WORD, AT(where), wheres},
    {NULL, STR, 0, NULL}};
#undef AT

#define AT(f) offsetof(struct layout, f)
static const struct key layout_keys[] = {
    {"engine", WORD, AT(engine), engines},
    {"budget", INT, AT(budget), NULL},
    {"joiner", STR, AT(joiner), NULL},
    {"volatile", WORD, AT(dflt), wheres},
    {NULL, STR, 0, NULL}};
#undef AT

static struct yamlfile yml;

static _Noreturn void
bad(int i, const char *why)
{
	yamlfile_bad(&yml, i, why);
}

static int
word(int i, const char *const *words)
{
	int k = 0;

	while (words[k] != NULL && !json_is(&yml.json, i, words[k]))
		k++;
	return k;
}

/* Read the value of key token k into the struct, if that has such a key. */
static void
read_value(int k, const struct key *key, void *to)
{
	char **s;

	while (key->name != NULL && !json_is(&yml.json, k, key->name))
		key++;
	to = (char *)to + key->at;
	if (key->name == NULL)
		return;
	switch (key->kind) {
	case STR:
		s = to;
		free(*s);
		*s = json_dup(&yml.json, k + 1);
		break;
	case NUM:
		json_num(&yml.json, k + 1, to);
		break;
	case INT:
		json_int(&yml.json, k + 1, to);
		break;
	case BOOL:
		*(int *)to = json_true(&yml.json, k + 1);
		break;
	case WORD:
		*(int *)to = word(k + 1, key->words);
		break;
	}
}

static void
place_init(struct place *p)
{
	memset(p, 0, sizeof(*p));
	p->phase = PHASE_TASK;
	p->priority = 50;
	p->weight = 1;
	p->group = -1;
	p->when = -1;
}

static void
check_tag(const struct place *p, int i)
{
	if (p->attr != NULL && !markup_isname(p->attr, strcspn(p->attr, "=")))
		bad(i, "expected NAME or NAME=FIELD as attr");
	if (p->tag != NULL && *p->tag != '\0'
	    && !markup_isname(p->tag, strlen(p->tag)))
		bad(i, "expected a name as tag");
}

/* A mapping that is one place: trailing and rest. */
static void
alone(struct place *p, int i)
{
	const struct json *j = &yml.json;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		read_value(k, place_keys, p);
	check_tag(p, i);
}

static int
count_tools(const char *text, void *names)
{
	return toolgroup_count(text, names);
}

/* A fault is reported when the layout is read, whatever is on offer. */
static void
check_when(int i)
{
	struct strs none = {NULL, 0, 0};
	int at;

	if (cond_holds(&yml.json, i, count_tools, &none, &at) < 0)
		bad(at, "expected a condition over tool names");
}

static void places(struct layout *l, int i, int group);

static void
place(struct layout *l, int i, int group)
{
	const struct json *j = &yml.json;
	static struct buf path;
	struct place *p;
	int k, inner = -1;
	int index = (int)l->n;

	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	p = &l->v[l->n++];
	place_init(p);
	p->group = group;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "id")) {
			p->id = json_dup(j, k + 1);
		} else if (json_is(j, k, "when")) {
			p->when = k + 1;
			check_when(p->when);
		} else if (json_is(j, k, "sections")) {
			inner = k + 1;
		} else {
			read_value(k, place_keys, p);
		}
	}
	if ((p->id == NULL) == (inner < 0))
		bad(i, "expected either id or sections");
	if (p->id == NULL && p->file != NULL)
		bad(i, "expected an id for the file's text");
	if (p->file != NULL && path_find(&path, p->file) == -2)
		bad(i, "expected a file of the search path");
	check_tag(p, i);
	if (inner >= 0)
		places(l, inner, index);
}

static void
places(struct layout *l, int i, int group)
{
	const struct json *j = &yml.json;
	size_t a;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		place(l, k, group);
		for (a = 0; a + 1 < l->n; a++)
			if (l->v[l->n - 1].id != NULL && l->v[a].id != NULL
			    && strcmp(l->v[a].id, l->v[l->n - 1].id) == 0)
				bad(k, "expected no section twice");
	}
}

static void
reserves(struct layout *l, int i)
{
	const struct json *j = &yml.json;
	long long v;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		v = 0;
		json_int(j, k + 1, &v);
		l->reserve[word(k, phase_names)] = (size_t)v;
	}
}

static void
layout_key(struct layout *l, int k)
{
	const struct json *j = &yml.json;

	if (json_is(j, k, "sections"))
		places(l, k + 1, -1);
	else if (json_is(j, k, "trailing"))
		alone(&l->trailing, k + 1);
	else if (json_is(j, k, "rest"))
		alone(&l->rest, k + 1);
	else if (json_is(j, k, "reserve"))
		reserves(l, k + 1);
	else if (json_is(j, k, "ignore"))
		json_strs(j, k + 1, &l->ignore);
	else if (json_is(j, k, "escape"))
		json_strs(j, k + 1, &l->escape);
	else
		read_value(k, layout_keys, l);
}

static void
find_file(struct buf *path, const char *name)
{
	static struct buf rel;

	buf_reset(&rel);
	buf_printf(&rel, "layouts/%s.yaml", name);
	if (strchr(name, '/') != NULL)
		buf_puts(path, name);
	else if (path_find(path, buf_cstr(&rel)) < 0)
		die(EX_NOINPUT, "no layout '%s' in the search path", name);
}

void
layout_load(struct layout *l, const char *name)
{
	static struct buf path;
	const struct json *j = &yml.json;
	size_t i;
	int k;

	buf_reset(&path);
	find_file(&path, name);
	yamlfile_load(&yml, buf_cstr(&path));
	fileshape_check(&yml, "layout");
	l->name = xstrdup(name);
	l->joiner = xstrdup("\n\n");
	l->budget = 16384;
	l->dflt = WHERE_TRAILING;
	place_init(&l->rest);
	place_init(&l->trailing);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		layout_key(l, k);
	for (i = 0; l->engine == ENGINE_IVY && i < l->n; i++)
		if (l->v[i].group >= 0)
			bad(json_get(j, 0, "sections"),
			    "expected no groups with the engine ivy");
}

size_t
layout_kind(const char *id)
{
	return strcspn(id, ":");
}

/* Is name this id (2), its kind (1), or neither (0)? */
static int
fits(const char *name, const char *id)
{
	size_t n = layout_kind(id);

	if (strcmp(name, id) == 0)
		return 2;
	return strlen(name) == n && strncmp(name, id, n) == 0;
}

int
layout_find(const struct layout *l, const char *id)
{
	size_t i;
	int r, found = -1;

	for (i = 0; i < l->n; i++) {
		if (l->v[i].id == NULL)
			continue;
		r = fits(l->v[i].id, id);
		if (r == 2)
			return (int)i;
		if (r == 1)
			found = (int)i;
	}
	return found;
}

int
layout_when(const struct layout *l, const struct place *p,
    const struct strs *tools)
{
	int at;

	/* The names are only read. */
	return cond_holds(&yml.json, p->when, count_tools, (void *)tools, &at)
	    && (p->group < 0 || layout_when(l, &l->v[p->group], tools));
}

int
layout_ignores(const struct layout *l, const char *id)
{
	size_t i;

	for (i = 0; i < l->ignore.n; i++)
		if (fits(l->ignore.v[i], id))
			return 1;
	return 0;
}
