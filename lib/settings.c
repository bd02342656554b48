#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "hash.h"
#include "json.h"
#include "path.h"
#include "settings.h"
#include "yamlfile.h"
#include "yamlparsed.h"

enum { COUNT_MAX = 1000000000 };

/* Where a key was found; src is NULL where no file has it. */
struct found {
	const struct yamlfile *src;
	const struct json *json;
	int i;
};

/*
 * The settings given for this run, last first, then the files, the shipped
 * one of the build last.
 */
static struct yamlfile *sources;
static size_t nsources, capsources;
static size_t ngiven, nown; /* nown: files before the shipped one */
static int loaded, wasread;

enum { ASKED = 64 };

/* What was asked for before: nothing changes once a setting was read. */
static struct asked {
	char *key; /* owned */
	struct found f;
	int there;
} asked[ASKED];

static struct yamlfile *
add_source(void)
{
	struct yamlfile *y;

	grow(&sources, &capsources, nsources, sizeof(*sources));
	y = &sources[nsources++];
	memset(y, 0, sizeof(*y));
	return y;
}

static void
load(const char *dir)
{
	static struct buf path;
	struct yamlfile *y;

	buf_reset(&path);
	buf_printf(&path, "%s/settings.yaml", dir);
	if (access(buf_cstr(&path), F_OK) < 0
	    && (errno == ENOENT || errno == ENOTDIR))
		return;
	y = add_source();
	yamlfile_load(y, buf_cstr(&path));
	if (json_kind(&y->json, 0) != JSON_OBJECT)
		yamlfile_bad(y, 0, "expected a mapping of keys");
}

/*
 * share/settings.yaml as it was built in, for what another share leaves out;
 * usually the last file is the same.
 */
static void
load_built(void)
{
	const struct yamlparsed *p = yamlparsed_find("share/settings.yaml");
	struct yamlfile *y;

	if (p == NULL || (nsources > nown
	    && sources[nown].json.s == (const char *)p->json))
		return;
	y = add_source();
	y->path = xstrdup("built-in settings.yaml");
	if (yamlfile_parse(y, (const char *)p->text, p->n, p->mode) < 0)
		die_at(EX_SOFTWARE, y->path, y->line, y->col, y->why);
}

static _Noreturn void
bad(const struct found *f, const char *why)
{
	if (f->src->marks == NULL)
		die(EX_CONFIG, "%s: %s", f->src->path, why);
	yamlfile_bad(f->src, f->i, why);
}

/*
 * Step by step and not with json_at: "ctxfind: false" must not hide what
 * another file says of "ctxfind.names" without a word.
 */
static int
look(struct found *f, const char *key)
{
	static struct buf part;
	const char *dot;

	for (f->i = 0; key != NULL; key = dot == NULL ? NULL : dot + 1) {
		if (json_kind(f->json, f->i) != JSON_OBJECT)
			bad(f, "expected a mapping of keys");
		dot = strchr(key, '.');
		buf_reset(&part);
		buf_add(&part, key,
		    dot == NULL ? strlen(key) : (size_t)(dot - key));
		f->i = json_get(f->json, f->i, buf_cstr(&part));
		if (f->i < 0 || json_kind(f->json, f->i) == JSON_NULL)
			return 0;
	}
	return 1;
}

static void load_all(void);
static int find_kind(struct found f, const char *key);

static int
search(struct found *f, const char *key)
{
	size_t i;

	for (i = 0; i < nsources; i++) {
		f->src = &sources[i];
		f->json = &sources[i].json;
		if (look(f, key))
			return 1;
	}
	return 0;
}

/* The first file in the order of the path that says something of key. */
static int
find(struct found *f, const char *key)
{
	struct asked *a = &asked[hash_bytes(key, strlen(key)) % ASKED];

	load_all();
	wasread = 1;
	if (a->key == NULL || strcmp(a->key, key) != 0) {
		a->there = search(&a->f, key);
		free(a->key);
		a->key = xstrdup(key);
	}
	*f = a->f;
	return a->there;
}

/*
 * As find, of a key that our code names: one that no file has, not even
 * without a value, was never shipped.
 */
static int
require(struct found *f, const char *key)
{
	size_t i;

	if (find(f, key))
		return 1;
	for (i = 0; i < nsources; i++) {
		f->json = &sources[i].json;
		f->i = 0;
		if (find_kind(*f, key) != JSON_NONE)
			return 0;
	}
	die(EX_SOFTWARE, "settings: no such key '%s'", key);
}

int
settings_has(const char *key)
{
	struct found f;

	return require(&f, key);
}

int
settings_given(const char *key)
{
	struct found f;

	return find(&f, key) && (size_t)(f.src - sources) < ngiven;
}

void
settings_bad(const char *key, const char *why)
{
	struct found f;

	if (find(&f, key))
		bad(&f, why);
	die(EX_CONFIG, "%s: %s", key, why);
}

int
settings_bool(const char *key)
{
	struct found f;

	if (!require(&f, key))
		return 0;
	switch (json_kind(f.json, f.i)) {
	case JSON_TRUE:
		return 1;
	case JSON_FALSE:
		return 0;
	default:
		bad(&f, "expected true or false");
	}
}

