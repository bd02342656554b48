#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "apikey.h"
#include "config.h"
#include "diag.h"
#include "env.h"
#include "path.h"
#include "provider.h"
#include "yamlfile.h"

struct provider {
	char *name;
	struct yamlfile y;
	struct buf base;
	int custom;
	struct apikey key;
	struct apikey user; /* with a password, in the base URL */
	struct strs text; /* what provider_str has given out */
	struct provider *next;
};

static struct provider *known;

/* A host as OLLAMA_HOST has it is no URL: scheme and port may be missing. */
static void
make_base(struct provider *p, const char *s)
{
	struct buf *b = &p->base;
	const char *suffix = provider_str(p, "base_suffix");
	const char *host;
	long long port;
	size_t n;

	if (strstr(s, "://") == NULL)
		buf_puts(b, "http://");
	n = b->n;
	if (n > 0 && *s == ':')
		buf_puts(b, "127.0.0.1");
	if (n > 0 && strncmp(s, "0.0.0.0", 7) == 0) {
		buf_puts(b, "127.0.0.1");
		s += 7;
	}
	buf_puts(b, s);
	while (b->n > 0 && b->p[b->n - 1] == '/')
		b->n--;
	host = strstr(buf_cstr(b), "://") + 3;
	for (n = strcspn(host, "/"); n > 0 && host[n - 1] != '@'; n--)
		continue;
	if (n > 1)
		p->user.text = xstrndup(host, n - 1);
	if (strpbrk(host, ":/") == NULL
	    && json_int(&p->y.json, provider_at(p, "default_port"), &port)
		== 0)
		buf_printf(b, ":%lld", port);
	n = suffix == NULL ? 0 : strlen(suffix);
	if (n > 0
	    && (b->n < n || memcmp(b->p + b->n - n, suffix, n) != 0))
		buf_puts(b, suffix);
}

static void
find_base(struct provider *p)
{
	struct strs l = {NULL, 0, 0};
	const char *s = NULL;
	size_t i;

	json_strs(&p->y.json, json_get(&p->y.json, 0, "base_url_env"), &l);
	for (i = 0; i < l.n && s == NULL; i++)
		s = env_get(l.v[i]);
	strs_free(&l);
	if (s != NULL)
		make_base(p, s);
	s = provider_str(p, "base_url");
	if (s == NULL)
		die(EX_CONFIG, "providers/%s.yaml: expected a base_url",
		    p->name);
	if (p->base.n == 0)
		make_base(p, s);
	else
		p->custom = strcmp(buf_cstr(&p->base), s) != 0;
}

/* NULL if there is no such file. */
static struct provider *
named(const char *name)
{
	struct buf rel = {NULL, 0, 0}, path = {NULL, 0, 0};
	struct provider *p;
	const char *s;

	for (p = known; p != NULL; p = p->next)
		if (strcmp(p->name, name) == 0)
			return p;
	for (s = name; *s != '\0'; s++)
		if (!isalnum((unsigned char)*s) && *s != '-' && *s != '_')
			return NULL;
	if (*name == '\0')
		return NULL;
	buf_printf(&rel, "providers/%s.yaml", name);
	if (path_find(&path, buf_cstr(&rel)) == 0) {
		p = xmalloc(sizeof(*p));
		memset(p, 0, sizeof(*p));
		p->name = xstrdup(name);
		yamlfile_load(&p->y, buf_cstr(&path));
		find_base(p);
		p->next = known;
		known = p;
	}
	buf_free(&rel);
	buf_free(&path);
	return p;
}

static long long
rank(const struct provider *p)
{
	long long v;

	if (json_int(&p->y.json, json_get(&p->y.json, 0, "rank"), &v) < 0)
		return 1000;
	return v;
}

static int
compare(const void *a, const void *b)
{
	const struct provider *const *p = a, *const *q = b;
	long long x = rank(*p), y = rank(*q);

	return x != y ? (x > y) - (x < y) : strcmp((*p)->name, (*q)->name);
}

