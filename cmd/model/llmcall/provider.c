#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "apikey.h"
#include "config.h"
#include "diag.h"
#include "env.h"
#include "fileshape.h"
#include "hash.h"
#include "match.h"
#include "path.h"
#include "provider.h"
#include "yamlfile.h"

struct provider {
	char *name;
	int made; /* what its paths lead to stays */
	struct yamlfile y;
	struct buf base;
	struct buf lacks; /* what of it is missing, for people */
	int custom;
	struct apikey key;
	struct apikey id, secret, session; /* to sign with, without a key */
	struct buf how;
	struct provider_sign sign; /* how NULL: requests are not signed */
	struct apikey user; /* with a password, in the base URL */
	struct strs text; /* what provider_str has given out */
	struct provider *next;
};

static struct provider *known;

/* Where paths were found: each request asks for the same. */
enum { ASKED = 256 };
static struct asked {
	const struct provider *provider;
	char *path; /* owned */
	int at;
} asked[ASKED];

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

/* The first of the variables in the list at i that is set, or NULL. */
static const char *
first_var(const struct json *j, int i)
{
	struct strs l = {NULL, 0, 0};
	const char *s = NULL;
	size_t k;

	json_strs(j, i, &l);
	for (k = 0; k < l.n && s == NULL; k++)
		s = env_get(l.v[k]);
	strs_free(&l);
	return s;
}

/* Append how a value goes into the URL: the word of the first glob. */
static void
put_part(struct buf *b, struct provider *p, const char *rel, const char *value)
{
	int k = provider_word(p, rel, value);
	char *word = json_dup(&p->y.json, k), *at;

	at = word == NULL ? NULL : strstr(word, "{{}}");
	if (word == NULL)
		buf_puts(b, value);
	else if (at == NULL)
		buf_puts(b, word);
	else {
		buf_add(b, word, (size_t)(at - word));
		buf_puts(b, value);
		buf_puts(b, at + 4);
	}
	free(word);
}

/* Append the value of the hole NAME; a part of a URL, no more than that. */
static void
fill_hole(struct buf *b, struct provider *p, const char *name, size_t n)
{
	const struct json *j = &p->y.json;
	struct buf rel = {NULL, 0, 0};
	const char *value, *s;
	char *var;
	size_t m;

	buf_printf(&rel, "base_parts.%.*s", (int)n, name);
	m = rel.n;
	buf_puts(&rel, ".env");
	var = json_dup(j, json_first(j, provider_at(p, buf_cstr(&rel))));
	value = first_var(j, provider_at(p, buf_cstr(&rel)));
	rel.n = m;
	buf_puts(&rel, ".default");
	if (value == NULL)
		value = provider_str(p, buf_cstr(&rel));
	for (s = value; s != NULL && *s != '\0'; s++)
		if (!isalnum((unsigned char)*s) && strchr(".-_:", *s) == NULL)
			break;
	rel.n = m;
	buf_puts(&rel, ".as");
	if (value != NULL && *s == '\0')
		put_part(b, p, buf_cstr(&rel), value);
	else {
		if (p->lacks.n == 0)
			buf_printf(&p->lacks, "%s: %s %s%s", p->name,
			    value == NULL ? "set" : "not a part of a URL:",
			    var == NULL ? "base_parts of its file" : var,
			    value == NULL ? ", a part of its URL" : "");
		buf_printf(b, "{{%.*s}}", (int)n, name);
	}
	free(var);
	buf_free(&rel);
}

/* Append the base URL of the file, its holes filled. */
static void
fill_url(struct buf *b, struct provider *p, const char *s)
{
	const char *at, *end;

	while ((at = strstr(s, "{{")) != NULL
	    && (end = strstr(at, "}}")) != NULL) {
		buf_add(b, s, (size_t)(at - s));
		fill_hole(b, p, at + 2, (size_t)(end - at - 2));
		s = end + 2;
	}
	buf_puts(b, s);
}

