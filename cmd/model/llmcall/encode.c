#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "encode.h"
#include "hash.h"
#include "jsonrepair.h"
#include "match.h"

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
			w->cited = json_get(w->j, k, "citations");
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

static const char *const ours[] = {"type", "id", "redacted", "tp", "by", "model",
    "messages", "tools", "stream", "stream_options", "temperature_max",
    "max_steps", "max_seconds", "context_window", "hide",
    "cache_ttl", "required_tools", "provider_tools", NULL};

static int
among(const struct json *j, int k, const char *const *v)
{
	for (; *v != NULL; v++)
		if (json_is(j, k, *v))
			return 1;
	return 0;
}

int
encode_listed(const struct provider *p, const char *path, const struct json *j,
    int k)
{
	static struct buf b;

	buf_reset(&b);
	json_str(j, k, &b);
	return b.n > 0 && provider_lists(p, path, (struct span){b.p, b.n});
}

static int
plain(const struct buf *b, int marks)
{
	size_t i;
	char c;

	for (i = 0; i < b->n; i++) {
		c = b->p[i];
		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
		    || (c >= 'A' && c <= 'Z')
		    || (marks && (c == '_' || c == '-')))
			continue;
		return 0;
	}
	return b->n > 0;
}

/* Call and result get the same new id, since it depends on the old alone. */
void
encode_id(struct buf *b, const struct provider *p, const struct json *j, int i)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	static struct buf id;
	const struct json *q = provider_json(p);
	long long max;
	uint64_t h;

	buf_reset(&id);
	json_str(j, i, &id);
	h = hash_bytes(id.p, id.n);
	if (json_int(q, provider_at(p, "messages.id_exact"), &max) == 0) {
		if (id.n != (size_t)max || !plain(&id, 0)) {
			buf_reset(&id);
			for (; max > 0; max--, h /= 36)
				buf_putc(&id, digits[h % 36]);
		}
	} else if ((json_int(q, provider_at(p, "messages.id_max"), &max) == 0
		       && id.n > (size_t)max)
	    || (provider_true(p, "messages.id_plain") && !plain(&id, 1))) {
		buf_reset(&id);
		buf_printf(&id, "call_%016llx", (unsigned long long)h);
	}
	emit_str(b, id.p, id.n);
}

void
encode_args(struct buf *b, const struct json *j, int call)
{
	static struct buf s;
	int i = json_at(j, call, "function.arguments");
	struct span raw;

	buf_reset(&s);
	if (json_str(j, i, &s) < 0) {
		raw = json_span(j, i);
		if (json_kind(j, i) == JSON_OBJECT) {
			emit_span(b, raw);
			return;
		}
		buf_span(&s, raw);
	}
	jsonrepair_object(b, s.p, s.n);
}

size_t
encode_calls(const struct json *j)
{
	size_t n = 0;
	int m;

	for (m = json_first(j, json_get(j, 0, "messages")); m >= 0;
	     m = json_next(j, m))
		n += json_count(j, json_get(j, m, "tool_calls"));
	return n;
}

int
encode_blank(const struct json *j, int i)
{
	enum json_kind kind = json_kind(j, i);

	return kind == JSON_NONE || kind == JSON_NULL
	    || (kind == JSON_STRING && json_span(j, i).n == 2)
	    || (kind == JSON_ARRAY && json_count(j, i) == 0);
}

int
encode_text(struct buf *b, const struct json *j, int i)
{
	size_t from = b->n;
	int k;

	if (json_kind(j, i) != JSON_ARRAY)
		return encode_blank(j, i) ? 0 : json_str(j, i, b);
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (!json_is(j, json_get(j, k, "type"), "text"))
			return -1;
		if (b->n > from)
			buf_putc(b, '\n');
		json_str(j, json_get(j, k, "text"), b);
	}
	return 0;
}

/* Is it kept out by another field that is there: of the request, or also? */
static int
excluded(const struct provider *p, const struct json *j, int key,
    const char *also)
{
	const struct json *q = provider_json(p);
	int i = provider_at(p, "exclude"), k, f;
	char *other;

	for (k = json_first(q, i); k >= 0; k = json_next(q, k)) {
		other = json_dup(q, k);
		f = other == NULL ? -1 : json_get(j, 0, other);
		free(other);
		if ((f < 0 || json_kind(j, f) == JSON_NULL)
		    && (also == NULL || !json_is(q, k, also)))
			continue;
		for (f = json_first(q, k + 1); f >= 0; f = json_next(q, f))
			if (span_same(json_span(q, f), json_span(j, key)))
				return 1;
	}
	return 0;
}

