#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "schemafit.h"
#include "utf8.h"

enum {
	STILL = 64,	 /* schemas within one another, of the same value */
	STEPS = 1 << 20, /* alternatives in alternatives are soon too many */
	SHOWN = 60,	/* bytes of a value in a message */
	LISTED = 12	/* keys in a message; more are known by a title */
};

struct state {
	const struct json *j;
	struct buf *path, *why;
	long steps;
	int still;
	int muted; /* what is wrong with one of several alternatives */
	int lost;  /* there is no end */
	int here;  /* the value at hand, or the key that is one too many */
	const struct schemafit_file *file; /* NULL: none, a value */
};

int (*schemafit_pattern)(const char *, size_t, const char *, size_t,
    const char **);

static int fit(struct state *t, struct schema s, int i);

/* The same of a value within the one at hand. */
static int
fit_in(struct state *t, struct schema s, int i)
{
	int still = t->still, r;

	t->still = 0;
	r = fit(t, s, i);
	t->still = still;
	return r;
}

static int
no(struct state *t, const char *expected, struct span what, int i)
{
	struct span v = json_span(t->j, i);
	size_t n = utf8_cut(v.p, v.n, SHOWN);

	if (t->muted)
		return -1;
	buf_puts(t->why, expected);
	buf_span(t->why, what);
	if (i < 0)
		return -1;
	buf_puts(t->why, ", found ");
	buf_add(t->why, v.p, n);
	buf_puts(t->why, n < v.n ? "..." : "");
	return -1;
}

static const struct span none = {"", 0};
static const char endless[] = "expected a schema whose references end";

/* "a number", "an object", "null"; in a file "true or false". */
static void
one_of_type(struct state *t, struct span type)
{
	struct buf *b = t->why;

	if (t->file != NULL && span_is(type, "boolean")) {
		buf_puts(b, "true or false");
		return;
	}
	if (!span_is(type, "null"))
		buf_puts(b, strchr("aio", *type.p) != NULL ? "an " : "a ");
	buf_span(b, type);
}

/* The kind alone: the value may be long, and says no more. */
static int
wrong_kind(struct state *t, struct schema s, int type, int i)
{
	const char *before = "expected ";
	struct span v;
	int list = json_kind(s.j, type) == JSON_ARRAY, k;

	if (t->muted)
		return -1;
	if (type < 0)
		buf_puts(t->why, "expected nothing of the kind");
	for (k = list ? json_first(s.j, type) : type; k >= 0;
	     k = list ? json_next(s.j, k) : -1) {
		v = json_span(s.j, k);
		/* In a file null is a key that says nothing. */
		if (v.n < 3 || (list && t->file != NULL
		    && json_is(s.j, k, "null")))
			continue;
		buf_puts(t->why, before);
		one_of_type(t, (struct span){v.p + 1, v.n - 2});
		before = " or ";
	}
	buf_puts(t->why, ", found ");
	buf_puts(t->why, schema_kinds[json_kind(t->j, i)]);
	return -1;
}

/* Is it written as one, too?  A shell reads no 1e2, nor 2.0. */
static int
isdigits(struct span v)
{
	return memchr(v.p, '.', v.n) == NULL && memchr(v.p, 'e', v.n) == NULL
	    && memchr(v.p, 'E', v.n) == NULL;
}

static int
hastype(const struct state *t, const struct json *s, int type, int i)
{
	const struct json *j = t->j;
	int k;

	if (json_kind(s, type) == JSON_ARRAY) {
		for (k = json_first(s, type); k >= 0; k = json_next(s, k))
			if (hastype(t, s, k, i))
				return 1;
		return 0;
	}
	if (json_is(s, type, "integer"))
		return json_kind(j, i) == JSON_NUMBER && schema_iswhole(j, i)
		    && (t->file == NULL || isdigits(json_span(j, i)));
	return json_is(s, type, schema_kinds[json_kind(j, i)]);
}

/* "expected a, b or c, found ...": elements of an array, keys of an object. */
static int
not_among(struct state *t, const struct json *j, int list, int found)
{
	const char *before = "expected ";
	int k;

	for (k = json_first(j, list); k >= 0 && !t->muted;
	     k = json_next(j, k)) {
		buf_puts(t->why, before);
		if (json_str(j, k, t->why) < 0)
			buf_span(t->why, json_span(j, k));
		before = json_next(j, json_next(j, k)) < 0 ? " or " : ", ";
	}
	return no(t, "", none, found);
}

