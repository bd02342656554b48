#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "emit.h"
#include "mend.h"

static const char *const ours[] = {"type", "id", "tp", "by", "model",
    "messages", "tools", "stream", "stream_options", "temperature_max",
    "max_steps", "context_window"};

static int
among(const struct json *j, int k, const char *const *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (json_is(j, k, v[i]))
			return 1;
	return 0;
}

int
body_ours(const struct json *j, int k)
{
	return among(j, k, ours, sizeof(ours) / sizeof(*ours));
}

static int
listed(const struct provider *p, const char *path, const struct json *j, int k)
{
	static struct buf b;

	buf_reset(&b);
	json_str(j, k, &b);
	return b.n > 0 && provider_lists(p, path, (struct span){b.p, b.n});
}

static uint64_t
hash(const struct buf *b)
{
	uint64_t h = 14695981039346656037u;
	size_t i;

	for (i = 0; i < b->n; i++)
		h = (h ^ (unsigned char)b->p[i]) * 1099511628211u;
	return h;
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
body_id(struct buf *b, const struct provider *p, const struct json *j, int i)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	static struct buf id;
	const struct json *q = provider_json(p);
	long long max;
	uint64_t h;

	buf_reset(&id);
	json_str(j, i, &id);
	h = hash(&id);
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
body_args(struct buf *b, const struct json *j, int call)
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
	mend_object(b, s.p, s.n);
}

size_t
body_calls(const struct json *j)
{
	size_t n = 0;
	int m;

	for (m = json_first(j, json_get(j, 0, "messages")); m >= 0;
	     m = json_next(j, m))
		n += json_count(j, json_get(j, m, "tool_calls"));
	return n;
}

static void
put_call(struct buf *b, const struct provider *p, const struct json *j, int c)
{
	static struct buf args;
	int f, k, g;

	emit_open(b, '{');
	for (k = json_first(j, c); k >= 0; k = json_next(j, k)) {
		if (json_kind(j, k + 1) == JSON_NULL)
			continue;
		emit_span(b, json_span(j, k));
		buf_putc(b, ':');
		if (json_is(j, k, "id")) {
			body_id(b, p, j, k + 1);
			continue;
		}
		if (!json_is(j, k, "function")) {
			emit_span(b, json_span(j, k + 1));
			continue;
		}
		f = k + 1;
		emit_open(b, '{');
		for (g = json_first(j, f); g >= 0; g = json_next(j, g))
			if (!json_is(j, g, "arguments")) {
				emit_span(b, json_span(j, g));
				buf_putc(b, ':');
				emit_span(b, json_span(j, g + 1));
			}
		buf_reset(&args);
		body_args(&args, j, c);
		emit_pairn(b, "arguments", args.p, args.n);
		emit_close(b, '}');
	}
	emit_close(b, '}');
}

/* Parts that are all text, as one string. */
static int
flat(struct buf *b, const struct json *j, int i)
{
	static struct buf s;
	int k;

	buf_reset(&s);
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (!json_is(j, json_get(j, k, "type"), "text"))
			return -1;
		if (s.n > 0)
			buf_putc(&s, '\n');
		json_str(j, json_get(j, k, "text"), &s);
	}
	emit_str(b, s.p, s.n);
	return 0;
}

static int
blank(const struct json *j, int i)
{
	enum json_kind kind = json_kind(j, i);

	return kind == JSON_NONE || kind == JSON_NULL
	    || (kind == JSON_STRING && json_span(j, i).n == 2)
	    || (kind == JSON_ARRAY && json_count(j, i) == 0);
}

static void
put_content(struct buf *b, struct provider *p, const struct json *j, int m,
    int i)
{
	const char *how = provider_str(p, "messages.null_content");

	if (blank(j, i) && json_count(j, json_get(j, m, "tool_calls")) > 0
	    && how != NULL) {
		if (strcmp(how, "omit") == 0)
			return;
		emit_key(b, "content");
		if (strcmp(how, "empty") == 0)
			emit_cstr(b, "");
		else
			emit_null(b);
		return;
	}
	emit_key(b, "content");
	if (json_kind(j, i) != JSON_ARRAY
	    || !provider_true(p, "messages.flat_text") || flat(b, j, i) < 0)
		emit_span(b, json_span(j, i));
}

static void
put_role(struct buf *b, struct provider *p, const struct json *j, int i)
{
	const struct json *q = provider_json(p);
	int k = provider_at(p, "messages.roles");

	emit_key(b, "role");
	for (k = json_first(q, k); k >= 0; k = json_next(q, k))
		if (json_span(j, i).n == json_span(q, k).n
		    && memcmp(json_span(j, i).p, json_span(q, k).p,
			   json_span(q, k).n)
			== 0) {
			emit_span(b, json_span(q, k + 1));
			return;
		}
	emit_span(b, json_span(j, i));
}