static void
put_field(struct buf *b, struct provider *p, const struct json *j, int k)
{
	const struct json *q = provider_json(p);
	char *key = json_dup(j, k), *as = NULL;
	double v, most;
	int i, had;

	if (key == NULL)
		return;
	i = json_get(q, provider_at(p, "rename"), key);
	if (i >= 0)
		as = json_dup(q, i);
	/* A field that has its name here already counts. */
	had = as == NULL ? -1 : json_get(j, 0, as);
	if (had >= 0 && json_kind(j, had) != JSON_NULL) {
		free(key);
		free(as);
		return;
	}
	emit_cstr(b, as != NULL ? as : key);
	free(as);
	buf_putc(b, ':');
	i = json_get(q, provider_at(p, "most"), key);
	if (json_num(q, i, &most) == 0 && json_num(j, k + 1, &v) == 0
	    && v > most)
		emit_span(b, json_span(q, i));
	else
		emit_span(b, json_span(j, k + 1));
	free(key);
}

/* The session is ours, but where a provider has a name for it. */
static int
unnamed(const struct provider *p, const struct json *j, int k)
{
	return json_is(j, k, "session")
	    && json_get(provider_json(p), provider_at(p, "rename"), "session")
	    < 0;
}

/*
 * Does member key of the provider's list, globs under a field's name, fit
 * this model?  -1 if the list has no such field.
 */
static int
meant(const struct provider *p, const char *list, const struct json *j,
    int key, const char *model)
{
	const struct json *q = provider_json(p);
	char *name = json_dup(j, key), *glob;
	int i = name == NULL ? -1 : json_get(q, provider_at(p, list), name);
	int hit = i < 0 ? -1 : 0;

	free(name);
	for (i = json_first(q, i); i >= 0 && !hit; i = json_next(q, i)) {
		glob = json_dup(q, i);
		hit = glob != NULL && match_name(glob, model);
		free(glob);
	}
	return hit;
}

/* Has the provider's file the last word on this field? */
static int
is_set(const struct provider *p, const struct json *j, int key,
    const char *model)
{
	char *name = json_dup(j, key);
	int i = name == NULL ? -1 : json_get(provider_json(p),
	    provider_at(p, "set"), name);

	free(name);
	return i >= 0 && meant(p, "set_for", j, key, model) != 0;
}

void
encode_fields(struct buf *b, struct provider *p, const char *model,
    const struct json *j, const char *const *taken, const char *also)
{
	int k;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (!among(j, k, ours) && !among(j, k, taken)
		    && json_kind(j, k + 1) != JSON_NULL
		    && !encode_listed(p, "drop", j, k)
		    && meant(p, "drop_for", j, k, model) != 1
		    && !excluded(p, j, k, also)
		    && !unnamed(p, j, k) && !is_set(p, j, k, model))
			put_field(b, p, j, k);
}

void
encode_set(struct buf *b, const struct provider *p, const char *model)
{
	const struct json *q = provider_json(p);
	int i = provider_at(p, "set"), k;

	for (k = json_first(q, i); k >= 0; k = json_next(q, k))
		if (meant(p, "set_for", q, k, model) != 0)
			emit_member(b, q, k);
}

enum encode_effort
encode_effort(struct provider *p, const char *model, const struct json *j,
    struct buf *word)
{
	static const char *const ways[] = {
		[EFFORT_NONE] = "none", [EFFORT_PLAIN] = "plain",
		[EFFORT_BUDGET] = "budget", [EFFORT_ADAPTIVE] = "adaptive"};
	const struct json *q = provider_json(p);
	enum encode_effort way;
	int i = provider_word(p, "effort.models", model);

	buf_reset(word);
	if (json_str(j, json_get(j, 0, "reasoning_effort"), word) < 0
	    || provider_lists(p, "drop", span_of("reasoning_effort")))
		return EFFORT_NONE;
	if (provider_at(p, "effort.models") < 0)
		return EFFORT_PLAIN;
	for (way = EFFORT_ADAPTIVE; way > EFFORT_NONE; way--)
		if (json_is(q, i, ways[way]))
			break;
	i = provider_word(p, "effort.as", buf_cstr(word));
	if (json_kind(q, i) == JSON_STRING) {
		buf_reset(word);
		json_str(q, i, word);
	}
	return way;
}

int
encode_own_tool(const struct provider *p, const char *name)
{
	return json_get(provider_json(p), provider_at(p, "tools.own"), name);
}

void
encode_own_tools(
    struct buf *b, const struct provider *p, const struct json *j)
{
	int i = json_first(j, json_get(j, 0, "provider_tools"));
	char *name;

	for (; i >= 0; i = json_next(j, i)) {
		name = json_dup(j, i);
		if (name != NULL && encode_own_tool(p, name) >= 0)
			emit_span(b, json_span(provider_json(p),
			    encode_own_tool(p, name)));
		free(name);
	}
}

int
encode_has_tools(const struct json *j)
{
	return json_count(j, json_get(j, 0, "tools")) > 0
	    || json_count(j, json_get(j, 0, "provider_tools")) > 0;
}
