#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "pattern.h"
#include "schemacheck.h"

/* The value of a keyword of a schema. */
enum form {
	NOTE, /* binds nothing */
	ANY,  /* a value of any kind */
	ONE,
	LIST,
	MAP,
	TYPE,
	ARRAY,
	NAMES,
	NUMBER,
	COUNT,
	FLAG,
	PATTERN,
	REF
};

static const struct {
	const char *word;
	enum form form;
	int strict;
} words[] = {
	{"$schema", NOTE, 1}, {"$id", NOTE, 1}, {"$comment", NOTE, 1},
	{"title", NOTE, 1}, {"description", NOTE, 1}, {"default", NOTE, 0},
	{"examples", NOTE, 0}, {"deprecated", NOTE, 0},
	{"readOnly", NOTE, 0}, {"writeOnly", NOTE, 0},
	{"format", NOTE, 1}, {"discriminator", NOTE, 0},
	{"contentEncoding", NOTE, 0}, {"contentMediaType", NOTE, 0},
	{"propertyOrdering", NOTE, 0}, {"$defs", MAP, 1},
	{"definitions", MAP, 1}, {"$ref", REF, 1}, {"type", TYPE, 1},
	{"enum", ARRAY, 1}, {"const", ANY, 1}, {"properties", MAP, 1},
	{"required", NAMES, 1}, {"additionalProperties", ONE, 1},
	{"items", ONE, 1}, {"anyOf", LIST, 1}, {"oneOf", LIST, 0},
	{"allOf", LIST, 0}, {"nullable", FLAG, 0}, {"minimum", NUMBER, 1},
	{"maximum", NUMBER, 1}, {"exclusiveMinimum", NUMBER, 1},
	{"exclusiveMaximum", NUMBER, 1}, {"multipleOf", NUMBER, 1},
	{"minLength", COUNT, 0}, {"maxLength", COUNT, 0},
	{"pattern", PATTERN, 1}, {"minItems", COUNT, 1},
	{"maxItems", COUNT, 1}, {"uniqueItems", FLAG, 0},
	{"minProperties", COUNT, 0}, {"maxProperties", COUNT, 0},
};

static size_t
word(const struct json *j, int k)
{
	size_t n;

	for (n = 0; n < sizeof(words) / sizeof(*words); n++)
		if (json_is(j, k, words[n].word))
			break;
	return n;
}

const char *
schemacheck_word(size_t n, int *binds)
{
	if (n == sizeof(words) / sizeof(*words))
		return NULL;
	*binds = words[n].form != NOTE;
	return words[n].word;
}

static int
istype(const struct json *j, int i)
{
	size_t n;
	int k;

	if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0 && istype(j, k);
		     k = json_next(j, k))
			continue;
		return k < 0 && json_first(j, i) >= 0;
	}
	for (n = JSON_OBJECT; n <= JSON_NULL; n++)
		if (json_is(j, i, schema_kinds[n]))
			return 1;
	return json_is(j, i, "integer");
}

/* The value of a word that holds no schemas: NULL, or what was expected. */
static const char *
plain(struct schema s, enum form form)
{
	static struct buf b;
	enum json_kind kind = json_kind(s.j, s.at);
	const char *why;
	long long n;
	int k;

	switch (form) {
	case TYPE: return istype(s.j, s.at) ? NULL : "expected a type";
	case ARRAY: return kind == JSON_ARRAY ? NULL : "expected an array";
	case NAMES:
		k = json_first(s.j, s.at);
		while (k >= 0 && json_kind(s.j, k) == JSON_STRING)
			k = json_next(s.j, k);
		return kind == JSON_ARRAY && k < 0 ? NULL : "expected names";
	case NUMBER: return kind == JSON_NUMBER ? NULL : "expected a number";
	case COUNT:
		return json_int(s.j, s.at, &n) == 0 && n >= 0
		    ? NULL
		    : "expected a whole number";
	case FLAG:
		return kind == JSON_TRUE || kind == JSON_FALSE
		    ? NULL
		    : "expected true or false";
	case PATTERN:
		buf_reset(&b);
		if (json_str(s.j, s.at, &b) < 0)
			return "expected a pattern";
		return pattern_in(buf_cstr(&b), b.n, "", 0, &why) < 0 ? why
								      : NULL;
	case REF:
		return schema_target(s, s.at) >= 0
		    ? NULL
		    : "expected a place in this schema, as #/$defs/NAME";
	default: return NULL;
	}
}

