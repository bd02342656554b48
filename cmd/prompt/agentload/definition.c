#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "frontmatter.h"
#include "path.h"

enum {
	DEFINITION_MAX = 1 << 20, /* bytes of a file */
	NAME_LONGEST = 100	  /* bytes */
};

enum kind { TEXT, WORDS, NUMBER, COUNT, SWITCH, LIST, MAP, ANY };

static const struct key {
	const char *name;
	enum kind kind;
	int config;
} keys[] = {
	{ "name", TEXT, 0 },
	{ "description", TEXT, 0 },
	{ "usage_guidelines", TEXT, 0 },
	{ "model", WORDS, 1 },
	{ "temperature", NUMBER, 1 },
	{ "max_tokens", COUNT, 1 },
	{ "max_steps", COUNT, 1 },
	{ "max_seconds", COUNT, 1 },
	{ "context_window", COUNT, 1 },
	{ "temperature_max", NUMBER, 1 },
	{ "top_p", NUMBER, 1 },
	{ "top_k", COUNT, 1 },
	{ "min_p", NUMBER, 1 },
	{ "seed", COUNT, 1 },
	{ "stop", ANY, 1 },
	{ "presence_penalty", ANY, 1 },
	{ "frequency_penalty", ANY, 1 },
	{ "reasoning_effort", TEXT, 1 },
	{ "reasoning", ANY, 1 },
	{ "thinking", ANY, 1 },
	{ "verbosity", ANY, 1 },
	{ "response_format", MAP, 1 },
	{ "tool_choice", ANY, 1 },
	{ "parallel_tool_calls", SWITCH, 1 },
	{ "service_tier", TEXT, 1 },
	{ "tools", LIST, 1 },
	{ "tools_deny", LIST, 1 },
	{ "required_tools", LIST, 1 },
	{ "mcp", LIST, 1 },
	{ "agents", LIST, 1 },
	{ "persist", SWITCH, 0 },
	{ "cost", MAP, 1 },
	{ "provider", MAP, 0 },
};
enum { KEYS = sizeof(keys) / sizeof(*keys) };

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

/* A file that is read: JSON, and the places of its tokens. */
struct source {
	const char *path;
	const struct json *j;
	const struct yamlfile_mark *marks; /* NULL: by offset */
	int isyaml; /* all scalars are texts */
	int tell;
};

static struct frontmatter front;

static void
place(const struct source *s, int i, struct buf *b, const char *why)
{
	size_t line, col;

	if (s->marks != NULL) {
		line = s->marks[i].line;
		col = s->marks[i].col;
	} else {
		json_where(s->j->s, (size_t)(json_span(s->j, i).p - s->j->s),
		    &line, &col);
	}
	buf_printf(b, "%s:%zu:%zu: %s", s->path, line, col, why);
}

static int
bad(struct definition *d, const struct source *s, int i, const char *why)
{
	buf_reset(&d->why);
	place(s, i, &d->why, why);
	return DEFINITION_BAD;
}

/* It goes nowhere, and a line says so. */
static void
unknown(const struct source *s, int k)
{
	static struct buf b, why;

	if (!s->tell)
		return;
	buf_reset(&b);
	buf_reset(&why);
	buf_puts(&why, "expected a key of turnpipe-agents(5), not '");
	(void)json_str(s->j, k, &why);
	buf_puts(&why, "': it is not used");
	place(s, k, &b, buf_cstr(&why));
	warn("%s", buf_cstr(&b));
}

/* The value as JSON; a plain YAML scalar that is a number becomes one. */
static void
put_any(struct buf *b, const struct source *s, int i)
{
	static struct json scalar;
	const struct json *j = s->j;
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
	text = s->isyaml ? json_dup(j, i) : NULL;
	if (text != NULL && json_parse(&scalar, text, strlen(text)) == 0
	    && json_kind(&scalar, 0) > JSON_STRING)
		emit_raw(b, text, strlen(text));
	else
		emit_span(b, json_span(j, i));
	free(text);
}

/* A list of names, also "a, b". */
static int
names(const struct json *j, int i, struct strs *l)
{
	char *text, *word;

	if (json_kind(j, i) == JSON_ARRAY)
		return json_strs(j, i, l) == 0 ? 0 : -1;
	text = json_dup(j, i);
	if (text == NULL)
		return -1;
	for (word = strtok(text, ", \t\n"); word != NULL;
	     word = strtok(NULL, ", \t\n"))
		strs_add(l, word);
	free(text);
	return 0;
}

