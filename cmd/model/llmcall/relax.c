#include <string.h>

#include "emit.h"
#include "relax.h"
#include "schemacheck.h"

static schemacheck_editor relax;

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
with_null(struct buf *b, struct schema s, int i, int isschemas)
{
	int k;

	emit_open(b, '[');
	for (k = json_first(s.j, i); k >= 0; k = json_next(s.j, k))
		if (isschemas)
			schemacheck_edit(b, schema_in(s, k), 0, relax, NULL);
		else
			emit_span(b, json_span(s.j, k));
	if (isschemas)
		emit_raw(b, "{\"type\":\"null\"}", 15);
	else
		emit_null(b);
	emit_close(b, ']');
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

static int
relax(struct buf *b, struct schema s, int k, int optional, const void *arg)
{
	int values = json_is(s.j, k, "enum");

	(void)arg;
	if (json_is(s.j, k, "type")) {
		emit_keyj(b, json_span(s.j, k));
		types(b, s.j, k + 1, optional);
		return 1;
	}
	if (!optional || json_kind(s.j, k + 1) != JSON_ARRAY
	    || has_null(s.j, k + 1)
	    || (!values && !json_is(s.j, k, "anyOf")
		&& !json_is(s.j, k, "oneOf")))
		return 0;
	emit_keyj(b, json_span(s.j, k));
	with_null(b, s, k + 1, !values);
	return 1;
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
	schemacheck_edit(&parameters, (struct schema){j, p, p}, 0, relax, NULL);
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
