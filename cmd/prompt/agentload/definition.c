#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "fileshape.h"
#include "frontmatter.h"
#include "path.h"

enum {
	DEFINITION_MAX = 1 << 20, /* bytes of a file */
	NAME_LONGEST = 100	  /* bytes */
};

/*
 * How the value of a key is taken: a text that looks like a number stays one,
 * several words become one, a list may be a text.  The schema of agents has
 * the keys; those that are not here are copied and are configuration.
 */
static const struct key {
	const char *name;
	enum { COPY, TEXT, WORDS, LIST } how;
	int config;
} keys[] = {
	{ "name", TEXT, 0 },
	{ "description", TEXT, 0 },
	{ "usage_guidelines", TEXT, 0 },
	{ "model", WORDS, 1 },
	{ "reasoning_effort", TEXT, 1 },
	{ "service_tier", TEXT, 1 },
	{ "tools", LIST, 1 },
	{ "tools_deny", LIST, 1 },
	{ "required_tools", LIST, 1 },
	{ "mcp", LIST, 1 },
	{ "agents", LIST, 1 },
	{ "persist", COPY, 0 },
	{ "provider", COPY, 0 },
	{ NULL, COPY, 1 },
};

/* The names that others gave to the same. */
static const struct {
	const char *theirs, *ours;
} aliases[] = {
	{ "agentId", "name" },
	{ "allowedTools", "tools" },
	{ "deniedTools", "tools_deny" },
	{ "maxSteps", "max_steps" },
};

/* Members of costControls; all but the first are those of a spike. */
static const struct {
	const char *theirs, *ours;
} costs[] = {
	{ "hardCapTokensPerHour", "tokens" },
	{ "spikeMultiplier", "factor" },
	{ "shortWindowMinutes", "minutes" },
	{ "minimumBaselineTokens", "known" },
};
enum { COSTS = sizeof(costs) / sizeof(*costs) };

static struct frontmatter front;

static int
bad(struct definition *d, const struct fileshape *s, int i, const char *why)
{
	buf_reset(&d->why);
	fileshape_fault(s, i, why, &d->why);
	return DEFINITION_BAD;
}

static void
warn_of(const char *what)
{
	warn("%s: it is not used", what);
}

static void
ignore(const char *what)
{
	(void)what;
}

/* The value as JSON; a plain YAML scalar that is a number becomes one. */
static void
put_any(struct buf *b, const struct fileshape *s, int i)
{
	static struct json scalar;
	const struct json *j = s->json;
	char *text;
	int k, isobject = json_kind(j, i) == JSON_OBJECT;

	if (isobject || json_kind(j, i) == JSON_ARRAY) {
		emit_open(b, isobject ? '{' : '[');
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			if (isobject)
				emit_keyj(b, json_span(j, k));
			put_any(b, s, k + isobject);
		}
		emit_close(b, isobject ? '}' : ']');
		return;
	}
	text = s->istext ? json_dup(j, i) : NULL;
	if (text != NULL && json_parse(&scalar, text, strlen(text)) == 0
	    && json_kind(&scalar, 0) > JSON_STRING)
		emit_raw(b, text, strlen(text));
	else
		emit_span(b, json_span(j, i));
	free(text);
}

/* A list of names, also "a, b". */
static void
names(const struct json *j, int i, struct strs *l)
{
	char *text = json_dup(j, i), *word;

	if (text == NULL)
		json_strs(j, i, l);
	else
		for (word = strtok(text, ", \t\n"); word != NULL;
		     word = strtok(NULL, ", \t\n"))
			strs_add(l, word);
	free(text);
}

static const struct key *
find_key(const char *name)
{
	const struct key *key = keys;

	while (key->name != NULL && strcmp(key->name, name) != 0)
		key++;
	return key;
}

/* Append the field of that name; a value that is null says nothing. */
static void
put(struct buf *b, const struct fileshape *s, const char *name, int i)
{
	static struct strs l;
	static struct buf v;
	const struct key *key = find_key(name);
	size_t k;

	strs_reset(&l);
	buf_reset(&v);
	if (key->how == LIST) {
		names(s->json, i, &l);
		emit_strs(b, name, &l);
		return;
	}
	if (key->how == TEXT)
		emit_span(&v, json_span(s->json, i));
	else
		put_any(&v, s, i);
	if (span_is(buf_view(&v), "null"))
		return;
	if (key->how != WORDS) {
		emit_pairj(b, name, buf_view(&v));
		return;
	}
	buf_reset(&v);
	json_strs(s->json, i, &l);
	for (k = 0; k < l.n; k++)
		buf_printf(&v, "%s%s", k > 0 ? "," : "", l.v[k]);
	emit_pair(b, name, buf_cstr(&v));
}

