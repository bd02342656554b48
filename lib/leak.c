#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "leak.h"
#include "path.h"
#include "tooldef.h"
#include "yml.h"

enum { LEAK_MAX = 1 << 20 };

enum match {
	NO,
	YES,
	MORE /* it may be, if more comes */
};

/* What a text was found to say; the text's own bytes, until it is taken. */
struct found {
	struct buf name, args;
};

struct scan {
	const struct json *request;
	const char *p, *end; /* of the text */
	const char *parameter; /* of the form */
	struct found *v;
	size_t n, cap;
};

static struct scan scan;

static const struct json *
table(void)
{
	static struct yml y;
	static struct buf path;
	static int loaded;

	if (!loaded) {
		loaded = 1;
		if (path_find(&path, "leaks.yaml") == 0)
			yml_load(&y, buf_cstr(&path));
	}
	return &y.json;
}

static void
blanks(struct scan *s)
{
	while (s->p < s->end && strchr(" \t\r\n", *s->p) != NULL
	    && *s->p != '\0')
		s->p++;
}

static struct found *
add(struct scan *s)
{
	struct found *f;

	grow(&s->v, &s->cap, s->n, sizeof(*s->v));
	f = &s->v[s->n++];
	memset(f, 0, sizeof(*f));
	return f;
}

static void
forget(struct scan *s)
{
	while (s->n > 0) {
		s->n--;
		buf_free(&s->v[s->n].name);
		buf_free(&s->v[s->n].args);
	}
}

static int
among(const char *key, const struct json *j, int i)
{
	const struct json *q = table();
	int k = json_first(q, json_get(q, 0, key));
	struct span a = json_span(j, i), b;

	for (; k >= 0; k = json_next(q, k)) {
		b = json_span(q, k);
		if (a.n == b.n && memcmp(a.p, b.p, a.n) == 0)
			return 1;
	}
	return 0;
}

/* Does a member of a call have a name that begins like this? */
static int
begins(const char *p, size_t n)
{
	static const char *const keys[] = {"name", "arguments", "besides"};
	const struct json *q = table();
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
static enum match
brackets(struct scan *s, struct span *out)
{
	const char *p = s->p;
	int quoted = 0, depth = 0;

	for (; p < s->end; p++) {
		if (quoted && *p == '\\') {
			if (++p == s->end)
				return MORE;
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && (*p == '{' || *p == '[')) {
			depth++;
		} else if (!quoted && (*p == '}' || *p == ']')
		    && --depth == 0) {
			*out = (struct span){s->p, (size_t)(p + 1 - s->p)};
			s->p = p + 1;
			return YES;
		}
	}
	return MORE;
}

/* Does the object or list that begins here look like calls, so far? */
static int
likely(const struct scan *s)
{
	struct scan t = *s;
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
	return begins(t.p, (size_t)(p < t.end ? p + 1 - t.p : p - t.p));
}

/* One call as an object; its arguments may be the text of one. */
static int
one_call(struct scan *s, const struct json *j, int i)
{
	struct json own = {0};
	struct found *f;
	int k, name = -1, args = -1, in, good = 1;

	/* {"type":"function","function":{...}} */
	in = json_get(j, i, "function");
	if (json_kind(j, in) == JSON_OBJECT) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (k + 1 != in && !among("besides", j, k))
				return 0;
		i = in;
	}
	if (json_kind(j, i) != JSON_OBJECT)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (name < 0 && among("name", j, k))
			name = k + 1;
		else if (args < 0 && among("arguments", j, k))
			args = k + 1;
		else if (!among("besides", j, k))
			return 0;
	if (args < 0 || tooldef_find(s->request, j, name) < 0)
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

static enum match
hole_call(struct scan *s)
{
	struct json j = {0};
	struct span t;
	enum match m;
	int k, good;

	if (!likely(s))
		return NO;
	m = brackets(s, &t);
	if (m != YES)
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
	return good ? YES : NO;
}

static enum match
hole_name(struct scan *s)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	const char *from = s->p;
	struct found *f;

	while (s->p < s->end && *s->p != '\0'
	    && strchr(chars, *s->p) != NULL)
		s->p++;
	if (s->p == s->end)
		return MORE;
	f = add(s);
	buf_add(&f->name, from, (size_t)(s->p - from));
	return tooldef_named(s->request, buf_view(&f->name)) >= 0 ? YES : NO;
}

static enum match
hole_arguments(struct scan *s)
{
	struct json j = {0};
	struct span t;
	enum match m;
	int good;

	if (s->n == 0)
		return NO;
	if (*s->p != '{')
		return YES;
	m = brackets(s, &t);
	if (m != YES)
		return m;
	good = json_parse(&j, t.p, t.n) == 0;
	json_free(&j);
	buf_span(&s->v[s->n - 1].args, t);
	return good ? YES : NO;
}

/* The text up to mark, which is passed. */
static enum match
upto(struct scan *s, struct span mark, struct span *out)
{
	const char *p;

	for (p = s->p; (size_t)(s->end - p) >= mark.n; p++)
		if (memcmp(p, mark.p, mark.n) == 0) {
			*out = (struct span){s->p, (size_t)(p - s->p)};
			s->p = p + mark.n;
			return YES;
		}
	return MORE;
}