/* type, enum and const. */
static int
fit_value(struct state *t, struct schema s, int i)
{
	int at = json_get(s.j, s.at, "type"), k;

	if (json_kind(t->j, i) == JSON_NULL
	    && json_true(s.j, json_get(s.j, s.at, "nullable")))
		return 0;
	if (at >= 0 && !hastype(t, s.j, at, i))
		return json_kind(t->j, i) == JSON_NUMBER
			&& schema_allows(s, JSON_NUMBER)
		    ? no(t, "expected an integer", none, i)
		    : wrong_kind(t, s, at, i);
	at = json_get(s.j, s.at, "enum");
	if (at >= 0) {
		k = json_first(s.j, at);
		while (k >= 0 && !schema_same(s.j, k, t->j, i))
			k = json_next(s.j, k);
		if (k < 0 && t->file != NULL)
			return not_among(t, s.j, at, i);
		if (k < 0)
			return no(t, "expected one of ",
			    json_span(s.j, at), i);
	}
	at = json_get(s.j, s.at, "const");
	if (at >= 0 && !schema_same(s.j, at, t->j, i))
		return no(t, "expected ", json_span(s.j, at), i);
	return 0;
}

static int
fit_number(struct state *t, struct schema s, int i)
{
	static const struct {
		const char *word, *expected;
		int sign, orsame;
	} bounds[] = {{"minimum", "expected at least ", 1, 1},
	    {"maximum", "expected at most ", -1, 1},
	    {"exclusiveMinimum", "expected more than ", 1, 0},
	    {"exclusiveMaximum", "expected less than ", -1, 0}};
	double v, w, q;
	size_t n;
	int at;

	if (json_num(t->j, i, &v) < 0)
		return t->file == NULL ? 0 :
		    no(t, "expected a smaller number", none, i);
	for (n = 0; n < sizeof(bounds) / sizeof(*bounds); n++) {
		at = json_get(s.j, s.at, bounds[n].word);
		if (json_num(s.j, at, &w) < 0)
			continue;
		if ((v - w) * bounds[n].sign < 0
		    || (v == w && !bounds[n].orsame))
			return no(
			    t, bounds[n].expected, json_span(s.j, at), i);
	}
	at = json_get(s.j, s.at, "multipleOf");
	if (json_num(s.j, at, &w) < 0 || w == 0)
		return 0;
	/* 0.3 is a multiple of 0.1: as near as doubles can show. */
	q = v / w;
	if (fabs(q - nearbyint(q)) > 1e-9 * fmax(1, fabs(q)))
		return no(t, "expected a multiple of ", json_span(s.j, at), i);
	return 0;
}

static int
counted(struct state *t, const char *expected, long long bound,
    const char *thing, size_t n)
{
	if (!t->muted)
		buf_printf(t->why, "%s %lld %s%s, found %zu", expected, bound,
		    thing, bound == 1 ? "" : "s", n);
	return -1;
}

/* Words that bound a number of things. */
static int
count(struct state *t, struct schema s, const char *least, const char *most,
    const char *thing, size_t n)
{
	int at = json_get(s.j, s.at, least);
	long long v;

	if (json_int(s.j, at, &v) == 0 && v > 0 && n < (size_t)v)
		return counted(t, "expected at least", v, thing, n);
	at = json_get(s.j, s.at, most);
	if (json_int(s.j, at, &v) == 0 && v >= 0 && n > (size_t)v)
		return counted(t, "expected at most", v, thing, n);
	return 0;
}

static int
fit_string(struct state *t, struct schema s, int i)
{
	struct buf text = {0}, re = {0};
	int at = json_get(s.j, s.at, "pattern"), r;
	const char *why;
	size_t k, n = 0;

	json_str(t->j, i, &text);
	for (k = 0; k < text.n; k++)
		n += ((unsigned char)text.p[k] & 0xc0) != 0x80;
	r = count(t, s, "minLength", "maxLength", "character", n);
	if (r == 0 && schemafit_pattern != NULL && json_str(s.j, at, &re) == 0
	    && schemafit_pattern(buf_cstr(&re), re.n, buf_cstr(&text), text.n, &why)
		== 0)
		r = no(t, "expected a match of ", json_span(s.j, at), i);
	buf_free(&text);
	buf_free(&re);
	return r;
}

