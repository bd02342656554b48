#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "fileshape.h"
#include "frontmatter.h"
#include "match.h"
#include "path.h"
#include "treeagents.h"

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
	{ "cache_ttl", TEXT, 1 },
	{ "service_tier", TEXT, 1 },
	{ "tools", LIST, 1 },
	{ "tools_deny", LIST, 1 },
	{ "required_tools", LIST, 1 },
	{ "provider_tools", LIST, 1 },
	{ "mcp", LIST, 1 },
	{ "agents", LIST, 1 },
	{ "persist", COPY, 0 },
	{ "isolation", TEXT, 0 },
	{ "mode", TEXT, 0 },
	{ "hidden", COPY, 0 },
	{ "visible_from_agents", LIST, 0 },
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
	{ "disallowedTools", "tools_deny" },
	{ "mcpServers", "mcp" },
	{ "maxSteps", "max_steps" },
	{ "maxTurns", "max_steps" },
	{ "steps", "max_steps" },
	{ "effort", "reasoning_effort" },
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

/* What it may use, by all keys that say so. */
static struct {
	struct strs allowed, denied;
	int islist, isdeny; /* there is a list of what is allowed, denied */
	int isput;
} rights;

static struct table toolnames;
static struct frontmatter front;

static int
bad(struct definition *d, const struct fileshape *s, int i, const char *why)
{
	buf_reset(&d->why);
	fileshape_fault(s, i, why, &d->why);
	return DEFINITION_BAD;
}

static int
isfalse(const struct json *j, int i)
{
	return json_kind(j, i) == JSON_FALSE || json_is(j, i, "false");
}

static int
istrue(const struct json *j, int i)
{
	return json_kind(j, i) == JSON_TRUE || json_is(j, i, "true");
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

/* A tool by our names: those of share/toolnames.yaml, "mcp__git__log". */
static int
rename_tool(const char *name, int isdeny, struct strs *l)
{
	const struct json *t = table_read(&toolnames, "toolnames.yaml",
	    "toolnames");
	int m = json_get(t, json_get(t, 0, "tools"), name), k;
	struct buf b = { 0 };
	const char *rest;

	if (m >= 0) {
		k = isdeny ? json_get(t, m, "deny") : -1;
		(void)json_strs(t, k >= 0 ? k : json_get(t, m, "allow"), l);
	} else if (strchr(name, '(') != NULL
	    || (isdeny && *name >= 'A' && *name <= 'Z'
		&& strpbrk(name, "_*?[") == NULL)) {
		return -1; /* a part of a tool, or a name whose
			      tool here is not known */
	} else if (strncmp(name, "mcp__", 5) == 0) {
		rest = strstr(name + 5, "__");
		if (rest == NULL)
			buf_printf(&b, "%s_*", name + 5);
		else
			buf_printf(&b, "%.*s_%s", (int)(rest - name - 5),
			    name + 5, rest + 2);
		strs_add(l, buf_cstr(&b));
		buf_free(&b);
	} else {
		strs_add(l, name);
	}
	return 0;
}

/* Of what was allowed, what is in this list too. */
static void
allow_only(const struct strs *l)
{
	struct strs both = { 0 };
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!rights.islist
		    || match_any(&rights.allowed, l->v[i]) != NULL)
			(void)strs_once(&both, l->v[i]);
	for (i = 0; i < rights.allowed.n; i++)
		if (match_any(l, rights.allowed.v[i]) != NULL)
			(void)strs_once(&both, rights.allowed.v[i]);
	strs_free(&rights.allowed);
	rights.allowed = both;
	rights.islist = 1;
}

/* The tools of a list, allowed or denied. */
static int
take_names(struct definition *d, const struct fileshape *s, int i, int isdeny)
{
	struct strs l = { 0 }, ours = { 0 };
	size_t k;
	int r = 0;

	names(s->json, i, &l);
	for (k = 0; k < l.n && r == 0; k++)
		if (rename_tool(l.v[k], isdeny, isdeny ? &rights.denied : &ours)
		    < 0)
			r = bad(d, s, i, "expected names of known tools");
	if (isdeny)
		rights.isdeny = 1;
	else
		allow_only(&ours);
	strs_free(&l);
	strs_free(&ours);
	return r;
}

enum { RIGHT_BAD = -1, RIGHT_NO, RIGHT_YES };

