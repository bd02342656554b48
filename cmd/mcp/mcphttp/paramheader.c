#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "diag.h"
#include "emit.h"
#include "paramheader.h"

static const char OPENING[] = "=?base64?", CLOSING[] = "?=";

enum { DEPTH = 16 }; /* of properties within properties */

/* An argument that is a header: "TOOL", its "path" as a JSON array, "Name". */
static struct strs tools, paths, names;

static void
forget(const char *tool)
{
	struct strs t = { 0 }, p = { 0 }, n = { 0 };
	size_t i;

	for (i = 0; i < tools.n; i++) {
		if (strcmp(tools.v[i], tool) == 0)
			continue;
		strs_add(&t, tools.v[i]);
		strs_add(&p, paths.v[i]);
		strs_add(&n, names.v[i]);
	}
	strs_free(&tools);
	strs_free(&paths);
	strs_free(&names);
	tools = t;
	paths = p;
	names = n;
}

static int
istoken(struct span s)
{
	static const char more[] = "!#$%&'*+-.^_`|~";
	size_t i;
	char c;

	for (i = 0; i < s.n; i++) {
		c = s.p[i];
		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')
		    && !(c >= '0' && c <= '9')
		    && (c == '\0' || strchr(more, c) == NULL))
			return 0;
	}
	return s.n > 0;
}

/* Number of annotations below i, without properties that have that name. */
static int
count(const struct json *j, int i, int isproperties)
{
	int k, n = 0;

	if (json_kind(j, i) == JSON_OBJECT)
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			n += !isproperties && json_is(j, k, "x-mcp-header");
			n += count(j, k + 1, !isproperties
			    && json_is(j, k, "properties"));
		}
	else if (json_kind(j, i) == JSON_ARRAY)
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			n += count(j, k, 0);
	return n;
}

/* One annotated property.  NULL, or what is wrong. */
static const char *
learn_one(const struct json *j, int property, int mark, const char *tool,
    const struct buf *path)
{
	static struct buf name;
	int type = json_get(j, property, "type");
	struct buf lower = { 0 };
	size_t i;

	buf_reset(&name);
	if (json_str(j, mark, &name) < 0 || !istoken(buf_view(&name)))
		return "expected the name of a header";
	if (!json_is(j, type, "string") && !json_is(j, type, "integer")
	    && !json_is(j, type, "boolean"))
		return "expected the type string, integer or boolean";
	for (i = 0; i < name.n; i++)
		if (name.p[i] >= 'A' && name.p[i] <= 'Z')
			name.p[i] = (char)(name.p[i] + 'a' - 'A');
	for (i = 0; i < tools.n; i++)
		if (strcmp(tools.v[i], tool) == 0
		    && strcmp(names.v[i], buf_cstr(&name)) == 0)
			return "expected different names";
	strs_add(&tools, tool);
	buf_span(&lower, buf_view(path));
	buf_puts(&lower, "]");
	strs_add(&paths, buf_cstr(&lower));
	buf_free(&lower);
	strs_add(&names, buf_cstr(&name));
	return NULL;
}

/* The annotated properties of a schema, through "properties" only. */
static const char *
learn(const struct json *j, int schema, const char *tool, struct buf *path,
    int depth, int *found)
{
	int k, mark, all = json_get(j, schema, "properties");
	const char *why;
	size_t n = path->n;

	for (k = json_first(j, all); k >= 0 && depth < DEPTH;
	     k = json_next(j, k)) {
		path->n = n;
		if (n > 1)
			buf_putc(path, ',');
		buf_span(path, json_span(j, k));
		mark = json_get(j, k + 1, "x-mcp-header");
		if (mark >= 0) {
			++*found;
			why = learn_one(j, k + 1, mark, tool, path);
			if (why != NULL)
				return why;
		}
		why = learn(j, k + 1, tool, path, depth + 1, found);
		if (why != NULL)
			return why;
	}
	path->n = n;
	return NULL;
}

