#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "jsoncanon.h"
#include "schema.h"

enum {
	HOPS = 64,     /* of references, and of alternatives in one another */
	STEPS = 1 << 10 /* in all: each may double the number of the next */
};

const char *const schema_kinds[] = {
	[JSON_NONE] = "nothing",
	[JSON_OBJECT] = "object",
	[JSON_ARRAY] = "array",
	[JSON_STRING] = "string",
	[JSON_NUMBER] = "number",
	[JSON_TRUE] = "boolean",
	[JSON_FALSE] = "boolean",
	[JSON_NULL] = "null",
};

static const char *const choices[] = {"anyOf", "oneOf"};

struct schema
schema_in(struct schema s, int at)
{
	s.at = at;
	return s;
}

/* One step of a JSON Pointer, in p and n; the rest stays there. */
static int
step(const struct json *j, int i, const char **p, const char *end)
{
	static struct buf name;
	unsigned long n;
	char *stop;
	int k;

	buf_reset(&name);
	for (++*p; *p < end && **p != '/'; ++*p)
		if (**p == '~' && *p + 1 < end) {
			++*p;
			buf_putc(&name, **p == '1' ? '/' : '~');
		} else {
			buf_putc(&name, **p);
		}
	if (json_kind(j, i) != JSON_ARRAY)
		return json_get(j, i, buf_cstr(&name));
	n = strtoul(buf_cstr(&name), &stop, 10);
	if (name.n == 0 || *stop != '\0')
		return -1;
	for (k = json_first(j, i); k >= 0 && n > 0; n--)
		k = json_next(j, k);
	return k;
}

int
schema_target(struct schema s, int ref)
{
	static struct buf text;
	const char *p, *end;
	int at = s.root;

	buf_reset(&text);
	if (json_str(s.j, ref, &text) < 0 || text.n == 0 || text.p[0] != '#')
		return -1;
	end = text.p + text.n;
	for (p = text.p + 1; p < end && at >= 0;)
		at = *p == '/' ? step(s.j, at, &p, end) : -1;
	return at;
}

struct schema
schema_ref(struct schema s)
{
	int hops, ref;

	for (hops = 0; s.at >= 0; hops++) {
		ref = json_get(s.j, s.at, "$ref");
		if (ref < 0)
			return s;
		s.at = hops < HOPS ? schema_target(s, ref) : -1;
	}
	return s;
}

static int
named(const struct json *j, int type, enum json_kind kind)
{
	int k;

	if (json_kind(j, type) != JSON_ARRAY)
		return json_is(j, type, schema_kinds[kind])
		    || (kind == JSON_NUMBER && json_is(j, type, "integer"));
	for (k = json_first(j, type); k >= 0; k = json_next(j, k))
		if (named(j, k, kind))
			return 1;
	return 0;
}

static int
listed(const struct json *j, int list, enum json_kind kind)
{
	int k;

	for (k = json_first(j, list); k >= 0; k = json_next(j, k))
		if (strcmp(schema_kinds[json_kind(j, k)], schema_kinds[kind]) == 0)
			return 1;
	return 0;
}

static int
allows(struct schema s, enum json_kind kind, int depth, int *steps)
{
	size_t n;
	int i, k, any;

	s = schema_ref(s);
	if (s.at < 0 || depth == HOPS || --*steps < 0)
		return 1;
	if (json_kind(s.j, s.at) == JSON_FALSE)
		return 0;
	i = json_get(s.j, s.at, "type");
	if (i >= 0 && !named(s.j, i, kind)
	    && !(kind == JSON_NULL
		&& json_true(s.j, json_get(s.j, s.at, "nullable"))))
		return 0;
	i = json_get(s.j, s.at, "enum");
	if (i >= 0 && !listed(s.j, i, kind))
		return 0;
	i = json_get(s.j, s.at, "const");
	if (i >= 0
	    && strcmp(schema_kinds[json_kind(s.j, i)], schema_kinds[kind]) != 0)
		return 0;
	for (n = 0; n < 2; n++) {
		i = json_get(s.j, s.at, choices[n]);
		any = i < 0;
		for (k = json_first(s.j, i); k >= 0 && !any;
		     k = json_next(s.j, k))
			any = allows(schema_in(s, k), kind, depth + 1, steps);
		if (!any)
			return 0;
	}
	i = json_get(s.j, s.at, "allOf");
	for (k = json_first(s.j, i); k >= 0; k = json_next(s.j, k))
		if (!allows(schema_in(s, k), kind, depth + 1, steps))
			return 0;
	return 1;
}