/* Its limits of an hour and of a spike, in our own words. */
static void
put_cost(struct buf *b, const struct fileshape *s, int at)
{
	static struct buf spike;
	const struct json *j = s->json;
	int m = json_get(j, at, "enabled");
	size_t i;

	if (json_kind(j, m) == JSON_FALSE || json_is(j, m, "false"))
		return;
	emit_key(b, "cost");
	emit_open(b, '{');
	buf_reset(&spike);
	emit_open(&spike, '{');
	for (i = 0; i < COSTS; i++) {
		m = json_get(j, at, costs[i].theirs);
		if (m < 0)
			continue;
		emit_key(i == 0 ? b : &spike, costs[i].ours);
		put_any(i == 0 ? b : &spike, s, m);
	}
	emit_close(&spike, '}');
	if (spike.n > 2)
		emit_pairj(b, "spike", buf_view(&spike));
	emit_close(b, '}');
}

/* The agents it may call: all, none, or those of a list. */
static void
put_delegates(struct buf *b, const struct fileshape *s, int i)
{
	const struct json *j = s->json;
	enum json_kind is = json_kind(j, i);
	struct strs l = { 0 };

	if (is == JSON_TRUE || json_is(j, i, "true"))
		strs_add(&l, "*");
	else if (is != JSON_FALSE && !json_is(j, i, "false"))
		names(j, i, &l);
	emit_strs(b, "agents", &l);
	strs_free(&l);
}

/* Ally's requirements: what must have been called. */
static void
put_required(struct buf *b, const struct fileshape *s, int i)
{
	i = json_get(s->json, i, "required_tools_all");
	if (i >= 0)
		put(b, s, "required_tools", i);
}

/* "groq" and "llama" are the model groq/llama. */
static int
put_model(struct definition *d, const struct fileshape *s, int at, int i)
{
	const struct json *j = s->json;
	char *provider = json_dup(j, i);
	char *own = json_dup(j, json_get(j, at, "model"));
	struct buf b = { 0 };
	int r = 0;

	if (own == NULL || *own == '\0') {
		r = bad(d, s, i, "expected a model too");
	} else {
		buf_printf(&b, "%s/%s", provider, own);
		emit_pair(&d->fields, "model", buf_cstr(&b));
	}
	buf_free(&b);
	free(provider);
	free(own);
	return r;
}

static void
take_prompt(struct definition *d, const struct json *j, int i)
{
	static struct buf text;

	buf_reset(&text);
	(void)json_str(j, i, &text);
	if (span_trim(buf_view(&text)).n == 0)
		return;
	buf_reset(&d->prompt);
	buf_span(&d->prompt, span_trim(buf_view(&text)));
	d->isfirst = 1;
}

/* The pair at key k of the object at that token. */
static int
take(struct definition *d, const struct fileshape *s, int at, int k)
{
	const struct json *j = s->json;
	char *own = json_dup(j, k);
	const char *name = own;
	size_t i;
	int v = k + 1, r = 0;

	for (i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strcmp(own, aliases[i].theirs) == 0)
			name = aliases[i].ours;
	if (strcmp(name, "systemPrompt") == 0)
		take_prompt(d, j, v);
	else if (strcmp(name, "llmProvider") == 0)
		r = put_model(d, s, at, v);
	else if (strcmp(name, "costControls") == 0)
		put_cost(&d->fields, s, v);
	else if (strcmp(name, "requirements") == 0)
		put_required(&d->fields, s, v);
	else if (strcmp(name, "can_delegate_to_agents") == 0)
		put_delegates(&d->fields, s, v);
	/* A model comes with its provider; Annabelle's empty list is all tools. */
	else if (!(strcmp(name, "model") == 0
		     && json_get(j, at, "llmProvider") >= 0)
	    && !(strcmp(own, "allowedTools") == 0
		&& json_kind(j, v) == JSON_ARRAY && json_count(j, v) == 0))
		put(&d->fields, s, name, v);
	free(own);
	return r;
}

static int
isknown(const struct json *j, int k)
{
	char *name = json_dup(j, k);
	int is = name != NULL && fileshape_haskey("agent", name);

	free(name);
	return is;
}