/* Is the tool at i of use? */
static int
isgood(const struct json *j, int i)
{
	static struct strs said;
	char *tool = json_dup(j, json_get(j, i, "name"));
	int schema = json_get(j, i, "inputSchema"), found = 0;
	struct buf path = { 0 };
	const char *why;

	if (tool == NULL)
		return 1;
	forget(tool);
	buf_putc(&path, '[');
	why = learn(j, schema, tool, &path, 0, &found);
	if (why == NULL && count(j, schema, 0) > found)
		why = "expected it along properties alone";
	if (why != NULL) {
		forget(tool);
		if (strs_find(&said, tool) < 0) {
			strs_add(&said, tool);
			warn("tool %s: left out: x-mcp-header: %s", tool, why);
		}
	}
	buf_free(&path);
	return why == NULL;
}

void
paramheader_list(struct buf *b, const struct json *j)
{
	static struct buf list, result;
	int r = json_get(j, 0, "result"), k, at = json_get(j, r, "tools");

	buf_reset(&list);
	buf_reset(&result);
	emit_open(&list, '[');
	for (k = json_first(j, at); k >= 0; k = json_next(j, k))
		if (isgood(j, k))
			emit_compact(&list, json_span(j, k));
	emit_close(&list, ']');
	if (json_kind(j, at) != JSON_ARRAY) {
		emit_compact(b, json_span(j, 0));
		return;
	}
	emit_object(&result, j, r, "tools", buf_view(&list));
	buf_reset(&list);
	emit_object(&list, j, 0, "result", buf_view(&result));
	emit_compact(b, buf_view(&list));
}

void
paramheader_value(struct buf *b, const char *p, size_t n)
{
	size_t i, open = sizeof(OPENING) - 1, close = sizeof(CLOSING) - 1;
	int isplain = n > 0 && p[0] != ' ' && p[0] != '\t'
	    && p[n - 1] != ' ' && p[n - 1] != '\t';

	for (i = 0; i < n && isplain; i++)
		isplain = p[i] == '\t' || (p[i] >= ' ' && p[i] <= '~');
	if (isplain && n >= open + close && memcmp(p, OPENING, open) == 0
	    && memcmp(p + n - close, CLOSING, close) == 0)
		isplain = 0;
	if (isplain) {
		buf_add(b, p, n);
		return;
	}
	buf_puts(b, OPENING);
	base64_put(b, p, n);
	buf_puts(b, CLOSING);
}

/* The argument at a path of keys; -1: it is not there. */
static int
argument(const struct json *j, const char *path)
{
	static struct json p;
	int k, i = json_at(j, 0, "params.arguments");
	char *key;

	if (json_parse(&p, path, strlen(path)) < 0)
		return -1;
	for (k = json_first(&p, 0); k >= 0 && i >= 0; k = json_next(&p, k)) {
		key = json_dup(&p, k);
		i = key != NULL ? json_get(j, i, key) : -1;
		free(key);
	}
	return i;
}

void
paramheader_add(struct strs *headers, struct span body)
{
	static struct json j;
	static struct buf b, value;
	long long v;
	size_t i;
	int at;

	if (tools.n == 0 || json_parse(&j, body.p, body.n) < 0)
		return;
	for (i = 0; i < tools.n; i++) {
		if (!json_is(&j, json_at(&j, 0, "params.name"), tools.v[i])
		    || (at = argument(&j, paths.v[i])) < 0)
			continue;
		buf_reset(&value);
		if (json_kind(&j, at) == JSON_STRING)
			json_str(&j, at, &value);
		else if (json_int(&j, at, &v) == 0)
			buf_printf(&value, "%lld", v);
		else if (json_kind(&j, at) == JSON_TRUE
		    || json_kind(&j, at) == JSON_FALSE)
			buf_span(&value, json_span(&j, at));
		else
			continue;
		buf_reset(&b);
		buf_printf(&b, "Mcp-Param-%s: ", names.v[i]);
		paramheader_value(&b, value.p, value.n);
		strs_add(headers, buf_cstr(&b));
	}
}