static void
put_message(struct buf *b, struct provider *p, const struct json *j, int m)
{
	const char *keep = provider_str(p, "messages.keep_reasoning");
	int assistant = json_is(j, json_get(j, m, "role"), "assistant");
	int c, k;

	emit_open(b, '{');
	for (k = json_first(j, m); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "type") || json_is(j, k, "tp")
		    || json_is(j, k, "id"))
			continue;
		if (json_is(j, k, "role")) {
			put_role(b, p, j, k + 1);
		} else if (json_is(j, k, "content")) {
			put_content(b, p, j, m, k + 1);
		} else if (json_kind(j, k + 1) == JSON_NULL
		    || listed(p, "messages.drop", j, k)) {
			continue;
		} else if (json_is(j, k, "tool_calls")) {
			if (json_count(j, k + 1) == 0)
				continue;
			emit_key(b, "tool_calls");
			emit_open(b, '[');
			for (c = json_first(j, k + 1); c >= 0;
			     c = json_next(j, c))
				put_call(b, p, j, c);
			emit_close(b, ']');
		} else if (json_is(j, k, "tool_call_id")) {
			emit_key(b, "tool_call_id");
			body_id(b, p, j, k + 1);
		} else {
			emit_span(b, json_span(j, k));
			buf_putc(b, ':');
			emit_span(b, json_span(j, k + 1));
		}
	}
	if (assistant && keep != NULL && json_get(j, m, keep) < 0)
		emit_pair(b, keep, "");
	emit_close(b, '}');
}

/* An assistant message with neither content nor calls is refused. */
static int
hollow(const struct json *j, int m)
{
	return json_is(j, json_get(j, m, "role"), "assistant")
	    && blank(j, json_get(j, m, "content"))
	    && json_count(j, json_get(j, m, "tool_calls")) == 0;
}

static int
string_role(const struct json *j, int m, const char *role)
{
	return json_is(j, json_get(j, m, "role"), role)
	    && json_kind(j, json_get(j, m, "content")) == JSON_STRING;
}

static void
put_messages(struct buf *b, struct provider *p, const struct json *j)
{
	static struct buf s;
	int merge = provider_true(p, "messages.merge_same_role");
	int m = json_first(j, json_get(j, 0, "messages")), n;

	emit_key(b, "messages");
	emit_open(b, '[');
	for (; m >= 0; m = n) {
		n = json_next(j, m);
		if (hollow(j, m))
			continue;
		if (!merge || !string_role(j, m, "user") || n < 0
		    || !string_role(j, n, "user")) {
			put_message(b, p, j, m);
			continue;
		}
		buf_reset(&s);
		json_str(j, json_get(j, m, "content"), &s);
		for (; n >= 0 && string_role(j, n, "user");
		     n = json_next(j, n)) {
			buf_puts(&s, "\n\n");
			json_str(j, json_get(j, n, "content"), &s);
		}
		emit_open(b, '{');
		emit_pair(b, "role", "user");
		emit_pairn(b, "content", s.p, s.n);
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

static void
put_tools(struct buf *b, const struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "tools"), t, f, k;

	if (i < 0
	    || (json_count(j, i) == 0 && !provider_true(p, "tools.empty")))
		return;
	emit_key(b, "tools");
	if (provider_at(p, "tools.drop") < 0) {
		emit_span(b, json_span(j, i));
		return;
	}
	emit_open(b, '[');
	for (t = json_first(j, i); t >= 0; t = json_next(j, t)) {
		f = json_get(j, t, "function");
		emit_open(b, '{');
		emit_pair(b, "type", "function");
		emit_key(b, "function");
		emit_open(b, '{');
		for (k = json_first(j, f); k >= 0; k = json_next(j, k))
			if (!listed(p, "tools.drop", j, k)) {
				emit_span(b, json_span(j, k));
				buf_putc(b, ':');
				emit_span(b, json_span(j, k + 1));
			}
		emit_close(b, '}');
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

static void
put_field(struct buf *b, struct provider *p, const struct json *j, int k)
{
	const struct json *q = provider_json(p);
	char *key = json_dup(j, k);
	int i = -1;

	if (key == NULL)
		return;
	i = json_get(q, provider_at(p, "rename"), key);
	if (i >= 0)
		emit_span(b, json_span(q, i));
	else
		emit_cstr(b, key);
	buf_putc(b, ':');
	emit_span(b, json_span(j, k + 1));
	free(key);
}

void
body_chat(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	const struct json *q = provider_json(p);
	int i, k;

	emit_open(b, '{');
	emit_pair(b, "model", model);
	put_messages(b, p, j);
	put_tools(b, p, j);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (!body_ours(j, k) && json_kind(j, k + 1) != JSON_NULL
		    && !listed(p, "drop", j, k))
			put_field(b, p, j, k);
	i = provider_at(p, "set");
	for (k = json_first(q, i); k >= 0; k = json_next(q, k)) {
		emit_span(b, json_span(q, k));
		buf_putc(b, ':');
		emit_span(b, json_span(q, k + 1));
	}
	emit_key(b, "stream");
	emit_bool(b, stream);
	i = provider_at(p, "stream_options");
	if (stream && options && i >= 0) {
		emit_key(b, "stream_options");
		emit_span(b, json_span(q, i));
	}
	emit_close(b, '}');
}