/* What is asked for is the gate's; of several patterns one that denies all. */
static int
right_of(const struct json *j, int v)
{
	static const char *const no[] = { "deny", "false", NULL };
	static const char *const yes[] = { "allow", "ask", "true", NULL };
	const char *const *w;
	int k, r = RIGHT_YES;

	if (json_kind(j, v) == JSON_OBJECT) {
		for (k = json_first(j, v); k >= 0 && r != RIGHT_BAD;
		     k = json_next(j, k))
			if (right_of(j, k + 1) != RIGHT_YES)
				r = right_of(j, k + 1);
		return r;
	}
	if (json_kind(j, v) == JSON_TRUE || json_kind(j, v) == JSON_FALSE)
		return json_kind(j, v) == JSON_TRUE;
	for (w = no; *w != NULL; w++)
		if (json_is(j, v, *w))
			return RIGHT_NO;
	for (w = yes; *w != NULL; w++)
		if (json_is(j, v, *w))
			return RIGHT_YES;
	return RIGHT_BAD;
}

/* opencode's {write: false} and {"*": deny, read: allow}. */
static int
take_rights(struct definition *d, const struct fileshape *s, int at)
{
	static const char expected[] = "expected allow, ask or deny";
	const struct json *j = s->json;
	struct strs allowed = { 0 };
	int k, right, all, r = 0;
	char *name;

	if (json_kind(j, at) != JSON_OBJECT) {
		if ((right = right_of(j, at)) == RIGHT_BAD)
			return bad(d, s, at, expected);
		if (right == RIGHT_NO)
			allow_only(&allowed);
		return 0;
	}
	all = right_of(j, json_get(j, at, "*"));
	for (k = json_first(j, at); k >= 0 && r == 0; k = json_next(j, k)) {
		name = json_dup(j, k);
		right = right_of(j, k + 1);
		if (right == RIGHT_BAD)
			r = bad(d, s, k + 1, expected);
		else if (strcmp(name, "*") != 0
		    && rename_tool(name, right == RIGHT_NO,
			right == RIGHT_NO ? &rights.denied : &allowed) < 0)
			r = bad(d, s, k, "expected the name of a known tool");
		if (right == RIGHT_NO && strcmp(name, "*") != 0)
			rights.isdeny = 1;
		free(name);
	}
	if (all == RIGHT_NO)
		allow_only(&allowed);
	strs_free(&allowed);
	return r;
}

static int
isrights(const char *name)
{
	return strcmp(name, "tools") == 0 || strcmp(name, "tools_deny") == 0
	    || strcmp(name, "permission") == 0
	    || strcmp(name, "permissionMode") == 0;
}

/* The value of a key that says what it may use. */
static int
take_right(struct definition *d, const struct fileshape *s, const char *key,
    const char *name, int v)
{
	const struct json *j = s->json;
	const struct json *t;
	struct strs plan = { 0 };

	if (strcmp(name, "tools_deny") == 0)
		return take_names(d, s, v, 1);
	if (strcmp(name, "permission") == 0
	    || json_kind(j, v) == JSON_OBJECT)
		return take_rights(d, s, v);
	if (strcmp(name, "permissionMode") == 0) {
		if (!json_is(j, v, "plan"))
			return 0;
		t = table_read(&toolnames, "toolnames.yaml", "toolnames");
		(void)json_strs(t, json_get(t, 0, "plan"), &plan);
		allow_only(&plan);
		strs_free(&plan);
		return 0;
	}
	/* Annabelle's empty list is all tools. */
	if (strcmp(key, "allowedTools") == 0
	    && json_kind(j, v) == JSON_ARRAY && json_count(j, v) == 0)
		return 0;
	return take_names(d, s, v, 0);
}

/* Where the first of these keys stands. */
static void
put_rights(struct buf *b)
{
	if (!rights.isput && rights.islist)
		emit_strs(b, "tools", &rights.allowed);
	if (!rights.isput && rights.isdeny)
		emit_strs(b, "tools_deny", &rights.denied);
	rights.isput = 1;
}

/* Its limits of an hour and of a spike, in our own words. */
static void
put_cost(struct buf *b, const struct fileshape *s, int at)
{
	static struct buf spike;
	const struct json *j = s->json;
	int m = json_get(j, at, "enabled");
	size_t i;

	if (isfalse(j, m))
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

/* Other agents: all, none, or those of a list. */
static void
put_agents(struct buf *b, const struct fileshape *s, const char *name, int i)
{
	const struct json *j = s->json;
	struct strs l = { 0 };

	if (istrue(j, i))
		strs_add(&l, "*");
	else if (!isfalse(j, i))
		names(j, i, &l);
	emit_strs(b, name, &l);
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

/* Is it one that a provider knows? */
static int
ismodel(const struct json *j, int i)
{
	const struct json *t = table_read(&toolnames, "toolnames.yaml",
	    "toolnames");
	struct strs l = { 0 };
	char *own = json_dup(j, i);
	int is;

	(void)json_strs(t, json_get(t, 0, "models"), &l);
	is = own == NULL || strs_find(&l, own) < 0;
	strs_free(&l);
	free(own);
	return is;
}

static const char *
our_name(const char *own)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strcmp(own, aliases[i].theirs) == 0)
			return aliases[i].ours;
	return own;
}

