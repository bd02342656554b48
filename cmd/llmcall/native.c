#include <stdlib.h>
#include <string.h>

#include "native.h"

static int
call_of(const struct native *w, int block)
{
	char *id = json_dup(w->j, json_get(w->j, block, "call"));
	int c = json_first(w->j, w->calls);

	for (; id != NULL && c >= 0; c = json_next(w->j, c))
		if (json_is(w->j, json_get(w->j, c, "id"), id))
			break;
	if (id == NULL)
		c = -1;
	free(id);
	return c;
}

static int
mentioned(const struct native *w, int call)
{
	char *id = json_dup(w->j, json_get(w->j, call, "id"));
	int k = id == NULL ? -1 : json_first(w->j, w->blocks);

	while (k >= 0 && !json_is(w->j, json_get(w->j, k, "call"), id))
		k = json_next(w->j, k);
	free(id);
	return k >= 0;
}

/* Do the pieces of text add up?  Sets late to whether some are too late. */
static int
fits(struct native *w)
{
	int k = json_first(w->j, w->blocks), calls = 0, late = 0;
	size_t sum = 0;
	long long n;

	for (; k >= 0; k = json_next(w->j, k)) {
		if (json_get(w->j, k, "type") >= 0)
			continue;
		calls |= json_get(w->j, k, "call") >= 0;
		if (json_int(w->j, json_get(w->j, k, "text"), &n) < 0)
			continue;
		if (n < 0 || (size_t)n > w->content.n - sum)
			return 0;
		sum += (size_t)n;
		late |= calls;
	}
	w->late = w->late && late;
	return sum == w->content.n;
}

int
native_open(struct native *w, const struct json *j, int m,
    const struct provider *p, const char *api, const char *model, int late)
{
	int i = json_get(j, m, "native");

	memset(w, 0, sizeof(*w));
	if (!json_is(j, json_get(j, i, "api"), api)
	    || !json_is(j, json_get(j, i, "provider"), provider_name(p))
	    || !json_is(j, json_get(j, i, "model"), model))
		return -1;
	w->j = j;
	w->blocks = json_get(j, i, "blocks");
	w->calls = json_get(j, m, "tool_calls");
	w->late = late;
	json_str(j, json_get(j, m, "content"), &w->content);
	if (json_kind(j, w->blocks) != JSON_ARRAY || !fits(w)) {
		native_free(w);
		return -1;
	}
	w->at = json_first(j, w->blocks);
	w->own = w->call = -1;
	return 0;
}

/* The calls that are still to come, one by one. */
static int
next_call(struct native *w)
{
	int c = w->call < 0 ? json_first(w->j, w->calls)
			    : json_next(w->j, w->call);

	while (c >= 0 && !w->late && mentioned(w, c))
		c = json_next(w->j, c);
	w->call = c;
	return c >= 0;
}

int
native_next(struct native *w)
{
	long long n;
	int k;

	w->own = -1;
	w->text = (struct span){"", 0};
	if (w->rest)
		return next_call(w);
	w->call = -1;
	while ((k = w->at) >= 0) {
		w->at = json_next(w->j, k);
		if (json_get(w->j, k, "type") >= 0) {
			w->own = k;
			return 1;
		}
		if (json_int(w->j, json_get(w->j, k, "text"), &n) == 0) {
			w->text.p = w->content.p + w->pos;
			w->text.n = (size_t)n;
			w->pos += (size_t)n;
			return 1;
		}
		w->call = w->late ? -1 : call_of(w, k);
		if (w->call >= 0)
			return 1;
	}
	w->rest = 1;
	return next_call(w);
}

void
native_free(struct native *w)
{
	buf_free(&w->content);
}