long long
settings_int(const char *key)
{
	struct found f;
	long long v;

	if (!require(&f, key))
		return 0;
	if (json_int(f.json, f.i, &v) < 0)
		bad(&f, "expected a whole number");
	if (v < 0)
		bad(&f, "expected a whole number from 0");
	return v;
}

size_t
settings_count(const char *key)
{
	long long v = settings_int(key);

	if (v > COUNT_MAX)
		settings_bad(key, "expected a whole number from 0 to "
				  "1000000000");
	return (size_t)v;
}

double
settings_num(const char *key)
{
	struct found f;
	double v;

	if (!require(&f, key))
		return 0;
	if (json_num(f.json, f.i, &v) < 0)
		bad(&f, "expected a number");
	return v;
}

double
settings_share(const char *key)
{
	double v = settings_num(key);

	if (!(v >= 0 && v <= 1))
		settings_bad(key, "expected a number from 0 to 1");
	return v;
}

/* The string found, in memory of its own. */
static char *
text(const struct found *f)
{
	char *s = json_dup(f->json, f->i);

	if (s == NULL)
		bad(f, "expected text");
	return s;
}

const char *
settings_str(const char *key)
{
	static struct strs all; /* that were handed out: never freed */
	struct found f;
	const char *kept;
	char *s;

	if (!require(&f, key))
		return NULL;
	s = text(&f);
	kept = strs_once(&all, s);
	free(s);
	return kept;
}

/* A number, true or false too, as JSON has it. */
static char *
word(const struct found *f)
{
	struct span v = json_span(f->json, f->i);

	switch (json_kind(f->json, f->i)) {
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_STRING:
		return text(f);
	default:
		return xstrndup(v.p, v.n);
	}
}

static void
collect(struct found f, struct strs *l, char *(*get)(const struct found *))
{
	char *s;
	int list;

	list = json_kind(f.json, f.i) == JSON_ARRAY;
	if (list)
		f.i = json_first(f.json, f.i);
	while (f.i >= 0) {
		s = get(&f);
		strs_add(l, s);
		free(s);
		f.i = list ? json_next(f.json, f.i) : -1;
	}
}

void
settings_strs(const char *key, struct strs *l)
{
	struct found f;

	if (require(&f, key))
		collect(f, l, text);
}

int
settings_words(const char *key, struct strs *l)
{
	struct found f;

	if (!find(&f, key))
		return 0;
	collect(f, l, word);
	return 1;
}

void
settings_where(const char *key, size_t i, struct buf *b)
{
	const struct yamlfile_mark *m;
	struct found f;

	if (!find(&f, key)) {
		buf_puts(b, key);
		return;
	}
	if (json_kind(f.json, f.i) == JSON_ARRAY)
		for (f.i = json_first(f.json, f.i); i > 0; i--)
			f.i = json_next(f.json, f.i);
	buf_puts(b, f.src->path);
	if (f.src->marks == NULL || f.i < 0)
		return;
	m = &f.src->marks[f.i];
	buf_printf(b, ":%zu:%zu", m->line, m->col);
}

int
settings_enabled(const char *name)
{
	struct buf key = {NULL, 0, 0};
	int on;

	buf_printf(&key, "%s.enabled", name);
	on = settings_bool(buf_cstr(&key));
	buf_free(&key);
	return on;
}

/* What is expected where a value is not of the kind that is shipped. */
static const char *
misfit(int kind, int own)
{
	if (own == JSON_NULL)
		return NULL;
	switch (kind) {
	case JSON_OBJECT:
		return own == kind ? NULL : "expected a mapping of keys";
	case JSON_TRUE:
	case JSON_FALSE:
		return own == JSON_TRUE || own == JSON_FALSE
		    ? NULL
		    : "expected true or false";
	case JSON_NUMBER:
		return own == kind ? NULL : "expected a number";
	case JSON_ARRAY:
		return own != JSON_OBJECT ? NULL : "expected a list";
	default:
		return own != JSON_OBJECT && own != JSON_ARRAY
		    ? NULL
		    : "expected one value";
	}
}

static void
compare(const struct found *own, const struct found *known)
{
	static struct buf key, why;
	struct found o = *own, k = *known;
	const char *misfits;

	for (o.i = json_first(own->json, own->i); o.i >= 0;
	    o.i = json_next(own->json, o.i - 1)) {
		buf_reset(&key);
		(void)json_str(o.json, o.i, &key);
		k.i = json_get(known->json, known->i, buf_cstr(&key));
		/* A mapping of names that are the user's own. */
		if (k.i < 0)
			k.i = json_get(known->json, known->i, "*");
		if (k.i < 0) {
			buf_printf(&why, "expected a key of "
			    "turnpipe-settings(5), found \"%s\"", key.p);
			bad(&o, buf_cstr(&why));
		}
		o.i++;
		misfits = misfit(json_kind(k.json, k.i),
		    json_kind(o.json, o.i));
		if (misfits != NULL)
			bad(&o, misfits);
		if (json_kind(o.json, o.i) == JSON_OBJECT)
			compare(&o, &k);
	}
}