/* The fields of the object at that token. */
static int
convert(struct definition *d, const struct fileshape *s, int at)
{
	int k, isbuilt = s->istext && yamlfile_isbuilt(&front.yml);

	buf_reset(&d->why);
	if (!isbuilt && fileshape_fit(s, at, "agent", NULL, &d->why) < 0)
		return DEFINITION_BAD;
	buf_reset(&d->fields);
	emit_open(&d->fields, '{');
	for (k = json_first(s->json, at); k >= 0; k = json_next(s->json, k))
		if ((isbuilt || isknown(s->json, k)) && take(d, s, at, k) < 0)
			return DEFINITION_BAD;
	emit_close(&d->fields, '}');
	if (json_parse(&d->json, d->fields.p, d->fields.n) < 0)
		return bad(d, s, at, "expected no field twice");
	return 0;
}

static int
markdown(struct definition *d, const char *path, int tell)
{
	struct fileshape s = { path, &front.yml.json, NULL, 1,
		tell ? warn_of : ignore, 0 };

	if (frontmatter_parse(&front, buf_cstr(&d->text), d->text.n) < 0) {
		buf_printf(&d->why, "%s:%zu:%zu: %s", path, front.line,
		    front.col, front.why);
		return DEFINITION_BAD;
	}
	s.marks = front.yml.marks;
	if (front.yml.repeat.line > 0 && tell)
		warn("%s:%zu:%zu: expected a key that is not there yet", path,
		    front.yml.repeat.line, front.yml.repeat.col);
	buf_span(&d->prompt, span_trim(front.body));
	return convert(d, &s, 0);
}

/* The name that the object at that token gives itself, or NULL. */
static char *
own_name(const struct json *j, int at)
{
	char *s = json_dup(j, json_get(j, at, "agentId"));

	return s != NULL ? s : json_dup(j, json_get(j, at, "name"));
}

/* The list of definitions in a JSON file, or -1 where it is one itself. */
static int
list_of(const struct json *j)
{
	if (json_kind(j, 0) == JSON_ARRAY)
		return 0;
	return json_kind(j, json_get(j, 0, "agents")) == JSON_ARRAY
		&& json_kind(j, json_first(j, json_get(j, 0, "agents")))
		    != JSON_STRING
	    ? json_get(j, 0, "agents") : -1;
}

/* "x" of a path that ends in "x.SUFFIX". */
static void
base(struct buf *b, const char *path)
{
	const char *s = file_name(path), *dot = strrchr(s, '.');

	buf_reset(b);
	buf_add(b, s, dot != NULL && dot > s ? (size_t)(dot - s) : strlen(s));
}

static struct json whole; /* of the JSON file that was read last */

static int
parse_json(struct definition *d, const char *path)
{
	size_t line, col;

	if (json_parse(&whole, buf_cstr(&d->text), d->text.n) == 0)
		return 0;
	json_where(d->text.p, whole.at, &line, &col);
	buf_printf(&d->why, "%s:%zu:%zu: %s", path, line, col, whole.why);
	return DEFINITION_BAD;
}

static int
from_json(struct definition *d, const char *path, const char *name, int tell)
{
	struct fileshape s = { path, &whole, NULL, 0,
		tell ? warn_of : ignore, 0 };
	char *own;
	int list, k;

	if (parse_json(d, path) < 0)
		return DEFINITION_BAD;
	list = list_of(&whole);
	for (k = list < 0 ? 0 : json_first(&whole, list); k >= 0;
	     k = list < 0 ? -1 : json_next(&whole, k)) {
		if (json_kind(&whole, k) != JSON_OBJECT)
			return bad(d, &s, k, "expected an agent's definition");
		own = own_name(&whole, k);
		if (own == NULL && list >= 0)
			return bad(d, &s, k, "expected an agentId");
		if (own != NULL) {
			buf_reset(&d->name);
			buf_puts(&d->name, own);
		}
		free(own);
		if (name == NULL || strcmp(buf_cstr(&d->name), name) == 0)
			return convert(d, &s, k);
	}
	return DEFINITION_NONE;
}

static int
isjson(const char *path)
{
	size_t n = strlen(path);

	return n > 5 && strcmp(path + n - 5, ".json") == 0;
}

static void
reset(struct definition *d)
{
	buf_reset(&d->why);
	buf_reset(&d->text);
	buf_reset(&d->prompt);
	buf_reset(&d->name);
	buf_reset(&d->path);
	d->isfirst = 0;
	buf_reset(&d->fields);
	buf_puts(&d->fields, "{}");
	(void)json_parse(&d->json, d->fields.p, d->fields.n);
}

int
definition_read(struct definition *d, const char *path, const char *name,
    int tell)
{
	enum file_result r;

	reset(d);
	buf_puts(&d->path, path);
	base(&d->name, path);
	r = file_read(path, &d->text, DEFINITION_MAX);
	if (r != FILE_OK) {
		buf_printf(&d->why, "%s: %s", path, file_why(r));
		return DEFINITION_BAD;
	}
	if (isjson(path))
		return from_json(d, path, name, tell);
	return markdown(d, path, tell);
}