/* Is mark here?  It is passed. */
static enum match
literal(struct scan *s, struct span mark)
{
	size_t n = (size_t)(s->end - s->p);

	if (n > mark.n)
		n = mark.n;
	if (memcmp(s->p, mark.p, n) != 0)
		return NO;
	s->p += n;
	return n < mark.n ? MORE : YES;
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
static enum match
hole_parameters(struct scan *s)
{
	static struct json j;
	struct found *f;
	const char *key = strstr(s->parameter, "{{key}}");
	const char *value = strstr(s->parameter, "{{value}}"), *back;
	struct span head, mid, tail, k, v;
	enum match m;

	if (key == NULL || value == NULL || value < key + 7 || s->n == 0)
		return NO;
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
		if (m == NO) {
			s->p = back;
			break;
		}
		if (m != YES || (m = upto(s, mid, &k)) != YES
		    || (m = upto(s, tail, &v)) != YES)
			return m;
		v = inner(v);
		emit_keyn(&f->args, k.p, k.n);
		emit_str(&f->args, v.p, v.n);
	}
	emit_close(&f->args, '}');
	/* A name twice is none of ours. */
	return json_parse(&j, f->args.p, f->args.n) == 0 ? YES : NO;
}

static enum match
hole(struct scan *s, const char **form)
{
	static const struct {
		const char *name;
		enum match (*read)(struct scan *);
	} holes[] = {{"{{call}}", hole_call}, {"{{name}}", hole_name},
	    {"{{arguments}}", hole_arguments},
	    {"{{parameters}}", hole_parameters}};
	size_t i, n;

	blanks(s);
	if (s->p == s->end)
		return MORE;
	for (i = 0; i < sizeof(holes) / sizeof(*holes); i++) {
		n = strlen(holes[i].name);
		if (strncmp(*form, holes[i].name, n) != 0)
			continue;
		*form += n;
		return holes[i].read(s);
	}
	return NO;
}

/* One run through the form. */
static enum match
once(struct scan *s, const char *form)
{
	enum match m;

	while (*form != '\0') {
		if (strncmp(form, "{{", 2) == 0) {
			m = hole(s, &form);
			if (m != YES)
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
			return MORE;
		if (*s->p++ != *form++)
			return NO;
	}
	return YES;
}

/* Once or several times, and nothing else. */
static enum match
all(struct scan *s, const char *form)
{
	enum match m;

	blanks(s);
	do {
		m = s->p < s->end ? once(s, form) : MORE;
		blanks(s);
	} while (m == YES && s->p < s->end);
	return m;
}

/* Of all forms: the first that fits, else MORE if one may.  *name is set. */
static enum match
try(const struct json *request, struct span text, char **name)
{
	const struct json *q = table();
	enum match m, best = NO;
	char *form, *parameter;
	int k = json_first(q, json_get(q, 0, "forms"));

	scan.request = request;
	*name = NULL;
	for (; k >= 0 && best != YES && text.n <= LEAK_MAX;
	     k = json_next(q, k)) {
		form = json_dup(q, json_get(q, k, "text"));
		parameter = json_dup(q, json_get(q, k, "parameter"));
		scan.parameter = parameter == NULL ? "" : parameter;
		scan.p = text.p;
		scan.end = text.p + text.n;
		forget(&scan);
		m = form == NULL || *form == '\0' ? NO : all(&scan, form);
		if (m == YES)
			*name = json_dup(q, json_get(q, k, "name"));
		if (m != NO)
			best = m;
		free(form);
		free(parameter);
	}
	return best;
}

int
leak_expected(const struct json *request)
{
	int format = json_get(request, 0, "response_format");
	int type = json_get(request, format, "type");

	return json_count(request, json_get(request, 0, "tools")) > 0
	    && !json_is(request, json_get(request, 0, "tool_choice"), "none")
	    && (type < 0 || json_is(request, type, "text"))
	    && json_get(table(), 0, "forms") >= 0;
}

int
leak_begun(const struct json *request, struct span text)
{
	enum match m;
	char *name;

	m = try(request, text, &name);
	free(name);
	forget(&scan);
	return m != NO;
}

const char *
leak_take(struct delta *d, const struct json *request, struct span text)
{
	static struct strs names;
	struct delta_call *c;
	char *name;
	size_t i;
	long at;

	if (try(request, text, &name) != YES || name == NULL) {
		free(name);
		forget(&scan);
		return NULL;
	}
	for (i = 0; i < scan.n; i++) {
		c = delta_add(d, -1);
		buf_span(&c->name, buf_view(&scan.v[i].name));
		buf_span(&c->args, buf_view(&scan.v[i].args));
	}
	forget(&scan);
	at = strs_find(&names, name);
	if (at < 0) {
		strs_add(&names, name);
		at = (long)names.n - 1;
	}
	free(name);
	return names.v[at];
}