struct provider **
provider_all(size_t *n)
{
	static struct provider **v;
	static size_t cap, count;
	struct strs l = {NULL, 0, 0};
	struct provider *p;
	char *s;
	size_t i;

	path_list(&l, "providers", ".yaml");
	for (i = 0, count = 0; i < l.n; i++) {
		s = strrchr(l.v[i], '/') + 1;
		s[strlen(s) - 5] = '\0';
		p = named(s);
		if (p == NULL)
			continue;
		grow(&v, &cap, count, sizeof(*v));
		v[count++] = p;
	}
	strs_free(&l);
	if (count > 1)
		qsort(v, count, sizeof(*v), compare);
	*n = count;
	return v;
}

struct provider *
provider_for(const char *model, const char **rest)
{
	struct provider *p;
	size_t n = strcspn(model, "/");
	char *name;

	if (model[n] == '/' && model[n + 1] != '\0') {
		name = xstrndup(model, n);
		p = named(name);
		free(name);
		*rest = model + n + 1;
		if (p != NULL)
			return p;
	}
	*rest = model;
	p = named("openai");
	/* OpenAI's own names have no slash: this one's provider is mistyped. */
	return p != NULL && (p->custom
	    || (model[n] == '\0' && provider_haskey(p))) ? p : NULL;
}

const char *
provider_name(const struct provider *p)
{
	return p->name;
}

const struct json *
provider_json(const struct provider *p)
{
	return &p->y.json;
}

int
provider_at(const struct provider *p, const char *path)
{
	const struct json *j = &p->y.json;
	int i = -1;

	if (p->custom)
		i = json_at(j, json_get(j, 0, "custom"), path);
	return i >= 0 ? i : json_at(j, 0, path);
}

const char *
provider_str(struct provider *p, const char *path)
{
	char *s = json_dup(&p->y.json, provider_at(p, path));
	const char *kept = s == NULL ? NULL : strs_once(&p->text, s);

	free(s);
	return kept;
}

int
provider_lists(const struct provider *p, const char *path, struct span name)
{
	static struct buf b;
	const struct json *j = &p->y.json;
	int k;

	for (k = json_first(j, provider_at(p, path)); k >= 0;
	     k = json_next(j, k)) {
		buf_reset(&b);
		if (json_str(j, k, &b) == 0
		    && span_same(buf_view(&b), name))
			return 1;
	}
	return 0;
}

int
provider_word(const struct provider *p, const char *path, const char *model)
{
	const struct json *j = &p->y.json;
	int i = provider_at(p, path), k, hit = -1;
	char *glob;

	if (json_kind(j, i) != JSON_OBJECT)
		return i;
	for (k = json_first(j, i); k >= 0 && hit < 0; k = json_next(j, k)) {
		glob = json_dup(j, k);
		if (glob != NULL && fnmatch(glob, model, 0) == 0)
			hit = k + 1;
		free(glob);
	}
	return hit;
}

int
provider_true(const struct provider *p, const char *path)
{
	return json_true(&p->y.json, provider_at(p, path));
}

int
provider_denies(const struct provider *p, const char *path)
{
	const struct json *j = &p->y.json;

	return json_kind(j, json_at(j, p->custom ? json_get(j, 0, "custom") : 0,
	    path)) == JSON_FALSE;
}

const char *
provider_base(struct provider *p)
{
	return buf_cstr(&p->base);
}

int
provider_custom(const struct provider *p)
{
	return p->custom;
}

static void
places(struct provider *p, struct apikey_places *at)
{
	const struct json *j = &p->y.json;
	const char *s = provider_str(p, "key_file");

	memset(at, 0, sizeof(*at));
	json_strs(j, provider_at(p, "key_env"), &at->vars);
	json_strs(j, provider_at(p, "token_env"), &at->tokens);
	buf_printf(&at->file, "%s/keys/%s", path_config(),
	    s == NULL ? p->name : s);
}