/* Append a field; the reason if its value is not of the kind. */
static const char *
put(struct buf *b, const struct source *s, const struct key *key, int i)
{
	static struct strs l;
	static struct buf v;
	static struct json j;
	long long n;
	size_t k;
	double x;

	buf_reset(&v);
	put_any(&v, s, i);
	(void)json_parse(&j, v.p, v.n);
	switch (key->kind) {
	case TEXT:
		/* In YAML a name may look like a number. */
		if (json_kind(s->j, i) != JSON_STRING)
			return "expected a text";
		emit_pairj(b, key->name, json_span(s->j, i));
		return NULL;
	case WORDS: /* one, or a list, with commas between */
		strs_reset(&l);
		if (json_strs(s->j, i, &l) != 0 || l.n == 0)
			return "expected a text, or a list of them";
		buf_reset(&v);
		for (k = 0; k < l.n; k++)
			buf_printf(&v, "%s%s", k > 0 ? "," : "", l.v[k]);
		emit_pair(b, key->name, buf_cstr(&v));
		return NULL;
	case NUMBER:
		if (json_num(&j, 0, &x) < 0 || x < 0)
			return "expected a number from 0";
		break;
	case COUNT:
		if (json_int(&j, 0, &n) < 0 || n < 0)
			return "expected a whole number from 0";
		break;
	case SWITCH:
		if (json_kind(&j, 0) != JSON_TRUE
		    && json_kind(&j, 0) != JSON_FALSE)
			return "expected true or false";
		break;
	case LIST:
		strs_reset(&l);
		if (names(s->j, i, &l) < 0)
			return "expected a list of names";
		emit_strs(b, key->name, &l);
		return NULL;
	case MAP:
		if (json_kind(&j, 0) != JSON_OBJECT)
			return "expected a map";
		break;
	case ANY:
		if (json_kind(&j, 0) == JSON_NULL)
			return "expected a value";
		break;
	}
	emit_pairj(b, key->name, buf_view(&v));
	return NULL;
}

static const struct key *
known(const char *name)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static int
field(struct definition *d, const struct source *s, const char *name, int k)
{
	const char *why = put(&d->fields, s, known(name), k + 1);

	return why == NULL ? 0 : bad(d, s, k + 1, why);
}

/* Its limits of an hour and of a spike, in our own words. */
static int
cost(struct definition *d, const struct source *s, int k)
{
	static struct buf v, spike;
	static struct json number;
	const struct json *j = s->j;
	int m, at = k + 1, ison = json_get(j, at, "enabled");
	double x;
	size_t i;

	if (json_kind(j, at) != JSON_OBJECT)
		return bad(d, s, at, "expected a map");
	if (json_kind(j, ison) == JSON_FALSE || json_is(j, ison, "false"))
		return 0;
	emit_key(&d->fields, "cost");
	emit_open(&d->fields, '{');
	buf_reset(&spike);
	emit_open(&spike, '{');
	for (m = json_first(j, at); m >= 0; m = json_next(j, m)) {
		for (i = 0; i < COSTS && !json_is(j, m, costs[i].theirs); i++)
			;
		if (i == COSTS) {
			if (!json_is(j, m, "enabled"))
				unknown(s, m);
			continue;
		}
		buf_reset(&v);
		put_any(&v, s, m + 1);
		if (json_parse(&number, v.p, v.n) < 0
		    || json_num(&number, 0, &x) < 0 || x < 0)
			return bad(d, s, m + 1, "expected a number from 0");
		emit_pairf(i == 0 ? &d->fields : &spike, costs[i].ours, x);
	}
	emit_close(&spike, '}');
	if (spike.n > 2)
		emit_pairj(&d->fields, "spike", buf_view(&spike));
	emit_close(&d->fields, '}');
	return 0;
}

/* Ally's requirements: what must have been called is required_tools. */
static int
requirements(struct definition *d, const struct source *s, int k)
{
	const struct json *j = s->j;
	int m, r = 0;

	if (json_kind(j, k + 1) != JSON_OBJECT)
		return bad(d, s, k + 1, "expected a map");
	for (m = json_first(j, k + 1); m >= 0 && r == 0; m = json_next(j, m))
		if (json_is(j, m, "required_tools_all"))
			r = field(d, s, "required_tools", m);
		else
			unknown(s, m);
	return r;
}

/* The agents it may call: all, none, or those of a list. */
static int
delegates(struct definition *d, const struct source *s, int k)
{
	const struct json *j = s->j;
	enum json_kind is = json_kind(j, k + 1);
	struct strs l = { 0 };

	if (is == JSON_TRUE || json_is(j, k + 1, "true"))
		strs_add(&l, "*");
	else if (is != JSON_FALSE && !json_is(j, k + 1, "false"))
		return field(d, s, "agents", k);
	emit_strs(&d->fields, "agents", &l);
	strs_free(&l);
	return 0;
}

