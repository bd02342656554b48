#include <stdlib.h>
#include <string.h>

#include "coerce.h"
#include "emit.h"
#include "fileshape.h"
#include "textcalls.h"

/*
 * One form in which a model writes tool calls as text, and what a text in
 * it says.  turnpipe-providers(5), LEAKED CALLS.
 */

enum callform_match {
	CALLFORM_NO,
	CALLFORM_YES,
	CALLFORM_MORE /* it may be, if more comes */
};

/* A call: its tool's name and its arguments, an object's text or nothing. */
struct callform_found {
	struct buf name, args;
};

/* A zeroed struct with the first three set is ready. */
struct callform {
	const struct json *request; /* whose tools may be called */
	const struct json *words; /* names of a call's members: leaks.yaml */
	const char *parameter; /* the form of {{parameters}}, or "" */
	struct callform_found *v; /* owned, until the next match */
	size_t n, cap;
	const char *p, *end; /* the rest of the text */
};

static void
blanks(struct callform *s)
{
	while (s->p < s->end && strchr(" \t\r\n", *s->p) != NULL
	    && *s->p != '\0')
		s->p++;
}

static struct callform_found *
add(struct callform *s)
{
	struct callform_found *f;

	grow(&s->v, &s->cap, s->n, sizeof(*s->v));
	f = &s->v[s->n++];
	memset(f, 0, sizeof(*f));
	return f;
}

static void
callform_reset(struct callform *s)
{
	while (s->n > 0) {
		s->n--;
		buf_free(&s->v[s->n].name);
		buf_free(&s->v[s->n].args);
	}
}

static int
among(const struct callform *s, const char *key, const struct json *j, int i)
{
	const struct json *q = s->words;
	int k = json_first(q, json_get(q, 0, key));

	while (k >= 0 && !span_same(json_span(j, i), json_span(q, k)))
		k = json_next(q, k);
	return k >= 0;
}

/* Does a member of a call have a name that begins like this? */
static int
begins(const struct callform *f, const char *p, size_t n)
{
	static const char *const keys[] = {"name", "arguments", "besides"};
	const struct json *q = f->words;
	struct span s;
	size_t i;
	int k;

	for (i = 0; i < 3; i++) {
		k = json_first(q, json_get(q, 0, keys[i]));
		for (; k >= 0; k = json_next(q, k)) {
			s = json_span(q, k);
			if (n <= s.n && memcmp(s.p, p, n) == 0)
				return 1;
		}
	}
	return 0;
}

/*
 * An object or array at the text's place, as *out, by its brackets alone:
 * whether it is JSON is seen when there is all of it.
 */
static enum callform_match
brackets(struct callform *s, struct span *out)
{
	const char *p = s->p;
	int quoted = 0, depth = 0;

	for (; p < s->end; p++) {
		if (quoted && *p == '\\') {
			if (++p == s->end)
				return CALLFORM_MORE;
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && (*p == '{' || *p == '[')) {
			depth++;
		} else if (!quoted && (*p == '}' || *p == ']')
		    && --depth == 0) {
			*out = (struct span){s->p, (size_t)(p + 1 - s->p)};
			s->p = p + 1;
			return CALLFORM_YES;
		}
	}
	return CALLFORM_MORE;
}

/* Does the object or list that begins here look like calls, so far? */
static int
likely(const struct callform *s)
{
	struct callform t = *s;
	const char *p;

	if (*t.p == '[') {
		t.p++;
		blanks(&t);
		if (t.p == t.end)
			return 1;
	}
	if (*t.p++ != '{')
		return 0;
	blanks(&t);
	for (p = t.p; p < t.end && (p == t.p || *p != '"'); p++)
		continue;
	return begins(s, t.p, (size_t)(p < t.end ? p + 1 - t.p : p - t.p));
}

/* One call as an object; its arguments may be the text of one. */
static int
one_call(struct callform *s, const struct json *j, int i)
{
	struct json own = {0};
	struct callform_found *f;
	int k, name = -1, args = -1, in, good = 1;

	/* {"type":"function","function":{...}} */
	in = json_get(j, i, "function");
	if (json_kind(j, in) == JSON_OBJECT) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (k + 1 != in && !among(s, "besides", j, k))
				return 0;
		i = in;
	}
	if (json_kind(j, i) != JSON_OBJECT)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (name < 0 && among(s, "name", j, k))
			name = k + 1;
		else if (args < 0 && among(s, "arguments", j, k))
			args = k + 1;
		else if (!among(s, "besides", j, k))
			return 0;
	if (tooldef_find(s->request, j, name) < 0)
		return 0;
	f = add(s);
	json_str(j, name, &f->name);
	if (json_kind(j, args) == JSON_OBJECT)
		buf_span(&f->args, json_span(j, args));
	else if (json_str(j, args, &f->args) == 0)
		good = f->args.n == 0
		    || (json_parse(&own, f->args.p, f->args.n) == 0
			&& json_kind(&own, 0) == JSON_OBJECT);
	else
		good = json_kind(j, args) == JSON_NULL;
	json_free(&own);
	return good;
}