static void
places_free(struct apikey_places *at)
{
	strs_free(&at->vars);
	strs_free(&at->tokens);
	buf_free(&at->file);
}

int
provider_key(struct provider *p, const char **key, struct buf *why)
{
	const char *need = provider_str(p, "key");
	struct apikey_places at;
	struct apikey *k = &p->key;

	places(p, &at);
	apikey_find(k, &at);
	if (k->text == NULL && k->why.n == 0 && need != NULL
	    && strcmp(need, "required") == 0)
		buf_printf(&k->why, "no key for %s: set %s, or write it to %s",
		    p->name, at.vars.n > 0 ? at.vars.v[0] : "one",
		    buf_cstr(&at.file));
	places_free(&at);
	*key = k->text;
	if (k->text != NULL || k->why.n == 0)
		return 0;
	buf_add(why, k->why.p, k->why.n);
	return -1;
}

int
provider_haskey(struct provider *p)
{
	struct apikey_places at;
	int has;

	places(p, &at);
	has = apikey_there(&p->key, &at);
	places_free(&at);
	return has;
}

/* "Name: value" lines out of a variable; one without a colon is left out. */
static void
custom_headers(const char *s, int mask, struct strs *l)
{
	struct buf b = {NULL, 0, 0};
	size_t n;

	for (; s != NULL && *s != '\0'; s += n + (s[n] != '\0')) {
		n = strcspn(s, "\r\n");
		if (memchr(s, ':', n) == NULL)
			continue;
		buf_reset(&b);
		buf_add(&b, s, mask ? strcspn(s, ":") : n);
		if (mask)
			buf_puts(&b, ": ***");
		strs_addn(l, b.p, b.n);
	}
	buf_free(&b);
}

void
provider_headers(struct provider *p, const char *key, int mask,
    struct strs *l)
{
	const struct json *j = &p->y.json;
	const char *auth = provider_str(p, "auth"), *s;
	struct buf b = {NULL, 0, 0}, v = {NULL, 0, 0};
	int k, i;

	strs_add(l, "Content-Type: application/json");
	strs_add(l, "User-Agent: turnpipe/" VERSION);
	i = provider_at(p, "headers");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&b);
		json_str(j, k, &b);
		buf_puts(&b, ": ");
		json_str(j, k + 1, &b);
		strs_add(l, buf_cstr(&b));
	}
	i = provider_at(p, "header_env");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&b);
		buf_reset(&v);
		json_str(j, k + 1, &v);
		s = env_get(buf_cstr(&v));
		if (s == NULL || strpbrk(s, "\r\n") != NULL)
			continue;
		json_str(j, k, &b);
		buf_printf(&b, ": %s", s);
		strs_add(l, buf_cstr(&b));
	}
	s = provider_str(p, "headers_env");
	custom_headers(s == NULL ? NULL : env_get(s), mask, l);
	if (key != NULL) {
		buf_reset(&b);
		if (auth == NULL || p->key.istoken
		    || strcmp(auth, "bearer") == 0)
			buf_puts(&b, "Authorization: Bearer ");
		else
			buf_printf(&b, "%s: ", auth);
		buf_puts(&b, mask ? "***" : key);
		strs_add(l, buf_cstr(&b));
	}
	buf_free(&b);
	buf_free(&v);
}

void
provider_mask(struct buf *b)
{
	struct provider *p;

	for (p = known; p != NULL; p = p->next) {
		apikey_mask(&p->key, b);
		apikey_mask(&p->user, b);
	}
}

void
provider_hide(struct buf *b)
{
	struct provider *p;

	for (p = known; p != NULL; p = p->next) {
		if (apikey_secret(&p->key))
			apikey_mask(&p->key, b);
		apikey_mask(&p->user, b);
	}
}
