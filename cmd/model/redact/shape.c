#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "file.h"
#include "fileshape.h"
#include "path.h"
#include "pattern.h"
#include "schemafit.h"
#include "shape.h"
#include "warnonce.h"
#include "yamlfile.h"

enum {
	NAME_MAX_BYTES = 64, /* of a name, its end */
	VALUE_MAX = 65536,   /* bytes of a secret with a name */
	KEYFILE_MAX = 8192,
	PAIRS = 1 << 16
};

struct rule {
	char *name;
	struct pattern *pattern;
	int within;   /* its keywords need not begin a word */
	int anywhere; /* it has none */
};

/* A keyword of a rule, in a chain of those whose first bytes are such. */
struct key {
	struct span text;
	size_t rule, next; /* next: a key, or 0 */
};

extern char **environ;

static struct table file;
static struct rule *rules;
static struct key *keys;
static size_t nrules, rulecap, nkeys = 1, keycap;
static size_t heads[PAIRS]; /* of the chains */
static int anywhere;	    /* there is such a rule */
static struct strs words, opaque;

/* The chain of two bytes; both cases of a letter have one. */
static size_t
chain(const char *p)
{
	return (size_t)(unsigned char)(p[0] | ' ') << 8
	    | (unsigned char)(p[1] | ' ');
}

/* At the end of its chain: where several rules match, the first one counts. */
static void
add_key(const char *text, size_t rule)
{
	size_t *at = &heads[chain(text)];

	while (*at != 0)
		at = &keys[*at].next;
	*at = nkeys;
	grow(&keys, &keycap, nkeys, sizeof(*keys));
	keys[nkeys++] = (struct key){span_of(text), rule, 0};
}

static void
read_rule(const struct json *j, int i)
{
	struct strs l = {NULL, 0, 0};
	struct rule *r;
	const char *why;
	char *pattern;
	size_t k;

	grow(&rules, &rulecap, nrules, sizeof(*rules));
	r = &rules[nrules];
	r->name = json_dup(j, json_get(j, i, "name"));
	r->within = json_true(j, json_get(j, i, "within"));
	pattern = json_dup(j, json_get(j, i, "pattern"));
	r->pattern = pattern_new(pattern, &why);
	free(pattern);
	if (r->pattern == NULL)
		yamlfile_bad(&file.yml, json_get(j, i, "pattern"), why);
	json_strs(j, json_get(j, i, "keywords"), &l);
	for (k = 0; k < l.n; k++)
		add_key(l.v[k], nrules);
	r->anywhere = l.n == 0;
	free(l.v); /* its strings are keys */
	anywhere |= r->anywhere;
	nrules++;
}

void
shape_open(const struct strs *asked)
{
	const struct json *j;
	struct strs known = {NULL, 0, 0};
	char *name;
	size_t i;
	int m, list;

	schemafit_pattern = pattern_in;
	j = table_read(&file, "redact.yaml", "redact");
	list = json_get(j, 0, "rules");
	if (json_first(j, list) < 0)
		die(EX_CONFIG, "redact.yaml: not found in share, or without "
		    "rules: nothing would be redacted");
	for (m = json_first(j, list); m >= 0; m = json_next(j, m)) {
		if (json_true(j, json_get(j, m, "asked"))) {
			name = json_dup(j, json_get(j, m, "name"));
			strs_add(&known, name);
			free(name);
			if (strs_find(asked, known.v[known.n - 1]) < 0)
				continue;
		}
		read_rule(j, m);
	}
	json_strs(j, json_get(j, 0, "words"), &words);
	json_strs(j, json_get(j, 0, "opaque"), &opaque);
	for (i = 0; i < asked->n; i++)
		if (strs_find(&known, asked->v[i]) < 0)
			die(EX_CONFIG, "redact.yaml: no rule '%s' to ask for",
			    asked->v[i]);
	strs_free(&known);
}

/* Does a word begin there?  After "\n" as it stands in source it does. */
static int
begins(struct span s, size_t at)
{
	const char *p = s.p + at;

	if (at == 0 || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')
	    || !isalnum((unsigned char)*p))
		return 1;
	return at >= 2 && p[-2] == '\\' && strchr("nrt", p[-1]) != NULL;
}

static int
fits(const struct rule *r, struct span s, size_t at, struct span *secret)
{
	static struct buf warning;
	const char *why, *nl;
	int is = (r->within || begins(s, at)) ?
	    pattern_at(r->pattern, s, at, secret, &why) : 0;

	/* Whether it is a secret is not known: its line stays here. */
	if (is < 0) {
		if (warning.n == 0) {
			buf_printf(&warning, "redact.yaml: %s: %s: hidden to "
			    "the end of the line", r->name, why);
			warnonce(buf_cstr(&warning));
		}
		nl = memchr(s.p + at, '\n', s.n - at);
		secret->p = s.p + at;
		secret->n = nl != NULL ? (size_t)(nl - secret->p) : s.n - at;
	}
	return is != 0 && secret->n >= SHAPE_LEAST;
}

/* The rule by which there is a secret, or NULL. */
static const struct rule *
find_at(struct span s, size_t at, struct span *secret)
{
	const struct key *k;
	size_t i;

	i = at + 1 < s.n ? heads[chain(s.p + at)] : 0;
	for (; i != 0; i = keys[i].next) {
		k = &keys[i];
		if (s.n - at >= k->text.n
		    && strncasecmp(s.p + at, k->text.p, k->text.n) == 0
		    && fits(&rules[k->rule], s, at, secret))
			return &rules[k->rule];
	}
	for (i = 0; anywhere && i < nrules; i++)
		if (rules[i].anywhere && fits(&rules[i], s, at, secret))
			return &rules[i];
	return NULL;
}

void
shape_find(struct span s, void (*found)(const char *, struct span))
{
	const struct rule *r;
	struct span secret;
	size_t at = 0, from = 0, end = 0;

	while (at < s.n) {
		r = find_at(s, at, &secret);
		if (r != NULL) {
			found(r->name, secret);
			from = (size_t)(secret.p - s.p);
			end = from + secret.n;
		}
		/* What stands before it may hold another. */
		at++;
		if (at > from && at < end)
			at = end;
	}
}

int
shape_named(struct span name, struct span value)
{
	static struct buf b;
	struct span secret;
	size_t at, end;

	if (name.n == 0 || value.n > VALUE_MAX || value.n < SHAPE_LEAST)
		return 0;
	if (name.n > NAME_MAX_BYTES) {
		name.p += name.n - NAME_MAX_BYTES;
		name.n = NAME_MAX_BYTES;
	}
	buf_reset(&b);
	buf_span(&b, name);
	end = b.n;
	buf_puts(&b, "=\"");
	buf_span(&b, value);
	buf_putc(&b, '"');
	for (at = 0; at < end; at++)
		if (find_at(buf_view(&b), at, &secret) != NULL
		    && secret.p <= b.p + end + 2
		    && secret.p + secret.n >= b.p + end + 2 + value.n)
			return 1;
	return 0;
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
		if (v.n >= 8 && strpbrk(buf_cstr(&b), "0123456789") != NULL)
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

	for (i = 0; i < words.n; i++)
		found("word", span_of(words.v[i]));
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