static void
find_base(struct provider *p)
{
	struct buf own = {NULL, 0, 0};
	const char *s;

	s = first_var(&p->y.json, json_get(&p->y.json, 0, "base_url_env"));
	if (s != NULL)
		make_base(p, s);
	s = provider_str(p, "base_url");
	fill_url(&own, p, s);
	if (p->base.n == 0)
		make_base(p, buf_cstr(&own));
	else {
		p->custom = strcmp(buf_cstr(&p->base), buf_cstr(&own)) != 0;
		buf_reset(&p->lacks);
	}
	buf_free(&own);
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
		fileshape_check(&p->y, "provider");
		find_base(p);
		p->made = 1;
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
	if (model[n] == '/' && (n == 0 || model[n + 1] == '\0'))
		return NULL;
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

static int
seek(const struct provider *p, const char *path)
{
	const struct json *j = &p->y.json;
	int i = -1;

	if (p->custom)
		i = json_at(j, json_get(j, 0, "custom"), path);
	return i >= 0 ? i : json_at(j, 0, path);
}

int
provider_at(const struct provider *p, const char *path)
{
	struct asked *a = &asked[hash_bytes(path, strlen(path)) % ASKED];

	if (!p->made)
		return seek(p, path);
	if (a->provider != p || strcmp(a->path, path) != 0) {
		free(a->path);
		a->path = xstrdup(path);
		a->provider = p;
		a->at = seek(p, path);
	}
	return a->at;
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
		if (glob != NULL && match_name(glob, model))
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

/* Is its file the user's?  A work tree's, by TURNPIPE_PATH, runs nothing. */
static int
is_users(const struct provider *p)
{
	const char *config = path_config(), *root = path_root();
	size_t n = strlen(config), m = strlen(root);

	return (strncmp(p->y.path, config, n) == 0 && p->y.path[n] == '/')
	    || (*p->y.path == '/'
		&& !(strncmp(p->y.path, root, m) == 0 && p->y.path[m] == '/'));
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
	s = provider_str(p, "key_cmd");
	if (s != NULL && is_users(p))
		buf_puts(&at->cmd, s);
}

static void
places_free(struct apikey_places *at)
{
	strs_free(&at->vars);
	strs_free(&at->tokens);
	buf_free(&at->cmd);
	buf_free(&at->file);
}

int
provider_ready(struct provider *p, struct buf *why)
{
	buf_add(why, p->lacks.p, p->lacks.n);
	return p->lacks.n > 0 ? -1 : 0;
}

static int
can_sign(struct provider *p)
{
	const char *auth = provider_str(p, "auth");

	return auth != NULL && strcmp(auth, "aws-sigv4") == 0;
}

/* What the variables in the list at path hold: k.  Says why if they do not. */
static void
find_secret(struct provider *p, const char *path, struct apikey *k)
{
	struct buf *why = &p->key.why;
	struct apikey_places at;

	memset(&at, 0, sizeof(at));
	json_strs(&p->y.json, provider_at(p, path), &at.vars);
	apikey_find(k, &at);
	places_free(&at);
	if (why->n == 0)
		buf_add(why, k->why.p, k->why.n);
}

/*
 * The region is in a host as Amazon names them, SERVICE.REGION.DOMAIN; where
 * it is not, it is that of the variables.
 */
static void
find_how(struct provider *p)
{
	const char *s = strstr(buf_cstr(&p->base), "://") + 3;
	char *host = xstrndup(s, strcspn(s, "/:")), *region = NULL, *service;

	service = json_dup(&p->y.json,
	    provider_word(p, "sigv4.service", host));
	s = strchr(host, '.');
	if (s != NULL) {
		region = xstrndup(s + 1, strcspn(s + 1, "."));
		if (!match_name("[a-z][a-z]-*-[0-9]*", region)) {
			free(region);
			region = NULL;
		}
	}
	if (region == NULL) {
		s = first_var(&p->y.json, provider_at(p, "sigv4.region_env"));
		if (s == NULL)
			s = provider_str(p, "sigv4.region");
		region = xstrdup(s == NULL ? "" : s);
	}
	buf_printf(&p->how, "aws:amz:%s:%s", region,
	    service == NULL ? "" : service);
	if (*region == '\0' || strchr(region, ':') != NULL || service == NULL)
		buf_printf(&p->key.why, "%s: no region or service to sign for",
		    p->name);
	free(host);
	free(region);
	free(service);
}

/* What requests are signed with, if all of it is there. */
static void
find_sign(struct provider *p)
{
	struct buf *why = &p->key.why;

	if (p->sign.how != NULL || !can_sign(p))
		return;
	find_secret(p, "sigv4.id_env", &p->id);
	find_secret(p, "sigv4.secret_env", &p->secret);
	find_secret(p, "sigv4.session_env", &p->session);
	if (why->n > 0 || p->id.text == NULL || p->secret.text == NULL)
		return;
	find_how(p);
	if (why->n > 0)
		return;
	p->sign.how = buf_cstr(&p->how);
	p->sign.id = p->id.text;
	p->sign.secret = p->secret.text;
}

const struct provider_sign *
provider_sign(const struct provider *p)
{
	return p->key.text == NULL && p->sign.how != NULL ? &p->sign : NULL;
}

static void
lacks_key(struct provider *p, const struct apikey_places *at)
{
	struct buf *why = &p->key.why;
	const char *id = provider_str(p, "sigv4.id_env.0");
	const char *secret = provider_str(p, "sigv4.secret_env.0");

	buf_printf(why, "no key for %s: set %s, ", p->name,
	    at->vars.n > 0 ? at->vars.v[0] : "one");
	if (can_sign(p) && id != NULL && secret != NULL)
		buf_printf(why, "or %s and %s, ", id, secret);
	buf_puts(why, "or write it to ");
	buf_add(why, at->file.p, at->file.n);
}

int
provider_key(struct provider *p, const char **key, struct buf *why)
{
	const char *need = provider_str(p, "key");
	struct apikey_places at;
	struct apikey *k = &p->key;

	places(p, &at);
	apikey_find(k, &at);
	if (k->text == NULL && k->why.n == 0)
		find_sign(p);
	if (k->text == NULL && k->why.n == 0 && p->sign.how == NULL
	    && need != NULL && strcmp(need, "required") == 0)
		lacks_key(p, &at);
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
	if (!has && can_sign(p))
		has = first_var(&p->y.json, provider_at(p, "sigv4.id_env"))
			!= NULL
		    && first_var(&p->y.json,
			   provider_at(p, "sigv4.secret_env")) != NULL;
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
		if (auth == NULL || p->key.istoken || can_sign(p)
		    || strcmp(auth, "bearer") == 0)
			buf_puts(&b, "Authorization: Bearer ");
		else
			buf_printf(&b, "%s: ", auth);
		buf_puts(&b, mask ? "***" : key);
		strs_add(l, buf_cstr(&b));
	} else if (provider_sign(p) != NULL) {
		/* libcurl adds the signature; a dry run shows that it will. */
		if (mask)
			strs_add(l, "Authorization: AWS4-HMAC-SHA256 ***");
		buf_reset(&b);
		buf_puts(&b, "X-Amz-Security-Token: ");
		buf_puts(&b, mask || p->session.text == NULL ? "***"
			: p->session.text);
		if (p->session.text != NULL)
			strs_add(l, buf_cstr(&b));
	}
	buf_free(&b);
	buf_free(&v);
}

static void
mask(struct buf *b, int all)
{
	struct provider *p;

	for (p = known; p != NULL; p = p->next) {
		if (all || apikey_secret(&p->key))
			apikey_mask(&p->key, b);
		apikey_mask(&p->user, b);
		apikey_mask(&p->secret, b);
		apikey_mask(&p->session, b);
	}
}

void
provider_mask(struct buf *b)
{
	mask(b, 1);
}

void
provider_hide(struct buf *b)
{
	mask(b, 0);
}