/* May it be a part of a path?  A model says names, too. */
static int
isname(const char *s)
{
	return *s != '\0' && *s != '.' && strchr(s, '/') == NULL
	    && strlen(s) <= NAME_LONGEST;
}

int
definition_find(struct definition *d, const char *name, int tell)
{
	static struct buf b, rel;
	struct strs files = { 0 };
	int r = DEFINITION_NONE;
	size_t i;

	reset(d);
	if (!isname(name))
		return DEFINITION_NONE;
	buf_reset(&rel);
	buf_printf(&rel, "agents/%s.md", name);
	switch (path_find(&b, buf_cstr(&rel))) {
	case 0:
		return definition_read(d, buf_cstr(&b), NULL, tell);
	case -1: /* an empty file switches it off */
		return DEFINITION_NONE;
	}
	path_list(&files, "agents", ".json");
	for (i = 0; i < files.n && r == DEFINITION_NONE; i++)
		r = definition_read(d, files.v[i], name, tell);
	strs_free(&files);
	if (r != DEFINITION_NONE)
		return r;
	reset(d);
	buf_reset(&rel);
	buf_printf(&rel, "agents/%s/instructions.md", name);
	if (path_find(&b, buf_cstr(&rel)) < 0)
		return DEFINITION_NONE;
	buf_puts(&d->name, name);
	buf_puts(&d->path, buf_cstr(&b));
	return 0;
}

/* The names that a JSON file defines; what is wrong with it is reported. */
static void
names_in(const char *path, struct strs *l)
{
	static struct definition d;
	static struct buf b;
	enum file_result r;
	char *own;
	int list, k;

	reset(&d);
	r = file_read(path, &d.text, DEFINITION_MAX);
	if (r != FILE_OK) {
		warn("%s: %s", path, file_why(r));
		return;
	}
	if (parse_json(&d, path) < 0) {
		warn("%s", buf_cstr(&d.why));
		return;
	}
	base(&b, path);
	list = list_of(&whole);
	for (k = list < 0 ? 0 : json_first(&whole, list); k >= 0;
	     k = list < 0 ? -1 : json_next(&whole, k)) {
		own = own_name(&whole, k);
		if (own != NULL || list < 0)
			(void)strs_once(l, own != NULL ? own : buf_cstr(&b));
		free(own);
	}
}

/* Directories agents/NAME with instructions.md. */
static void
names_of_dirs(struct strs *l)
{
	static struct buf dir, rel, b;
	const struct strs *dirs = path_dirs();
	const struct dirent *e;
	DIR *f;
	size_t i;

	for (i = 0; i < dirs->n; i++) {
		file_join(&dir, dirs->v[i], "agents");
		if ((f = opendir(buf_cstr(&dir))) == NULL)
			continue;
		while ((e = readdir(f)) != NULL) {
			if (!isname(e->d_name))
				continue;
			buf_reset(&rel);
			buf_printf(&rel, "agents/%s/instructions.md",
			    e->d_name);
			if (path_find(&b, buf_cstr(&rel)) == 0)
				(void)strs_once(l, e->d_name);
		}
		closedir(f);
	}
}

void
definition_names(struct strs *l)
{
	static struct buf b, rel, at;
	struct strs files = { 0 }, found = { 0 };
	size_t i;

	path_list(&files, "agents", ".md");
	for (i = 0; i < files.n; i++) {
		base(&b, files.v[i]);
		(void)strs_once(l, buf_cstr(&b));
	}
	strs_reset(&files);
	path_list(&files, "agents", ".json");
	for (i = 0; i < files.n; i++)
		names_in(files.v[i], &found);
	names_of_dirs(&found);
	for (i = 0; i < found.n; i++) {
		buf_reset(&rel);
		buf_printf(&rel, "agents/%s.md", found.v[i]);
		/* An empty one switches off whatever it is. */
		if (isname(found.v[i]) && path_find(&at, buf_cstr(&rel)) != -1)
			(void)strs_once(l, found.v[i]);
	}
	strs_sort(l);
	strs_free(&files);
	strs_free(&found);
}

void
definition_config(const struct definition *d, struct buf *b)
{
	const struct json *j = &d->json;
	char *name;
	int k, m, at;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		name = json_dup(j, k);
		if (find_key(name)->config)
			emit_member(b, j, k);
		free(name);
	}
	at = json_get(j, 0, "provider");
	for (m = json_first(j, at); m >= 0; m = json_next(j, m))
		emit_member(b, j, m);
}