static enum callform_match
hole_call(struct callform *s)
{
	struct json j = {0};
	struct span t;
	enum callform_match m;
	int k, good;

	if (!likely(s))
		return CALLFORM_NO;
	m = brackets(s, &t);
	if (m != CALLFORM_YES)
		return m;
	good = json_parse(&j, t.p, t.n) == 0;
	if (good && json_kind(&j, 0) == JSON_ARRAY) {
		k = json_first(&j, 0);
		good = k >= 0;
		for (; k >= 0 && good; k = json_next(&j, k))
			good = one_call(s, &j, k);
	} else if (good) {
		good = one_call(s, &j, 0);
	}
	json_free(&j);
	return good ? CALLFORM_YES : CALLFORM_NO;
}

static enum callform_match
hole_name(struct callform *s)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	const char *from = s->p;
	struct callform_found *f;

	while (s->p < s->end && *s->p != '\0'
	    && strchr(chars, *s->p) != NULL)
		s->p++;
	if (s->p == s->end)
		return CALLFORM_MORE;
	f = add(s);
	buf_add(&f->name, from, (size_t)(s->p - from));
	return tooldef_named(s->request, buf_view(&f->name)) >= 0
	    ? CALLFORM_YES
	    : CALLFORM_NO;
}

static enum callform_match
hole_arguments(struct callform *s)
{
	struct json j = {0};
	struct span t;
	enum callform_match m;
	int good;

	if (s->n == 0)
		return CALLFORM_NO;
	if (*s->p != '{')
		return CALLFORM_YES;
	m = brackets(s, &t);
	if (m != CALLFORM_YES)
		return m;
	good = json_parse(&j, t.p, t.n) == 0;
	json_free(&j);
	buf_span(&s->v[s->n - 1].args, t);
	return good ? CALLFORM_YES : CALLFORM_NO;
}

/* The text up to mark, which is passed. */
static enum callform_match
upto(struct callform *s, struct span mark, struct span *out)
{
	const char *p;

	for (p = s->p; (size_t)(s->end - p) >= mark.n; p++)
		if (memcmp(p, mark.p, mark.n) == 0) {
			*out = (struct span){s->p, (size_t)(p - s->p)};
			s->p = p + mark.n;
			return CALLFORM_YES;
		}
	return CALLFORM_MORE;
}

/* Is mark here?  It is passed. */
static enum callform_match
literal(struct callform *s, struct span mark)
{
	size_t n = (size_t)(s->end - s->p);

	if (n > mark.n)
		n = mark.n;
	if (memcmp(s->p, mark.p, n) != 0)
		return CALLFORM_NO;
	s->p += n;
	return n < mark.n ? CALLFORM_MORE : CALLFORM_YES;
}

/* A line end at each side of a value belongs to the form. */
static struct span
inner(struct span v)
{
	if (v.n > 0 && *v.p == '\n') {
		v.p++;
		v.n--;
	}
	if (v.n > 0 && v.p[v.n - 1] == '\n')
		v.n--;
	return v;
}

/* Values are text; what the tool wants is seen when they are coerced. */
static enum callform_match
hole_parameters(struct callform *s)
{
	static struct json j;
	struct callform_found *f;
	const char *key = strstr(s->parameter, "{{key}}");
	const char *value = strstr(s->parameter, "{{value}}"), *back;
	struct span head, mid, tail, k, v;
	enum callform_match m;

	if (key == NULL || value == NULL || value < key + 7 || s->n == 0)
		return CALLFORM_NO;
	f = &s->v[s->n - 1];
	head = (struct span){s->parameter, (size_t)(key - s->parameter)};
	mid = (struct span){key + 7, (size_t)(value - key - 7)};
	tail = (struct span){value + 9, strlen(value + 9)};
	buf_reset(&f->args);
	emit_open(&f->args, '{');
	for (;;) {
		blanks(s);
		back = s->p;
		m = literal(s, head);
		if (m == CALLFORM_NO) {
			s->p = back;
			break;
		}
		if (m != CALLFORM_YES || (m = upto(s, mid, &k)) != CALLFORM_YES
		    || (m = upto(s, tail, &v)) != CALLFORM_YES)
			return m;
		v = inner(v);
		emit_keyn(&f->args, k.p, k.n);
		emit_str(&f->args, v.p, v.n);
	}
	emit_close(&f->args, '}');
	/* A duplicate key: not a tool call. */
	return json_parse(&j, f->args.p, f->args.n) == 0 ? CALLFORM_YES
							 : CALLFORM_NO;
}

