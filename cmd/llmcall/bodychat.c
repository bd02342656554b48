#include <string.h>

#include "body.h"
#include "bodychat.h"
#include "emit.h"

static void
put_call(struct buf *b, const struct provider *p, const struct json *j, int c)
{
	static struct buf args;
	int f, k, g;

	emit_open(b, '{');
	for (k = json_first(j, c); k >= 0; k = json_next(j, k)) {
		if (json_kind(j, k + 1) == JSON_NULL)
			continue;
		emit_keyj(b, json_span(j, k));
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
			if (!json_is(j, g, "arguments"))
				emit_member(b, j, g);
		buf_reset(&args);
		body_args(&args, j, c);
		emit_pairn(b, "arguments", args.p, args.n);
		emit_close(b, '}');
	}
	emit_close(b, '}');
}

static void
put_content(struct buf *b, struct provider *p, const struct json *j, int m,
    int i)
{
	static struct buf s;
	const char *how = provider_str(p, "messages.null_content");

	if (body_blank(j, i) && json_count(j, json_get(j, m, "tool_calls")) > 0
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
	buf_reset(&s);
	if (json_kind(j, i) == JSON_ARRAY
	    && provider_true(p, "messages.flat_text")
	    && body_text(&s, j, i) == 0)
		emit_str(b, s.p, s.n);
	else
		emit_span(b, json_span(j, i));
}

static void
put_role(struct buf *b, struct provider *p, const struct json *j, int i)
{
	const struct json *q = provider_json(p);
	int k = provider_at(p, "messages.roles");

	emit_key(b, "role");
	for (k = json_first(q, k); k >= 0; k = json_next(q, k))
		if (span_same(json_span(j, i), json_span(q, k))) {
			emit_span(b, json_span(q, k + 1));
			return;
		}
	emit_span(b, json_span(j, i));
}

static int
reasoning(const struct json *j, int k)
{
	return json_is(j, k, "reasoning") || json_is(j, k, "reasoning_content")
	    || json_is(j, k, "reasoning_text");
}

/* An assistant message with neither content nor calls is refused. */
static int
hollow(const struct json *j, int m)
{
	return json_is(j, json_get(j, m, "role"), "assistant")
	    && body_blank(j, json_get(j, m, "content"))
	    && json_count(j, json_get(j, m, "tool_calls")) == 0;
}

/* The message after m that is sent; -1 if there is none. */
static int
next_sent(const struct json *j, int m)
{
	do
		m = json_next(j, m);
	while (m >= 0 && hollow(j, m));
	return m;
}

/* May the message after m be sent as one with it? */
static int
joins(const struct json *j, int m, int n)
{
	int role = json_get(j, m, "role");

	return n >= 0 && span_same(json_span(j, role),
	    json_span(j, json_get(j, n, "role")))
	    && (json_is(j, role, "user") || json_is(j, role, "system")
		|| json_is(j, role, "assistant"))
	    && json_get(j, m, "name") < 0 && json_get(j, n, "name") < 0
	    && json_count(j, json_get(j, m, "tool_calls")) <= 0;
}

/*
 * The contents of the messages from first to last: as one text with blank
 * lines between, or as parts where one of them has more than text.
 */
static void
put_joined(struct buf *b, const struct json *j, int first, int last)
{
	static struct buf text;
	int i, k, m, all = 1;

	buf_reset(&text);
	for (m = first;; m = next_sent(j, m)) {
		i = json_get(j, m, "content");
		if (!body_blank(j, i)) {
			if (text.n > 0)
				buf_puts(&text, "\n\n");
			all &= body_text(&text, j, i) == 0;
		}
		if (m == last)
			break;
	}
	emit_key(b, "content");
	if (all) {
		emit_str(b, text.p, text.n);
		return;
	}
	emit_open(b, '[');
	for (m = first;; m = next_sent(j, m)) {
		i = json_get(j, m, "content");
		if (json_kind(j, i) == JSON_ARRAY) {
			for (k = json_first(j, i); k >= 0; k = json_next(j, k))
				emit_span(b, json_span(j, k));
		} else if (!body_blank(j, i)) {
			emit_open(b, '{');
			emit_pair(b, "type", "text");
			emit_pairj(b, "text", json_span(j, i));
			emit_close(b, '}');
		}
		if (m == last)
			break;
	}
	emit_close(b, ']');
}

/* Message m; with the contents of those from first on. */
static void
put_message(struct buf *b, struct provider *p, const struct json *j,
    int first, int m)
{
	const char *keep = provider_str(p, "messages.keep_reasoning");
	int assistant = json_is(j, json_get(j, m, "role"), "assistant");
	/* Another family's: its reasoning means nothing here. */
	int foreign = json_get(j, m, "native") >= 0;
	int c, k;

	emit_open(b, '{');
	for (k = json_first(j, m); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "type") || json_is(j, k, "tp")
		    || json_is(j, k, "id"))
			continue;
		if (json_is(j, k, "role")) {
			put_role(b, p, j, k + 1);
			if (first != m)
				put_joined(b, j, first, m);
		} else if (json_is(j, k, "content")) {
			if (first == m)
				put_content(b, p, j, m, k + 1);
		} else if (json_kind(j, k + 1) == JSON_NULL
		    || body_listed(p, "messages.drop", j, k)) {
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
		} else if (json_is(j, k, "native")
		    || (foreign && reasoning(j, k))) {
			continue;
		} else {
			emit_member(b, j, k);
		}
	}
	if (assistant && keep != NULL && json_get(j, m, keep) < 0)
		emit_pair(b, keep, "");
	emit_close(b, '}');
}

static void
put_messages(struct buf *b, struct provider *p, const struct json *j)
{
	const char *between = provider_str(p, "messages.after_tool");
	int merge = !provider_denies(p, "messages.merge_same_role");
	int m = json_first(j, json_get(j, 0, "messages"));
	int first, n, result = 0;

	emit_key(b, "messages");
	emit_open(b, '[');
	if (m >= 0 && hollow(j, m))
		m = next_sent(j, m);
	for (; m >= 0; m = n) {
		if (result && between != NULL
		    && json_is(j, json_get(j, m, "role"), "user")) {
			emit_open(b, '{');
			emit_pair(b, "role", "assistant");
			emit_pair(b, "content", between);
			emit_close(b, '}');
		}
		result = json_is(j, json_get(j, m, "role"), "tool");
		first = m;
		while ((n = next_sent(j, m)), merge && joins(j, m, n))
			m = n;
		put_message(b, p, j, first, m);
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
			if (!body_listed(p, "tools.drop", j, k))
				emit_member(b, j, k);
		emit_close(b, '}');
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

void
bodychat_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	int i;

	emit_open(b, '{');
	emit_pair(b, "model", model);
	put_messages(b, p, j);
	put_tools(b, p, j);
	body_fields(b, p, model, j, NULL, 0);
	body_set(b, p, model);
	emit_pairb(b, "stream", stream);
	i = provider_at(p, "stream_options");
	if (stream && options && i >= 0)
		emit_pairj(b, "stream_options", json_span(provider_json(p), i));
	emit_close(b, '}');
}