int
schema_allows(struct schema s, enum json_kind kind)
{
	int steps = STEPS;

	return allows(s, kind, 0, &steps);
}

int
schema_requires(struct schema s, const char *key)
{
	int k = json_first(s.j, json_get(s.j, s.at, "required"));

	for (; k >= 0; k = json_next(s.j, k))
		if (json_is(s.j, k, key))
			return 1;
	return 0;
}

struct schema
schema_member(struct schema s, struct span key)
{
	int i = json_find(s.j, json_get(s.j, s.at, "properties"), key);

	/* Of a name that may fit a pattern nothing is known. */
	if (i < 0 && json_get(s.j, s.at, "patternProperties") < 0)
		i = json_get(s.j, s.at, "additionalProperties");
	return schema_in(s, i);
}

struct schema
schema_items(struct schema s)
{
	return schema_in(s, json_get(s.j, s.at, "prefixItems") < 0
		? json_get(s.j, s.at, "items") : -1);
}

void
schema_enter(struct buf *path, struct span key)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t i;

	for (i = 0; i < key.n && key.p[i] != '\0'
	     && strchr(plain, key.p[i]) != NULL;
	     i++)
		continue;
	if (key.n > 0 && i == key.n) {
		buf_putc(path, '.');
		buf_span(path, key);
		return;
	}
	buf_puts(path, "[\"");
	emit_escape(path, key.p, key.n);
	buf_puts(path, "\"]");
}

static int
same_members(const struct json *a, int i, const struct json *b, int k)
{
	char *key;
	int p, q;

	for (p = json_first(a, i); p >= 0; p = json_next(a, p)) {
		key = json_dup(a, p);
		q = key == NULL ? -1 : json_get(b, k, key);
		free(key);
		if (q < 0 || !schema_same(a, p + 1, b, q))
			return 0;
	}
	return 1;
}

static int
same_text(const struct json *a, int i, const struct json *b, int k)
{
	struct buf s = {0}, t = {0};
	int is;

	json_str(a, i, &s);
	json_str(b, k, &t);
	is = span_same(buf_view(&s), buf_view(&t));
	buf_free(&s);
	buf_free(&t);
	return is;
}

static int
same_span(struct span a, struct span b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

int
schema_iswhole(const struct json *j, int i)
{
	struct span s = json_span(j, i);
	double v;
	size_t k;

	for (k = 0; k < s.n; k++)
		if (strchr(".eE", s.p[k]) != NULL)
			return json_num(j, i, &v) == 0 && floor(v) == v;
	return json_kind(j, i) == JSON_NUMBER;
}

int
schema_same(const struct json *a, int i, const struct json *b, int k)
{
	double x, y;
	int p, q;

	if (json_kind(a, i) != json_kind(b, k)
	    || json_count(a, i) != json_count(b, k))
		return 0;
	switch (json_kind(a, i)) {
	case JSON_OBJECT: return same_members(a, i, b, k);
	case JSON_STRING: return same_text(a, i, b, k);
	case JSON_NUMBER:
		return json_num(a, i, &x) == 0 && json_num(b, k, &y) == 0
		    ? x == y
		    : same_span(json_span(a, i), json_span(b, k));
	case JSON_ARRAY:
		p = json_first(a, i);
		q = json_first(b, k);
		for (; p >= 0 && schema_same(a, p, b, q);
		     p = json_next(a, p), q = json_next(b, q))
			continue;
		return p < 0;
	default: return 1;
	}
}

int
schema_unique(const struct json *j, int i)
{
	struct strs l = {0};
	struct buf b = {0};
	size_t n;
	int k, is = 1;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&b);
		jsoncanon_json(&b, j, k);
		strs_add(&l, buf_cstr(&b));
	}
	strs_sort(&l);
	for (n = 1; n < l.n && is; n++)
		is = strcmp(l.v[n - 1], l.v[n]) != 0;
	strs_free(&l);
	buf_free(&b);
	return is;
}