static int
fit_array(struct state *t, struct schema s, int i)
{
	struct schema in = schema_items(s);
	size_t at = 0, len = t->path->n;
	int k;

	if (count(t, s, "minItems", "maxItems", "item", json_count(t->j, i))
	    < 0)
		return -1;
	if (json_true(s.j, json_get(s.j, s.at, "uniqueItems"))
	    && !schema_unique(t->j, i))
		return no(t, "expected no item twice", none, -1);
	if (in.at < 0)
		return 0;
	for (k = json_first(t->j, i); k >= 0; k = json_next(t->j, k), at++) {
		buf_printf(t->path, "[%zu]", at);
		if (fit_in(t, in, k) < 0)
			return -1;
		t->path->n = len;
	}
	return 0;
}

/* The caller may not mind, once it knows. */
static int
unknown(struct state *t, int key)
{
	if (t->file == NULL || t->file->unknown == NULL || t->muted)
		return -1;
	t->file->unknown(t->file->arg, key, buf_cstr(t->why));
	buf_reset(t->why);
	return 0;
}

static int
one_too_many(struct state *t, struct schema s, struct schema in, int key)
{
	int keys = json_get(s.j, s.at, "properties");
	int title = json_get(s.j, s.at, "title");

	t->here = key;
	/* One that is false by its name, or one of no name that may be. */
	if (t->file == NULL || in.at != json_get(s.j, s.at, "additionalProperties"))
		return no(t, "expected no such member", none,
		    t->file != NULL ? key : -1);
	if (title < 0 || json_count(s.j, keys) <= LISTED) {
		not_among(t, s.j, keys, key);
	} else if (!t->muted) {
		buf_puts(t->why, "expected a key of ");
		json_str(s.j, title, t->why);
		no(t, "", none, key);
	}
	return unknown(t, key);
}

/* Is a required member not there? */
static int
lacks(struct state *t, struct schema s, int i)
{
	int k = json_first(s.j, json_get(s.j, s.at, "required")), has;
	char *key;

	for (; k >= 0; k = json_next(s.j, k)) {
		key = json_dup(s.j, k);
		has = key == NULL || json_get(t->j, i, key) >= 0;
		free(key);
		if (!has)
			return no(t, "expected a member ", json_span(s.j, k),
			    -1);
	}
	return 0;
}

static int
fit_object(struct state *t, struct schema s, int i)
{
	struct buf name = {0};
	struct schema in;
	size_t len = t->path->n;
	int k, r = 0;

	if (count(t, s, "minProperties", "maxProperties", "member",
		json_count(t->j, i))
	    < 0)
		return -1;
	if (t->file == NULL && lacks(t, s, i))
		return -1;
	for (k = json_first(t->j, i); k >= 0 && r == 0;
	     k = json_next(t->j, k)) {
		buf_reset(&name);
		buf_room(&name, 1);
		json_str(t->j, k, &name);
		in = schema_member(s, buf_view(&name));
		if (in.at < 0)
			continue;
		if (t->file == NULL)
			schema_enter(t->path, buf_view(&name));
		if (json_kind(s.j, in.at) == JSON_FALSE)
			r = one_too_many(t, s, in, k);
		else
			r = fit_in(t, in, k + 1);
		if (r == 0)
			t->path->n = len;
	}
	buf_free(&name);
	/* In a file a misspelt key says more than the one that it should be. */
	return r == 0 && t->file != NULL && lacks(t, s, i) ? -1 : r;
}

/* Number of alternatives that fit, up to most. */
static int
alternatives(struct state *t, struct schema s, int list, int i, int most)
{
	size_t path = t->path->n;
	int k, n = 0;

	t->muted++;
	for (k = json_first(s.j, list); k >= 0 && n < most && !t->lost;
	     k = json_next(s.j, k)) {
		n += fit(t, schema_in(s, k), i) == 0;
		t->path->n = path;
	}
	t->muted--;
	t->here = i;
	return n;
}

/*
 * None fits: where the value's kind leaves one alternative only, what is
 * wrong is said of that.
 */
static int
none_fits(struct state *t, struct schema s, int list, int i)
{
	enum json_kind kind = json_kind(t->j, i);
	int k, one = -1, n = 0;

	if (t->lost)
		return no(t, endless, none, -1);
	if (t->muted)
		return -1;
	for (k = json_first(s.j, list); k >= 0; k = json_next(s.j, k))
		if (schema_allows(schema_in(s, k), kind)) {
			one = k;
			n++;
		}
	if (n == 1)
		return fit(t, schema_in(s, one), i);
	return no(t, "expected one of the alternatives", none,
	    n == 0 ? i : -1);
}