/* "groq" and "llama" are the model groq/llama. */
static int
model(struct definition *d, const struct source *s, int at)
{
	const struct json *j = s->j;
	char *provider = json_dup(j, json_get(j, at, "llmProvider"));
	char *own = json_dup(j, json_get(j, at, "model"));
	struct buf b = { 0 };
	int r = 0;

	if (provider == NULL || *provider == '\0')
		r = bad(d, s, json_get(j, at, "llmProvider"),
		    "expected a provider's name");
	else if (own == NULL || *own == '\0')
		r = bad(d, s, json_get(j, at, "llmProvider"),
		    "expected a model too");
	else
		buf_printf(&b, "%s/%s", provider, own);
	if (r == 0)
		emit_pair(&d->fields, "model", buf_cstr(&b));
	buf_free(&b);
	free(provider);
	free(own);
	return r;
}

/* Fields of the request that no map of an agent may bring. */
static int
checked_provider(struct definition *d, const struct source *s, int at)
{
	static const char *const ours[] = { "type", "by", "id", "messages",
		"stream" };
	const struct json *j = s->j;
	char *name;
	size_t i;
	int m, no;

	for (m = json_first(j, at); m >= 0; m = json_next(j, m)) {
		name = json_dup(j, m);
		no = name == NULL || known(name) != NULL;
		for (i = 0; !no && i < sizeof(ours) / sizeof(*ours); i++)
			no = strcmp(name, ours[i]) == 0;
		free(name);
		if (no)
			return bad(d, s, m,
			    "expected a field that only the provider knows");
	}
	return 0;
}

/* One pair of a definition. */
static int
take(struct definition *d, const struct source *s, int at, int k)
{
	static struct buf text;
	const struct json *j = s->j;
	const struct key *key;
	char *name = json_dup(j, k);
	size_t i;
	int r = 0;

	for (i = 0; name != NULL && i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strcmp(name, aliases[i].theirs) == 0) {
			free(name);
			name = xstrdup(aliases[i].ours);
			/* Annabelle's empty list is all tools. */
			if (json_is(j, k, "allowedTools")
			    && json_kind(j, k + 1) == JSON_ARRAY
			    && json_count(j, k + 1) == 0)
				goto out;
			break;
		}
	key = name == NULL ? NULL : known(name);
	if (key != NULL && strcmp(key->name, "model") == 0
	    && json_get(j, at, "llmProvider") >= 0) {
		r = 0; /* it comes with its provider */
	} else if (key != NULL && key->kind != LIST && s->isyaml
	    && json_kind(j, k + 1) == JSON_NULL) {
		r = 0; /* a key without a value says nothing */
	} else if (key != NULL) {
		r = key->kind == MAP && strcmp(key->name, "provider") == 0
			&& json_kind(j, k + 1) == JSON_OBJECT
		    ? checked_provider(d, s, k + 1) : 0;
		if (r == 0)
			r = field(d, s, key->name, k);
	} else if (name != NULL && strcmp(name, "systemPrompt") == 0) {
		buf_reset(&text);
		if (json_str(j, k + 1, &text) < 0)
			r = bad(d, s, k + 1, "expected a text");
		else if (span_trim(buf_view(&text)).n > 0) {
			buf_reset(&d->prompt);
			buf_span(&d->prompt, span_trim(buf_view(&text)));
			d->isfirst = 1;
		}
	} else if (name != NULL && strcmp(name, "llmProvider") == 0) {
		r = model(d, s, at);
	} else if (name != NULL && strcmp(name, "costControls") == 0) {
		r = cost(d, s, k);
	} else if (name != NULL && strcmp(name, "requirements") == 0) {
		r = requirements(d, s, k);
	} else if (name != NULL
	    && strcmp(name, "can_delegate_to_agents") == 0) {
		r = delegates(d, s, k);
	} else {
		unknown(s, k);
	}
out:
	free(name);
	return r;
}

/* The fields of the object at that token. */
static int
convert(struct definition *d, const struct source *s, int at)
{
	int k;

	buf_reset(&d->fields);
	emit_open(&d->fields, '{');
	for (k = json_first(s->j, at); k >= 0; k = json_next(s->j, k))
		if (take(d, s, at, k) < 0)
			return DEFINITION_BAD;
	emit_close(&d->fields, '}');
	if (json_parse(&d->json, d->fields.p, d->fields.n) < 0)
		return bad(d, s, at, "expected no field twice");
	return 0;
}

static int
markdown(struct definition *d, const char *path, int tell)
{
	struct source s = { path, &front.yml.json, NULL, 1, tell };

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
	struct source s = { path, &whole, NULL, 0, tell };
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
	const struct key *key;
	char *name;
	int k, m, at;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		name = json_dup(j, k);
		key = known(name);
		if (key->config)
			emit_member(b, j, k);
		free(name);
	}
	at = json_get(j, 0, "provider");
	for (m = json_first(j, at); m >= 0; m = json_next(j, m))
		emit_member(b, j, m);
}