int
schemacheck_fault(struct schema s, const char **why)
{
	enum json_kind kind = json_kind(s.j, s.at);
	struct schema in = s;
	size_t n;
	int k, m, bad;

	*why = "expected a schema";
	if (kind == JSON_TRUE || kind == JSON_FALSE)
		return -1;
	if (kind != JSON_OBJECT)
		return s.at;
	for (k = json_first(s.j, s.at); k >= 0; k = json_next(s.j, k)) {
		n = word(s.j, k);
		if (n == sizeof(words) / sizeof(*words)) {
			if (json_span(s.j, k).n > 3
			    && memcmp(json_span(s.j, k).p + 1, "x-", 2) == 0)
				continue;
			*why = "expected a word of JSON Schema that llmcall "
			       "can check";
			return k;
		}
		in.at = k + 1;
		*why = plain(in, words[n].form);
		if (*why != NULL)
			return k + 1;
		*why = "expected a schema";
		if (words[n].form == ONE
		    && (bad = schemacheck_fault(in, why)) >= 0)
			return bad;
		if (words[n].form != LIST && words[n].form != MAP)
			continue;
		*why = words[n].form == LIST ? "expected an array of schemas"
					     : "expected an object of schemas";
		if (json_kind(s.j, k + 1)
			!= (words[n].form == LIST ? JSON_ARRAY : JSON_OBJECT))
			return k + 1;
		for (m = json_first(s.j, k + 1); m >= 0;
		     m = json_next(s.j, m)) {
			in.at = words[n].form == LIST ? m : m + 1;
			bad = schemacheck_fault(in, why);
			if (bad >= 0)
				return bad;
		}
	}
	return -1;
}

int
schemacheck_strict(struct schema s)
{
	struct schema in = s;
	char *key;
	size_t n;
	int k, m, is = 1, props = json_get(s.j, s.at, "properties");

	if (json_kind(s.j, s.at) != JSON_OBJECT)
		return 0;
	if (schema_allows(s, JSON_OBJECT) && json_get(s.j, s.at, "$ref") < 0
	    && json_get(s.j, s.at, "anyOf") < 0
	    && json_kind(s.j, json_get(s.j, s.at, "additionalProperties"))
		!= JSON_FALSE)
		return 0;
	for (m = json_first(s.j, props); m >= 0 && is;
	     m = json_next(s.j, m)) {
		key = json_dup(s.j, m);
		is = key != NULL && schema_requires(s, key);
		free(key);
	}
	for (k = json_first(s.j, s.at); k >= 0 && is; k = json_next(s.j, k)) {
		n = word(s.j, k);
		if (n == sizeof(words) / sizeof(*words) || !words[n].strict)
			return 0;
		in.at = k + 1;
		if (words[n].form == ONE
		    && json_kind(s.j, k + 1) == JSON_OBJECT)
			is = schemacheck_strict(in);
		if (words[n].form != LIST && words[n].form != MAP)
			continue;
		for (m = json_first(s.j, k + 1); m >= 0 && is;
		     m = json_next(s.j, m)) {
			in.at = words[n].form == LIST ? m : m + 1;
			is = schemacheck_strict(in);
		}
	}
	return is;
}

static int
is_among(const struct json *j, int k, const struct strs *drop)
{
	size_t i;

	for (i = 0; i < drop->n; i++)
		if (json_is(j, k, drop->v[i]))
			return 1;
	return 0;
}

/* The schemas at i, elements of a list or values of a map. */
static void
each_without(
    struct buf *b, struct schema s, int i, const struct strs *drop)
{
	int m, map = json_kind(s.j, i) == JSON_OBJECT;

	emit_open(b, map ? '{' : '[');
	for (m = json_first(s.j, i); m >= 0; m = json_next(s.j, m)) {
		if (map)
			emit_keyj(b, json_span(s.j, m));
		schemacheck_without(b, schema_in(s, map ? m + 1 : m), drop);
	}
	emit_close(b, map ? '}' : ']');
}

void
schemacheck_without(struct buf *b, struct schema s, const struct strs *drop)
{
	enum form form;
	size_t n;
	int k, kind;

	if (json_kind(s.j, s.at) != JSON_OBJECT) {
		emit_span(b, json_span(s.j, s.at));
		return;
	}
	emit_open(b, '{');
	for (k = json_first(s.j, s.at); k >= 0; k = json_next(s.j, k)) {
		if (is_among(s.j, k, drop))
			continue;
		n = word(s.j, k);
		form = n < sizeof(words) / sizeof(*words) ? words[n].form
							  : NOTE;
		kind = json_kind(s.j, k + 1);
		emit_keyj(b, json_span(s.j, k));
		if (form == ONE)
			schemacheck_without(b, schema_in(s, k + 1), drop);
		else if ((form == LIST && kind == JSON_ARRAY)
		    || (form == MAP && kind == JSON_OBJECT))
			each_without(b, s, k + 1, drop);
		else
			emit_span(b, json_span(s.j, k + 1));
	}
	emit_close(b, '}');
}
