#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "fileshape.h"
#include "match.h"
#include "path.h"
#include "shape.h"
#include "yamlfile.h"

enum {
	NAME_MAX_BYTES = 64, /* of a name, its end */
	VALUE_MAX = 65536,   /* bytes of a secret */
	KEYFILE_MAX = 8192,
	DASHES = 80 /* bytes from an end to its last dashes */
};

/* A set of bytes. */
struct class {
	unsigned char has[256];
};

struct shape {
	char *name;
	struct strs begin;
	struct class of, skip;
	char *then, *end, *before; /* or NULL */
	size_t min;
	int keep, digit, dot;
	const char *barren; /* no begin before it has a secret behind it */
};

extern char **environ;

static struct table file;
static struct shape *shapes, *arounds;
static size_t nshapes, shapecap, narounds, aroundcap;
static struct strs names, words, opaque;
static struct class valueof;
static size_t valuemin, most;
static const char *barren;	  /* the same of names */
static unsigned char starts[256]; /* a begin starts with it */

_Noreturn static void
bad(const struct json *j, int i, const char *why)
{
	(void)j;
	yamlfile_bad(&file.yml, i, why);
}

static void
read_class(struct class *c, const struct json *j, int i)
{
	struct buf b = {NULL, 0, 0};
	size_t k;
	int x, from, to;

	if (json_str(j, i, &b) < 0 || b.n == 0)
		bad(j, i, "expected a class of characters");
	for (k = 0; k < b.n; k++) {
		from = to = (unsigned char)b.p[k];
		if (k + 2 < b.n && b.p[k + 1] == '-') {
			to = (unsigned char)b.p[k + 2];
			k += 2;
		}
		if (from > to || to > 127)
			bad(j, i, "expected ranges of ASCII characters");
		for (x = from; x <= to; x++)
			c->has[x] = 1;
	}
	buf_free(&b);
}

static size_t
read_count(const struct json *j, int i)
{
	long long v;

	if (json_int(j, i, &v) < 0 || v < 1 || v > VALUE_MAX)
		bad(j, i, "expected a number from 1 to 65536");
	return (size_t)v;
}

static int
read_flag(const struct json *j, int i)
{
	if (json_kind(j, i) != JSON_TRUE && json_kind(j, i) != JSON_FALSE)
		bad(j, i, "expected true or false");
	return json_true(j, i);
}

static char *
read_text(const struct json *j, int i)
{
	char *s = json_dup(j, i);

	if (s == NULL || *s == '\0')
		bad(j, i, "expected a text");
	return s;
}

static void
read_list(struct strs *l, const struct json *j, int i)
{
	size_t k;

	if (json_strs(j, i, l) != 0)
		bad(j, i, "expected a list of texts");
	for (k = 0; k < l->n; k++)
		if (*l->v[k] == '\0')
			bad(j, i, "expected texts that are not empty");
}

/* One rule; 0 if it is not asked for. */
static int
read_rule(struct shape *s, const struct json *j, int i,
    const struct strs *asked, struct strs *known)
{
	int k, v, only = 0;

	memset(s, 0, sizeof(*s));
	if (json_kind(j, i) != JSON_OBJECT)
		bad(j, i, "expected a rule");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		v = k + 1;
		if (json_is(j, k, "name"))
			s->name = read_text(j, v);
		else if (json_is(j, k, "begin") || json_is(j, k, "at"))
			read_list(&s->begin, j, v);
		else if (json_is(j, k, "of"))
			read_class(&s->of, j, v);
		else if (json_is(j, k, "skip"))
			read_class(&s->skip, j, v);
		else if (json_is(j, k, "then"))
			s->then = read_text(j, v);
		else if (json_is(j, k, "end"))
			s->end = read_text(j, v);
		else if (json_is(j, k, "before"))
			s->before = read_text(j, v);
		else if (json_is(j, k, "min"))
			s->min = read_count(j, v);
		else if (json_is(j, k, "keep"))
			s->keep = read_flag(j, v);
		else if (json_is(j, k, "digit"))
			s->digit = read_flag(j, v);
		else if (json_is(j, k, "dot"))
			s->dot = read_flag(j, v);
		else if (json_is(j, k, "asked"))
			only = read_flag(j, v);
		else
			bad(j, k, "expected a key of redact(1)");
	}
	if (s->name == NULL || s->begin.n == 0 || s->min == 0)
		bad(j, i, "expected name, begin or at, of and min");
	if (strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789_")
	    != strlen(s->name))
		bad(j, i, "expected a name of a-z, 0-9 and _");
	if (only)
		strs_add(known, s->name);
	return !only || strs_find(asked, s->name) >= 0;
}