/* The pair at key k of the object at that token. */
static int
read_pair(struct definition *d, const struct fileshape *s, int at, int k)
{
	const struct json *j = s->json;
	char *own = json_dup(j, k);
	const char *name = our_name(own);
	int v = k + 1, r = 0;

	if (isrights(name))
		put_rights(&d->fields);
	else if (strcmp(name, "systemPrompt") == 0)
		take_prompt(d, j, v);
	else if (strcmp(name, "llmProvider") == 0)
		r = put_model(d, s, at, v);
	else if (strcmp(name, "costControls") == 0)
		put_cost(&d->fields, s, v);
	else if (strcmp(name, "requirements") == 0)
		put_required(&d->fields, s, v);
	else if (strcmp(name, "can_delegate_to_agents") == 0)
		put_agents(&d->fields, s, "agents",
		    isfalse(j, json_get(j, at, "can_see_agents"))
			? json_get(j, at, "can_see_agents") : v);
	else if (strcmp(name, "visible_from_agents") == 0)
		put_agents(&d->fields, s, name, v);
	/* A model comes with its provider. */
	else if (strcmp(name, "model") != 0
	    || (json_get(j, at, "llmProvider") < 0 && ismodel(j, v)))
		put(&d->fields, s, name, v);
	free(own);
	return r;
}

static int
isused(const struct json *j, int k)
{
	char *name = json_dup(j, k);
	int is = name != NULL && fileshape_uses("agent", name)
	    && strcmp(name, "enabled") != 0 && strcmp(name, "disable") != 0
	    && strcmp(name, "can_see_agents") != 0;

	free(name);
	return is;
}

/* What it may use, of all keys at once: one list, and one of what is denied. */
static int
gather(struct definition *d, const struct fileshape *s, int at)
{
	const struct json *j = s->json;
	char *own;
	int k, r = 0;

	strs_reset(&rights.allowed);
	strs_reset(&rights.denied);
	rights.islist = rights.isdeny = rights.isput = 0;
	for (k = json_first(j, at); k >= 0 && r == 0; k = json_next(j, k)) {
		own = json_dup(j, k);
		if (isrights(our_name(own)))
			r = take_right(d, s, own, our_name(own), k + 1);
		free(own);
	}
	return r;
}

/* The fields of the object at that token. */
static int
convert(struct definition *d, const struct fileshape *s, int at)
{
	const struct json *j = s->json;
	int k, isbuilt = s->istext && yamlfile_isbuilt(&front.yml);

	buf_reset(&d->why);
	if (!isbuilt && fileshape_fit(s, at, "agent", NULL, &d->why) < 0)
		return DEFINITION_BAD;
	if (isfalse(j, json_get(j, at, "enabled"))
	    || istrue(j, json_get(j, at, "disable")))
		return DEFINITION_NONE;
	if (gather(d, s, at) < 0)
		return DEFINITION_BAD;
	buf_reset(&d->fields);
	emit_open(&d->fields, '{');
	for (k = json_first(j, at); k >= 0; k = json_next(j, k))
		if (isused(j, k) && read_pair(d, s, at, k) < 0)
			return DEFINITION_BAD;
	emit_close(&d->fields, '}');
	if (json_parse(&d->json, d->fields.p, d->fields.n) < 0)
		return bad(d, s, at, "expected no field twice");
	return 0;
}

static int
markdown(struct definition *d, const char *path, int tell)
{
	struct fileshape s = { path, &front.yml.json, NULL, 1, NULL, 0 };

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
from_json(struct definition *d, const char *path, const char *name)
{
	struct fileshape s = { path, &whole, NULL, 0, NULL, 0 };
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
		return from_json(d, path, name);
	return markdown(d, path, tell);
}

/* The work tree's file of that name. */
static const char *
in_tree(const char *name)
{
	static struct buf b;
	const struct strs *l = treeagents_files();
	size_t i;

	for (i = 0; i < l->n; i++) {
		base(&b, l->v[i]);
		if (strcmp(buf_cstr(&b), name) == 0)
			return l->v[i];
	}
	return NULL;
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
	const char *path;
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
	if (path_find(&b, buf_cstr(&rel)) < 0) {
		path = in_tree(name);
		return path == NULL ? DEFINITION_NONE
				    : definition_read(d, path, NULL, tell);
	}
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
	const struct strs *tree = treeagents_files();
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
	for (i = 0; i < tree->n; i++) {
		base(&b, tree->v[i]);
		(void)strs_once(&found, buf_cstr(&b));
	}
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
