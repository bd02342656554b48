#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "discover.h"
#include "http.h"
#include "json.h"
#include "match.h"
#include "model.h"
#include "provider.h"
#include "settings.h"

/* A server named by the user may be far or busy; guessed ones are local. */
enum { GUESSED_MS = 300, NAMED_MS = 5000, PROBE_BYTES = 1 << 20 };

/* A server that is asked what it is. */
struct asked {
	struct http http;
	struct http_limits limits;
	struct provider *provider;
	struct buf url, body;
	char *model;
	int over;
};

static struct buf failed; /* the servers that the environment names */

static void
on_data(struct http *h, const char *p, size_t n)
{
	struct asked *a = h->arg;

	buf_add(&a->body, p, n);
}

/*
 * The model's name at the path in its answer; of a list, whose first element
 * the path names, the first one that does not fit the glob.  NULL: none.
 */
static char *
find_name(const struct json *j, const char *path, const char *not)
{
	static struct buf at;
	const char *list = strstr(path, ".0.");
	char *s;
	int i = 0, k;

	do {
		buf_reset(&at);
		if (list != NULL)
			buf_printf(&at, "%.*s.%d.%s", (int)(list - path), path,
			    i++, list + 3);
		else
			buf_puts(&at, path);
		k = json_at(j, 0, buf_cstr(&at));
		s = k < 0 ? NULL : json_dup(j, k);
		if (s != NULL && *s != '\0'
		    && (not == NULL || !match_name(not, s)))
			return s;
		free(s);
	} while (k >= 0 && list != NULL);
	return NULL;
}

/* Its answer counts when it has what the provider's file says. */
static void
on_done(struct http *h)
{
	static struct json j;
	struct asked *a = h->arg;
	const char *has = provider_str(a->provider, "probe.has");
	const char *path = provider_str(a->provider, "probe.model");

	a->over = 1;
	if (h->end != HTTP_DONE || h->status != 200 || has == NULL
	    || json_parse(&j, a->body.p, a->body.n) < 0
	    || json_at(&j, 0, has) < 0)
		return;
	a->model = path == NULL ? NULL : find_name(&j, path,
	    provider_str(a->provider, "probe.not"));
	if (a->model == NULL) {
		path = provider_str(a->provider, "default_model");
		a->model = path == NULL ? NULL : xstrdup(path);
	}
}

static void
ask(struct asked *a, struct provider *p)
{
	const int ms = provider_custom(p) ? NAMED_MS : GUESSED_MS;
	const char *base = provider_base(p);
	const char *suffix = provider_str(p, "base_suffix");
	const char *path = provider_str(p, "probe.path"), *key;
	struct buf why = {NULL, 0, 0};
	size_t n = strlen(base), m = suffix == NULL ? 0 : strlen(suffix);

	memset(a, 0, sizeof(*a));
	a->provider = p;
	if (m > 0 && n >= m && strcmp(base + n - m, suffix) == 0)
		n -= m;
	buf_add(&a->url, base, n);
	buf_puts(&a->url, path);
	if (provider_haskey(p) && provider_key(p, &key, &why) == 0)
		provider_headers(p, key, 0, &a->http.headers);
	buf_free(&why);
	a->http.url = buf_cstr(&a->url);
	a->limits = (struct http_limits){ms, ms, ms, 0, ms, PROBE_BYTES};
	a->http.limits = &a->limits;
	a->http.data = on_data;
	a->http.done = on_done;
	a->http.arg = a;
	http_start(&a->http);
}

/* A server that the user named and that is of no use, for people. */
static void
add_failure(struct asked *a)
{
	buf_puts(&failed, failed.n > 0 ? "; " : "");
	if (a->http.end == HTTP_DONE)
		buf_printf(&failed, "%s: not a model server that %s knows "
		    "(%d)", buf_cstr(&a->url),
		    provider_name(a->provider), a->http.status);
	else
		buf_printf(&failed, "%s: %s", buf_cstr(&a->url),
		    a->http.why == NULL || a->http.end == HTTP_CONNECT
			    || a->http.end == HTTP_SLOW
			? "the server does not answer" : a->http.why);
	provider_mask(&failed);
}

/* Ask them all at once; the first in order that answered is the one. */
static const char *
ask_all(struct provider **v, size_t n)
{
	static struct buf name;
	struct asked *a = xreallocarray(NULL, n + 1, sizeof(*a));
	size_t i;

	for (i = 0; i < n; i++)
		ask(&a[i], v[i]);
	for (;;) {
		for (i = 0; i < n && a[i].over && a[i].model == NULL; i++)
			continue;
		if (i == n || a[i].over)
			break;
		http_wait(-1, -1, -1, -1);
	}
	if (i < n)
		buf_printf(&name, "%s/%s", provider_name(v[i]), a[i].model);
	for (i = 0; i < n; i++) {
		if (name.n == 0 && provider_custom(a[i].provider))
			add_failure(&a[i]);
		http_cancel(&a[i].http);
		buf_free(&a[i].url);
		buf_free(&a[i].body);
		buf_free(&a[i].http.replies);
		strs_free(&a[i].http.headers);
		free(a[i].model);
	}
	free(a);
	return name.n > 0 ? buf_cstr(&name) : NULL;
}

static int
loopback(const char *url)
{
	return strncmp(url, "http://127.0.0.1", 16) == 0
	    || strncmp(url, "http://localhost", 16) == 0
	    || strncmp(url, "http://[::1]", 12) == 0;
}

static const char *
with_default(struct provider *p)
{
	static struct buf name;
	const char *model = provider_str(p, "default_model");

	if (model == NULL)
		return NULL;
	buf_reset(&name);
	buf_printf(&name, "%s/%s", provider_name(p), model);
	return buf_cstr(&name);
}

static const char *
find_model(void)
{
	const char *s = model_default();
	struct provider **all, **v;
	size_t i, n, count = 0;

	if (s != NULL)
		return s;
	all = provider_all(&n);
	for (i = 0; i < n; i++)
		if (provider_haskey(all[i]) && !provider_custom(all[i])
		    && (s = with_default(all[i])) != NULL)
			return s;
	v = xreallocarray(NULL, n + 1, sizeof(*v));
	/* First servers of the environment, then those on this machine. */
	for (i = 0; i < n; i++)
		if (provider_custom(all[i])
		    && provider_str(all[i], "probe.path") != NULL)
			v[count++] = all[i];
	for (i = 0; i < n; i++)
		if (!provider_custom(all[i])
		    && provider_str(all[i], "probe.path") != NULL
		    && loopback(provider_base(all[i])))
			v[count++] = all[i];
	s = ask_all(v, count);
	free(v);
	for (i = 0; i < n && s == NULL; i++)
		if (provider_custom(all[i]) && provider_haskey(all[i]))
			s = with_default(all[i]);
	return s;
}

void
discover_why(struct buf *b)
{
	if (failed.n > 0)
		buf_printf(b, "%s; a model can be named with -m, "
		    "TURNPIPE_MODEL or model in settings.yaml",
		    buf_cstr(&failed));
}

const char *
discover_model(void)
{
	static const char *model;
	static int looked;

	if (!looked) {
		looked = 1;
		model = find_model();
	}
	return model;
}