static void
read_rules(struct shape **l, size_t *n, size_t *cap, const struct json *j,
    int i, const struct strs *asked, struct strs *known)
{
	int k;

	if (i >= 0 && json_kind(j, i) != JSON_ARRAY)
		bad(j, i, "expected a list of rules");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		grow(l, cap, *n, sizeof(**l));
		*n += (size_t)read_rule(&(*l)[*n], j, k, asked, known);
	}
}

static void
read_names(const struct json *j, int i)
{
	int k;

	if (json_kind(j, i) != JSON_OBJECT)
		bad(j, i, "expected match, of and min");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (json_is(j, k, "match"))
			read_list(&names, j, k + 1);
		else if (json_is(j, k, "of"))
			read_class(&valueof, j, k + 1);
		else if (json_is(j, k, "min"))
			valuemin = read_count(j, k + 1);
		else
			bad(j, k, "expected match, of or min");
}

void
shape_open(const struct strs *asked)
{
	const struct json *j = table_read(&file, "redact.yaml", NULL);
	struct strs known = {NULL, 0, 0};
	size_t i, k;
	int m;

	most = 64;
	valuemin = 8;
	if (json_kind(j, 0) != JSON_OBJECT)
		die(EX_CONFIG, "redact.yaml: not found in share, or empty: "
		    "nothing would be redacted");
	for (m = json_first(j, 0); m >= 0; m = json_next(j, m))
		if (json_is(j, m, "shapes"))
			read_rules(&shapes, &nshapes, &shapecap, j, m + 1,
			    asked, &known);
		else if (json_is(j, m, "around"))
			read_rules(&arounds, &narounds, &aroundcap, j, m + 1,
			    asked, &known);
		else if (json_is(j, m, "names"))
			read_names(j, m + 1);
		else if (json_is(j, m, "words"))
			read_list(&words, j, m + 1);
		else if (json_is(j, m, "opaque"))
			read_list(&opaque, j, m + 1);
		else if (json_is(j, m, "max_tokens"))
			most = read_count(j, m + 1);
		else
			bad(j, m, "expected a key of redact(1)");
	for (i = 0; i < asked->n; i++)
		if (strs_find(&known, asked->v[i]) < 0)
			die(EX_CONFIG, "redact.yaml: no rule '%s' to ask for",
			    asked->v[i]);
	for (i = 0; i < nshapes; i++)
		for (k = 0; k < shapes[i].begin.n; k++)
			starts[(unsigned char)shapes[i].begin.v[k][0]] = 1;
	strs_free(&known);
}

static int
follows(const char *p, const char *end, const char *s)
{
	size_t n = strlen(s);

	return (size_t)(end - p) >= n && memcmp(p, s, n) == 0;
}

static const char *
run(const struct class *c, const char *p, const char *end)
{
	if (end - p > VALUE_MAX)
		end = p + VALUE_MAX;
	while (p < end && c->has[(unsigned char)*p])
		p++;
	return p;
}

static int
has_digit(const char *p, const char *end)
{
	while (p < end && !isdigit((unsigned char)*p))
		p++;
	return p < end;
}

static int
has_letter(const char *p, const char *end)
{
	while (p < end && !isalpha((unsigned char)*p))
		p++;
	return p < end;
}

/* Does a word begin at p?  After "\n" as it stands in source it does. */
static int
begins(const char *from, const char *p)
{
	if (p == from || !(isalnum((unsigned char)p[-1]) || p[-1] == '_'))
		return 1;
	return p - from >= 2 && p[-2] == '\\' && strchr("nrt", p[-1]) != NULL;
}

/*
 * Where a secret with an end goes to: past the dashes of its end, else as
 * far as its class.
 */
static const char *
to_end(struct shape *s, const char *p, const char *end)
{
	const char *q, *last = end - p > VALUE_MAX ? p + VALUE_MAX : end;

	for (q = p; q < last && s->of.has[(unsigned char)*q]; q++) {
		if (*q != *s->end || !follows(q, last, s->end))
			continue;
		q += strlen(s->end);
		last = last - q > DASHES ? q + DASHES : last;
		while (q < last && !follows(q, last, "-----") && *q != '\n')
			q++;
		return follows(q, last, "-----") ? q + 5 : q;
	}
	return q;
}

