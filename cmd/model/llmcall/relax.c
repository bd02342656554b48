#include <string.h>

#include "emit.h"
#include "relax.h"
#include "schema.h"

static void schema(struct buf *b, const struct json *j, int i, int optional);

/* Types that text is often written for. */
static int
is_scalar(const struct json *j, int i)
{
	return json_is(j, i, "number") || json_is(j, i, "integer")
	    || json_is(j, i, "boolean");
}

static void
types(struct buf *b, const struct json *j, int i, int optional)
{
	int k, text = 0, null = 0, scalar = 0, list;

	list = json_kind(j, i) == JSON_ARRAY;
	for (k = list ? json_first(j, i) : i; k >= 0;
	     k = list ? json_next(j, k) : -1) {
		text |= json_is(j, k, "string");
		null |= json_is(j, k, "null");
		scalar |= is_scalar(j, k);
	}
	if (!(scalar && !text) && !(optional && !null)) {
		emit_span(b, json_span(j, i));
		return;
	}
	emit_open(b, '[');
	for (k = list ? json_first(j, i) : i; k >= 0;
	     k = list ? json_next(j, k) : -1)
		emit_span(b, json_span(j, k));
	if (scalar && !text)
		emit_cstr(b, "string");
	if (optional && !null)
		emit_cstr(b, "null");
	emit_close(b, ']');
}

/* A list of values that are taken, or of schemas, with null too. */
static void
with_null(struct buf *b, const struct json *j, int i, int isschemas)
{
	int k;

	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (isschemas)
			schema(b, j, k, 0);
		else
			emit_span(b, json_span(j, k));
	if (isschemas)
		emit_raw(b, "{\"type\":\"null\"}", 15);
	else
		emit_null(b);
	emit_close(b, ']');
}

/* Its members or elements are schemas. */
static void
schemas(struct buf *b, const struct json *j, int i)
{
	int k, list = json_kind(j, i) == JSON_ARRAY;

	emit_open(b, list ? '[' : '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (!list)
			emit_keyj(b, json_span(j, k));
		schema(b, j, list ? k : k + 1, 0);
	}
	emit_close(b, list ? ']' : '}');
}

static void
properties(struct buf *b, const struct json *j, int object, int i)
{
	struct schema s = {j, object, object};
	struct buf name = {0};
	int k;

	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		json_str(j, k, &name);
		emit_keyj(b, json_span(j, k));
		schema(b, j, k + 1, !schema_requires(s, buf_cstr(&name)));
	}
	emit_close(b, '}');
	buf_free(&name);
}

static int
has_null(const struct json *j, int i)
{
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (json_kind(j, k) == JSON_NULL
		    || json_is(j, json_get(j, k, "type"), "null"))
			return 1;
	return 0;
}

static void
member(struct buf *b, const struct json *j, int object, int k, int optional)
{
	enum json_kind kind = json_kind(j, k + 1);
	int isobject = kind == JSON_OBJECT, islist = kind == JSON_ARRAY;

	if (json_is(j, k, "type")) {
		types(b, j, k + 1, optional);
	} else if (json_is(j, k, "properties") && isobject) {
		properties(b, j, object, k + 1);
	} else if (islist && (json_is(j, k, "anyOf") || json_is(j, k, "oneOf")
		|| json_is(j, k, "enum"))) {
		if (optional && !has_null(j, k + 1))
			with_null(b, j, k + 1, !json_is(j, k, "enum"));
		else if (json_is(j, k, "enum"))
			emit_span(b, json_span(j, k + 1));
		else
			schemas(b, j, k + 1);
	} else if (isobject && (json_is(j, k, "items")
		|| json_is(j, k, "additionalProperties"))) {
		schema(b, j, k + 1, 0);
	} else if ((isobject && (json_is(j, k, "$defs")
			|| json_is(j, k, "definitions")
			|| json_is(j, k, "patternProperties")))
	    || (islist && (json_is(j, k, "items")
		|| json_is(j, k, "prefixItems")))) {
		schemas(b, j, k + 1);
	} else {
		emit_span(b, json_span(j, k + 1));
	}
}

/* The schema at i; whether what it is of may be left out. */
static void
schema(struct buf *b, const struct json *j, int i, int optional)
{
	int k;

	if (json_kind(j, i) != JSON_OBJECT) {
		emit_span(b, json_span(j, i));
		return;
	}
	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		emit_keyj(b, json_span(j, k));
		member(b, j, i, k, optional);
	}
	emit_close(b, '}');
}

static void
tool(struct buf *b, const struct json *j, int t)
{
	static struct buf parameters, function;
	int f = json_get(j, t, "function"), at = f >= 0 ? f : t;
	int p = json_get(j, at, "parameters");

	if (p < 0 || json_true(j, json_get(j, at, "strict"))) {
		emit_span(b, json_span(j, t));
		return;
	}
	buf_reset(&parameters);
	buf_reset(&function);
	schema(&parameters, j, p, 0);
	emit_object(&function, j, at, "parameters", buf_view(&parameters));
	if (f < 0) {
		emit_span(b, buf_view(&function));
		return;
	}
	buf_reset(&parameters);
	emit_object(&parameters, j, t, "function", buf_view(&function));
	emit_span(b, buf_view(&parameters));
}

const struct json *
relax_request(const struct json *j)
{
	static struct buf b, tools;
	static struct json relaxed;
	int list = json_get(j, 0, "tools"), t;

	if (json_kind(j, list) != JSON_ARRAY)
		return j;
	buf_reset(&b);
	buf_reset(&tools);
	emit_open(&tools, '[');
	for (t = json_first(j, list); t >= 0; t = json_next(j, t))
		tool(&tools, j, t);
	emit_close(&tools, ']');
	emit_object(&b, j, 0, "tools", buf_view(&tools));
	/* Made of what was parsed once, so only its depth could be a fault. */
	return json_parse(&relaxed, b.p, b.n) < 0 ? j : &relaxed;
}
