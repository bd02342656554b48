#include <stdlib.h>
#include <string.h>

#include "coerce.h"
#include "emit.h"

int
tooldef_named(const struct json *request, struct span name)
{
	int t = json_first(request, json_get(request, 0, "tools")), f;
	char *s;

	if (name.n == 0 || memchr(name.p, '\0', name.n) != NULL)
		return -1;
	s = xstrndup(name.p, name.n);
	for (f = -1; t >= 0; t = json_next(request, t)) {
		f = json_get(request, t, "function");
		if (f < 0)
			f = t;
		if (json_is(request, json_get(request, f, "name"), s))
			break;
	}
	free(s);
	return t < 0 ? -1 : f;
}

int
tooldef_find(const struct json *request, const struct json *j, int i)
{
	struct buf name = {0};
	int t = -1;

	if (json_str(j, i, &name) == 0)
		t = tooldef_named(request, buf_view(&name));
	buf_free(&name);
	return t;
}

struct schema
tooldef_schema(const struct json *request, int tool)
{
	struct schema s = {request, 0, -1};

	s.at = json_get(request, tool, "parameters");
	/* References are those of the schema, not of the request. */
	s.root = s.at;
	return s;
}

enum { HOPS = 64 };

struct state {
	struct buf path;
	struct strs *paths;
	size_t changes;
};

static void value(struct state *t, struct buf *b, struct schema s,
    const struct json *j, int i);

static void
changed(struct state *t)
{
	t->changes++;
	strs_add(t->paths, buf_cstr(&t->path));
}

/*
 * The schema that a value of this kind must fit: references followed, and of
 * alternatives the only one for it.  Where that is not one, none.
 */
static struct schema
narrow(struct schema s, enum json_kind kind)
{
	static const char *const lists[] = {"anyOf", "oneOf", "allOf"};
	int hops, k, one, list;
	size_t n;

	for (hops = 0; hops < HOPS; hops++) {
		s = schema_ref(s);
		if (json_get(s.j, s.at, "type") >= 0
		    || json_get(s.j, s.at, "properties") >= 0)
			return s;
		for (n = 0, list = -1; n < 3 && list < 0; n++)
			list = json_get(s.j, s.at, lists[n]);
		if (list < 0)
			return s;
		one = -1;
		for (k = json_first(s.j, list); k >= 0;
		     k = json_next(s.j, k)) {
			if (!schema_allows(schema_in(s, k), kind))
				continue;
			if (one >= 0)
				return schema_in(s, -1);
			one = k;
		}
		s.at = one;
	}
	return schema_in(s, -1);
}

/* Of numbers, does it take whole ones only? */
static int
integral(struct schema s)
{
	int type, k, is = 0;

	s = narrow(s, JSON_NUMBER);
	type = json_get(s.j, s.at, "type");
	if (json_kind(s.j, type) != JSON_ARRAY)
		return json_is(s.j, type, "integer");
	for (k = json_first(s.j, type); k >= 0; k = json_next(s.j, k)) {
		if (json_is(s.j, k, "number"))
			return 0;
		is |= json_is(s.j, k, "integer");
	}
	return is;
}

static int
isplain(struct span s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (strchr(".eE", s.p[i]) != NULL)
			return 0;
	return 1;
}

/* A number; 1 if it had a point or an exponent that are gone. */
static int
whole_or_all(struct buf *b, struct schema s, const struct json *j, int i)
{
	struct span v = json_span(j, i);
	long long n;

	if (isplain(v) || !integral(s) || json_int(j, i, &n) < 0) {
		emit_span(b, v);
		return 0;
	}
	emit_int(b, n);
	return 1;
}

/* Of a kind of which the schema takes only this one. */
static int
wanted(struct schema s, const struct json *v)
{
	enum json_kind kind = json_kind(v, 0);

	return schema_allows(s, kind)
	    && (kind != JSON_NUMBER || !integral(s)
		|| schema_iswhole(v, 0));
}

/* A string where there may be none: is it the text of what may be? */
static void
string(struct state *t, struct buf *b, struct schema s, const struct json *j,
    int i)
{
	struct buf text = {0};
	struct json v = {0};

	if (s.at < 0 || schema_allows(s, JSON_STRING)
	    || json_str(j, i, &text) < 0) {
		emit_span(b, json_span(j, i));
		return;
	}
	/* As Python writes them. */
	if (span_is(buf_view(&text), "True")
	    || span_is(buf_view(&text), "False"))
		text.p[0] += 'a' - 'A';
	if (json_parse(&v, text.p, text.n) == 0 && wanted(s, &v)) {
		changed(t);
		if (json_kind(&v, 0) == JSON_NUMBER)
			whole_or_all(b, s, &v, 0);
		else
			value(t, b, s, &v, 0);
	} else {
		emit_span(b, json_span(j, i));
	}
	json_free(&v);
	buf_free(&text);
}

/*
 * Arguments of a call within a call, as batch has them: where the schema says
 * only that there are some, that of the tool which the object names.
 */
static struct schema
inner(struct schema s, const struct json *j, int object)
{
	struct schema in = narrow(s, JSON_OBJECT);
	int tool;

	if (in.at < 0 || json_get(in.j, in.at, "properties") >= 0)
		return s;
	tool = tooldef_find(s.j, j, json_get(j, object, "name"));
	return tool < 0 ? s : tooldef_schema(s.j, tool);
}

static void
object(struct state *t, struct buf *b, struct schema s, const struct json *j,
    int i)
{
	struct buf key = {0};
	struct schema in;
	size_t len = t->path.n;
	int k;

	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&key);
		json_str(j, k, &key);
		in = schema_member(s, buf_view(&key));
		if (json_is(j, k, "arguments"))
			in = inner(in, j, i);
		schema_enter(&t->path, buf_view(&key));
		if (json_kind(j, k + 1) == JSON_NULL && in.at >= 0
		    && !schema_allows(in, JSON_NULL)
		    && !schema_requires(s, buf_cstr(&key))) {
			changed(t);
		} else {
			emit_keyj(b, json_span(j, k));
			value(t, b, in, j, k + 1);
		}
		t->path.n = len;
	}
	emit_close(b, '}');
	buf_free(&key);
}

static void
array(struct state *t, struct buf *b, struct schema s, const struct json *j,
    int i)
{
	struct schema in = schema_items(s);
	size_t len = t->path.n, at = 0;
	int k;

	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_printf(&t->path, "[%zu]", at++);
		value(t, b, in, j, k);
		t->path.n = len;
	}
	emit_close(b, ']');
}

static void
value(struct state *t, struct buf *b, struct schema s, const struct json *j,
    int i)
{
	enum json_kind kind = json_kind(j, i);
	size_t n = t->changes, from = b->n;

	switch (s.at < 0 ? JSON_NONE : kind) {
	case JSON_NUMBER:
		if (whole_or_all(b, s, j, i))
			changed(t);
		return;
	case JSON_STRING: string(t, b, s, j, i); return;
	case JSON_OBJECT:
		object(t, b, narrow(s, kind), j, i);
		break;
	case JSON_ARRAY: array(t, b, narrow(s, kind), j, i); break;
	default: emit_span(b, json_span(j, i)); return;
	}
	if (t->changes == n) {
		b->n = from;
		emit_span(b, json_span(j, i));
	}
}

size_t
coerce(struct buf *b, struct schema s, const struct json *j, int i,
    struct strs *paths)
{
	struct state t = {{0}, paths, 0};

	buf_room(&t.path, 1);
	value(&t, b, s, j, i);
	buf_free(&t.path);
	return t.changes;
}