/* Does a secret of this shape begin at p?  Its end, with *at its start. */
static const char *
fits(struct shape *s, const char *begin, const char *from, const char *p,
    const char *end, const char **at)
{
	const char *q, *v;

	if (!follows(p, end, begin)
	    || (isalnum((unsigned char)*begin) && !begins(from, p)))
		return NULL;
	v = p + strlen(begin);
	if (s->then != NULL) {
		v = run(&s->skip, v, end);
		if (!follows(v, end, s->then))
			return NULL;
		v += strlen(s->then);
	}
	if (s->barren != NULL && v < s->barren)
		return NULL;
	q = s->end != NULL ? to_end(s, v, end) : run(&s->of, v, end);
	if ((size_t)(q - v) < s->min)
		return NULL;
	if ((s->digit && !has_digit(v, q))
	    || (s->dot && memchr(v, '.', (size_t)(q - v)) == NULL)
	    || (s->before != NULL && !follows(q, end, s->before))) {
		/* What begins later ends here too, and lacks the same. */
		s->barren = q;
		return NULL;
	}
	*at = s->keep ? v : p;
	/* A sentence ends behind it. */
	while (q > v && s->end == NULL && q[-1] == '.')
		q--;
	return q;
}

static const char *
find_shape(const char *from, const char *p, const char *end,
    void (*found)(const char *, struct span))
{
	const char *q, *at;
	size_t i, k;

	for (i = 0; i < nshapes; i++)
		for (k = 0; k < shapes[i].begin.n; k++) {
			q = fits(&shapes[i], shapes[i].begin.v[k], from, p, end,
			    &at);
			if (q == NULL || q - at < SHAPE_LEAST)
				continue;
			found(shapes[i].name,
			    (struct span){at, (size_t)(q - at)});
			return q;
		}
	return NULL;
}

static void
find_around(struct shape *s, const char *from, const char *p,
    const char *end, void (*found)(const char *, struct span))
{
	const char *a = p, *b = p + 1, *least;

	if (!follows(p, end, s->begin.v[0]))
		return;
	least = p - from > NAME_MAX_BYTES ? p - NAME_MAX_BYTES : from;
	while (a > least && s->of.has[(unsigned char)a[-1]])
		a--;
	b = run(&s->of, b, end);
	while (b > p + 1 && b[-1] == '.')
		b--;
	if ((size_t)(p - a) < 1 || (size_t)(b - p - 1) < s->min
	    || b - a < SHAPE_LEAST
	    || (s->dot && memchr(p, '.', (size_t)(b - p)) == NULL))
		return;
	found(s->name, (struct span){a, (size_t)(b - a)});
}

/* Most patterns ask only how a name ends: those are compared here. */
static int
is_like(const char *pattern, const char *name, size_t n)
{
	size_t len = strlen(pattern);

	if (*pattern != '*' || strpbrk(pattern + 1, "*?[\\") != NULL)
		return match_name(pattern, name);
	return n >= len - 1
	    && memcmp(name + n - (len - 1), pattern + 1, len - 1) == 0;
}

static int
is_name(struct span s)
{
	char name[NAME_MAX_BYTES + 1];
	size_t i;

	if (s.n == 0)
		return 0;
	if (s.n > NAME_MAX_BYTES) {
		s.p += s.n - NAME_MAX_BYTES;
		s.n = NAME_MAX_BYTES;
	}
	for (i = 0; i < s.n; i++)
		name[i] = (char)tolower((unsigned char)s.p[i]);
	name[s.n] = '\0';
	for (i = 0; i < names.n; i++)
		if (is_like(names.v[i], name, s.n))
			return 1;
	return 0;
}

/* May this be one?  What is a variable or in words is not. */
static int
is_value(const char *p, const char *end, int quoted)
{
	if ((size_t)(end - p) < valuemin || strchr("$<{%", *p) != NULL)
		return 0;
	if (quoted && memchr(p, ' ', (size_t)(end - p)) == NULL
	    && (size_t)(end - p) >= 2 * valuemin)
		return 1;
	return has_digit(p, end) && has_letter(p, end);
}

int
shape_named(struct span name, struct span value)
{
	const char *end = value.p + value.n;

	return value.n <= VALUE_MAX && is_name(name)
	    && run(&valueof, value.p, end) == end
	    && is_value(value.p, end, 1);
}