static int
fit_choices(struct state *t, struct schema s, int i)
{
	int at = json_get(s.j, s.at, "allOf"), k;

	for (k = json_first(s.j, at); k >= 0; k = json_next(s.j, k))
		if (fit(t, schema_in(s, k), i) < 0)
			return -1;
	at = json_get(s.j, s.at, "anyOf");
	if (at >= 0 && alternatives(t, s, at, i, 1) == 0)
		return none_fits(t, s, at, i);
	at = json_get(s.j, s.at, "oneOf");
	k = at < 0 ? 1 : alternatives(t, s, at, i, 2);
	if (k == 0)
		return none_fits(t, s, at, i);
	if (k > 1)
		return no(t, "expected one alternative to fit, not several",
		    none, -1);
	return 0;
}

static int
fit_words(struct state *t, struct schema s, int i)
{
	int r = fit_value(t, s, i);

	/* Many a schema has a type and no more. */
	if (r < 0 || (json_count(s.j, s.at) == 1
	    && json_get(s.j, s.at, "type") >= 0))
		return r;
	switch (json_kind(t->j, i)) {
	case JSON_NUMBER: r = fit_number(t, s, i); break;
	case JSON_STRING: r = fit_string(t, s, i); break;
	case JSON_ARRAY: r = fit_array(t, s, i); break;
	case JSON_OBJECT: r = fit_object(t, s, i); break;
	default: break;
	}
	return r == 0 ? fit_choices(t, s, i) : r;
}

/* A text that is a number, true, false or null, held to s as that. */
static int
fit_scalar(struct state *t, struct schema s, int i, const char *text)
{
	const struct json *j = t->j;
	struct json scalar = {0};
	int r = 1;

	/* Text with a blank is compared whole. */
	if (json_parse(&scalar, text, strlen(text)) == 0
	    && json_kind(&scalar, 0) > JSON_STRING
	    && json_span(&scalar, 0).n == strlen(text)) {
		t->j = &scalar;
		r = fit(t, s, 0);
		t->j = j;
		t->here = i;
	}
	json_free(&scalar);
	return r;
}

/* In front matter 5 is a text.  1: it is no other kind that s wants. */
static int
fit_text(struct state *t, struct schema s, int i)
{
	char *text;
	int r;

	if (t->file == NULL || !t->file->istext || schema_allows(s, JSON_STRING)
	    || (text = json_dup(t->j, i)) == NULL)
		return 1;
	r = fit_scalar(t, s, i, text);
	free(text);
	return r;
}

static int
fit(struct state *t, struct schema s, int i)
{
	enum json_kind kind = json_kind(t->j, i);
	int ref = json_get(s.j, s.at, "$ref"), was = t->here, r = 0;

	if (s.at < 0 || json_kind(s.j, s.at) == JSON_TRUE)
		return 0;
	if (json_kind(s.j, s.at) == JSON_FALSE)
		return wrong_kind(t, s, -1, i);
	if (t->lost || ++t->steps > STEPS || t->still == STILL) {
		t->lost = 1;
		return no(t, endless, none, -1);
	}
	if (kind == JSON_STRING && (r = fit_text(t, s, i)) <= 0) {
		t->here = r < 0 ? i : was;
		return r;
	}
	t->still++;
	t->here = i;
	r = 0;
	if (ref >= 0)
		r = fit(t, schema_in(s, schema_target(s, ref)), i);
	/* Most references stand alone. */
	if (r == 0 && (ref < 0 || json_count(s.j, s.at) > 1))
		r = fit_words(t, s, i);
	t->still--;
	if (r == 0)
		t->here = was;
	return r;
}

int
schemafit_file(struct schema s, const struct json *j, int i,
    const struct schemafit_file *file, int *at, struct buf *why)
{
	static struct buf path;
	struct state t = {.j = j, .path = &path, .why = why, .file = file};
	int r;

	buf_reset(&path);
	r = fit(&t, s, i);
	*at = t.here;
	return r == 0 && t.lost ? no(&t, endless, none, -1) : r;
}

int
schemafit(struct schema s, const struct json *j, int i, struct buf *path,
    struct buf *why)
{
	struct state t = {.j = j, .path = path, .why = why};

	int r = fit(&t, s, i);

	return r == 0 && t.lost ? no(&t, endless, none, -1) : r;
}