static enum callform_match
hole(struct callform *s, const char **form)
{
	static const struct {
		const char *name;
		enum callform_match (*read)(struct callform *);
	} holes[] = {{"{{call}}", hole_call}, {"{{name}}", hole_name},
	    {"{{arguments}}", hole_arguments},
	    {"{{parameters}}", hole_parameters}};
	size_t i, n;

	blanks(s);
	if (s->p == s->end)
		return CALLFORM_MORE;
	for (i = 0; i < sizeof(holes) / sizeof(*holes); i++) {
		n = strlen(holes[i].name);
		if (strncmp(*form, holes[i].name, n) != 0)
			continue;
		*form += n;
		return holes[i].read(s);
	}
	return CALLFORM_NO;
}

/* One run through the form. */
static enum callform_match
once(struct callform *s, const char *form)
{
	enum callform_match m;

	while (*form != '\0') {
		if (strncmp(form, "{{", 2) == 0) {
			m = hole(s, &form);
			if (m != CALLFORM_YES)
				return m;
			blanks(s);
			continue;
		}
		if (*form == ' ') {
			blanks(s);
			form++;
			continue;
		}
		if (s->p == s->end)
			return CALLFORM_MORE;
		if (*s->p++ != *form++)
			return CALLFORM_NO;
	}
	return CALLFORM_YES;
}

/* Is the text this form, once or several times, and nothing else? */
static enum callform_match
callform_match(struct callform *s, const char *form, struct span text)
{
	enum callform_match m;

	callform_reset(s);
	s->p = text.p;
	s->end = text.p + text.n;
	blanks(s);
	do {
		m = s->p < s->end ? once(s, form) : CALLFORM_MORE;
		blanks(s);
	} while (m == CALLFORM_YES && s->p < s->end);
	return m;
}

enum { LEAK_MAX = 1 << 20 };

static struct callform scan;

static const struct json *
table(void)
{
	static struct table t;

	return table_read(&t, "leaks.yaml", "leaks");
}

/* Of all forms the first that fits; else that one may.  *name is set. */
static enum callform_match
try(const struct json *request, struct span text, char **name)
{
	const struct json *q = table();
	enum callform_match m, best = CALLFORM_NO;
	char *form, *parameter;
	int k = json_first(q, json_get(q, 0, "forms"));

	scan.request = request;
	scan.words = q;
	*name = NULL;
	for (; k >= 0 && best != CALLFORM_YES && text.n <= LEAK_MAX;
	     k = json_next(q, k)) {
		form = json_dup(q, json_get(q, k, "text"));
		parameter = json_dup(q, json_get(q, k, "parameter"));
		scan.parameter = parameter == NULL ? "" : parameter;
		m = form == NULL || *form == '\0'
		    ? CALLFORM_NO
		    : callform_match(&scan, form, text);
		if (m == CALLFORM_YES)
			*name = json_dup(q, json_get(q, k, "name"));
		if (m != CALLFORM_NO)
			best = m;
		free(form);
		free(parameter);
	}
	return best;
}

int
textcalls_expected(const struct json *request)
{
	int format = json_get(request, 0, "response_format");
	int type = json_get(request, format, "type");

	return json_count(request, json_get(request, 0, "tools")) > 0
	    && !json_is(request, json_get(request, 0, "tool_choice"), "none")
	    && (type < 0 || json_is(request, type, "text"))
	    && json_get(table(), 0, "forms") >= 0;
}

int
textcalls_begun(const struct json *request, struct span text)
{
	enum callform_match m;
	char *name;

	m = try(request, text, &name);
	free(name);
	callform_reset(&scan);
	return m != CALLFORM_NO;
}

const char *
textcalls_take(struct reply *d, const struct json *request, struct span text)
{
	static struct strs names;
	struct reply_call *c;
	const char *kept;
	char *name;
	size_t i;

	if (try(request, text, &name) != CALLFORM_YES || name == NULL) {
		free(name);
		callform_reset(&scan);
		return NULL;
	}
	for (i = 0; i < scan.n; i++) {
		c = reply_add(d, -1);
		buf_span(&c->name, buf_view(&scan.v[i].name));
		buf_span(&c->args, buf_view(&scan.v[i].args));
	}
	callform_reset(&scan);
	kept = strs_once(&names, name);
	free(name);
	return kept;
}