/* NAME before p, a "=" or ":", and a value behind it. */
static const char *
find_named(const char *from, const char *p, const char *end,
    void (*found)(const char *, struct span))
{
	const char *a = p, *v = p + 1, *q, *least, *stop;
	int quote = 0;

	while (a > from && p - a < 3 && strchr(" \t\"'\\", a[-1]) != NULL)
		a--;
	stop = a;
	least = a - from > NAME_MAX_BYTES ? a - NAME_MAX_BYTES : from;
	while (a > least && (isalnum((unsigned char)a[-1])
		|| strchr("_-.", a[-1]) != NULL))
		a--;
	if (!is_name((struct span){a, (size_t)(stop - a)}))
		return NULL;
	while (v < end && v - p < 9 && (*v == ' ' || *v == '\t'))
		v++;
	/* Quotes may be written with a backslash, in source. */
	if (v + 1 < end && *v == '\\' && (v[1] == '"' || v[1] == '\''))
		v++;
	if (v < end && (*v == '"' || *v == '\''))
		quote = *v++;
	if (barren != NULL && v < barren && quote == 0)
		return NULL;
	q = run(&valueof, v, end);
	if ((size_t)(q - v) < valuemin || (q < end && strchr("([", *q) != NULL))
		return NULL;
	if (!is_value(v, q, quote != 0 && q < end
		&& (*q == quote || *q == '\\'))) {
		barren = q;
		return NULL;
	}
	while (q > v && quote == 0 && strchr(".:?!&", q[-1]) != NULL)
		q--;
	if (q - v < SHAPE_LEAST)
		return NULL;
	found("value", (struct span){v, (size_t)(q - v)});
	return q;
}

void
shape_find(struct span s, void (*found)(const char *, struct span))
{
	const char *p = s.p, *end = s.p + s.n, *q;
	size_t i;

	barren = NULL; /* they point into the text before this one */
	for (i = 0; i < nshapes; i++)
		shapes[i].barren = NULL;
	while (p < end) {
		q = NULL;
		if (starts[(unsigned char)*p])
			q = find_shape(s.p, p, end, found);
		if (q == NULL && (*p == '=' || *p == ':'))
			q = find_named(s.p, p, end, found);
		for (i = 0; i < narounds && q == NULL; i++)
			if (*p == arounds[i].begin.v[0][0])
				find_around(&arounds[i], s.p, p, end, found);
		p = q != NULL && q > p ? q : p + 1;
	}
}

static void
find_env(void (*found)(const char *, struct span))
{
	const char *eq;
	char **e;
	struct span v;

	for (e = environ; *e != NULL; e++) {
		eq = strchr(*e, '=');
		if (eq == NULL)
			continue;
		v = span_trim(span_of(eq + 1));
		if (shape_named((struct span){*e, (size_t)(eq - *e)}, v))
			found("value", v);
	}
}

/* The words of our own key files. */
static void
find_keys(void (*found)(const char *, struct span))
{
	struct buf dir = {NULL, 0, 0}, b = {NULL, 0, 0}, path = {NULL, 0, 0};
	struct dirent *e;
	struct span v;
	DIR *d;

	buf_printf(&dir, "%s/keys", path_config());
	d = opendir(buf_cstr(&dir));
	while (d != NULL && (e = readdir(d)) != NULL) {
		buf_reset(&path);
		buf_reset(&b);
		file_join(&path, buf_cstr(&dir), e->d_name);
		if (file_read(buf_cstr(&path), &b, KEYFILE_MAX) != FILE_OK)
			continue;
		v = span_trim(buf_view(&b));
		if (v.n >= 8 && has_digit(v.p, v.p + v.n))
			found("value", v);
	}
	if (d != NULL)
		closedir(d);
	buf_free(&dir);
	buf_free(&path);
	buf_free(&b);
}

void
shape_own(void (*found)(const char *, struct span))
{
	size_t i;

	for (i = 0; i < words.n; i++) {
		if (strlen(words.v[i]) < SHAPE_LEAST)
			die(EX_CONFIG, "redact.yaml: words: expected words of "
			    "%d bytes or more, not '%s'", SHAPE_LEAST,
			    words.v[i]);
		found("word", span_of(words.v[i]));
	}
	find_env(found);
	find_keys(found);
}

int
shape_opaque(struct span key)
{
	size_t i;

	for (i = 0; i < opaque.n; i++)
		if (span_is(key, opaque.v[i]))
			return 1;
	return 0;
}

size_t
shape_most(void)
{
	return most;
}