/*
 * The file that is shipped: that of the last directory, or else of the build.
 * 0 if there is none.
 */
static int
find_shipped(struct found *f)
{
	if (ngiven + nown == nsources)
		return 0;
	f->src = &sources[ngiven + nown];
	f->json = &f->src->json;
	f->i = 0;
	return 1;
}

/* The kind that the value of key has in f's file, JSON_NONE if it has none. */
static int
find_kind(struct found f, const char *key)
{
	static struct buf part;
	size_t n;
	int i;

	for (;; key += n + 1) {
		n = strcspn(key, ".");
		buf_reset(&part);
		buf_add(&part, key, n);
		i = json_get(f.json, f.i, buf_cstr(&part));
		f.i = i >= 0 ? i : json_get(f.json, f.i, "*");
		if (f.i < 0 || key[n] == '\0')
			return json_kind(f.json, f.i);
	}
}

/* The value as JSON: text as it is where text is shipped, else YAML. */
static void
put_value(struct buf *b, const char *value, int kind)
{
	static struct yamlfile y;
	struct strs l = {NULL, 0, 0};
	size_t i;

	if (kind == JSON_ARRAY && *value != '[') {
		strs_split(&l, value);
		emit_open(b, '[');
		for (i = 0; i < l.n; i++)
			emit_cstr(b, l.v[i]);
		emit_close(b, ']');
		strs_free(&l);
	} else if (kind == JSON_STRING || *value == '\0'
	    || yamlfile_parse(&y, value, strlen(value), YAMLFILE_STRICT) < 0) {
		emit_cstr(b, value);
	} else {
		emit_span(b, json_span(&y.json, 0));
	}
}

/* Make a source of KEY=VALUE: {"a":{"b":VALUE}} for a.b. */
static void
make_given(struct yamlfile *y, const char *arg)
{
	struct found own = {y, &y->json, 0}, known;
	int isknown = find_shipped(&known), depth;
	size_t n = strcspn(arg, "=");
	char *key = xstrndup(arg, n), *s;
	struct buf path = {NULL, 0, 0};

	buf_printf(&path, "--set %s", key);
	y->path = buf_cstr(&path);
	if (*key == '\0' || arg[n] != '=')
		die(EX_CONFIG, "--set: expected KEY=VALUE, got '%s'", arg);
	for (depth = 0, s = key;; depth++, s += n + 1) {
		n = strcspn(s, ".");
		emit_open(&y->text, '{');
		emit_keyn(&y->text, s, n);
		if (s[n] == '\0')
			break;
	}
	put_value(&y->text, arg + strlen(key) + 1,
	    isknown ? find_kind(known, key) : JSON_NONE);
	for (; depth >= 0; depth--)
		emit_close(&y->text, '}');
	if (json_parse(&y->json, y->text.p, y->text.n) < 0)
		bad(&own, "expected a value");
	free(key);
	if (isknown)
		compare(&own, &known);
}

static void
add_given(const char *arg)
{
	grow(&sources, &capsources, nsources, sizeof(*sources));
	memmove(sources + 1, sources, nsources++ * sizeof(*sources));
	memset(sources, 0, sizeof(*sources));
	ngiven++;
	make_given(sources, arg);
}

/* The lines of TURNPIPE_SET. */
static void
read_given(void)
{
	const char *s = env_get("TURNPIPE_SET");
	char *line;
	size_t n;

	for (; s != NULL && *s != '\0'; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		line = xstrndup(s, n);
		if (n > 0)
			add_given(line);
		free(line);
	}
}

static void
load_all(void)
{
	const struct strs *dirs;
	size_t i;

	if (loaded)
		return;
	loaded = 1;
	dirs = path_dirs();
	for (i = 0; i < dirs->n; i++) {
		nown = nsources;
		load(dirs->v[i]);
	}
	load_built();
	read_given();
}

void
settings_set(const char *arg)
{
	const char *s = env_get("TURNPIPE_SET");
	struct buf b = {NULL, 0, 0};

	if (strchr(arg, '\n') != NULL)
		die(EX_USAGE, "--set: expected one line");
	if (wasread)
		die(EX_SOFTWARE, "--set %s: settings were read before", arg);
	load_all();
	add_given(arg);
	/* What we start obeys it, too. */
	buf_printf(&b, "%s%s%s", s != NULL ? s : "", s != NULL ? "\n" : "",
	    arg);
	if (setenv("TURNPIPE_SET", buf_cstr(&b), 1) < 0)
		die_sys(EX_OSERR, "setenv");
	buf_free(&b);
}

void
settings_check(void)
{
	struct found own, known;
	size_t i;

	load_all();
	if (!find_shipped(&known))
		return;
	for (i = ngiven; i < ngiven + nown; i++) {
		own.i = 0;
		own.src = &sources[i];
		own.json = &own.src->json;
		compare(&own, &known);
	}
}
