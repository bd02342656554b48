#include "bodyresp.h"
#include "emit.h"
#include "media.h"
#include "native.h"

static const char *const taken[] = {"max_tokens", "max_completion_tokens",
    "tool_choice", "response_format", "reasoning_effort", "verbosity"};

static int
issystem(const struct json *j, int m)
{
	int role = json_get(j, m, "role");

	return json_is(j, role, "system") || json_is(j, role, "developer");
}

/* The system's words in front of all others; where they end. */
static int
put_instructions(struct buf *b, const struct json *j)
{
	static struct buf s;
	int m = json_first(j, json_get(j, 0, "messages"));
	size_t n, from;

	buf_reset(&s);
	for (; m >= 0 && issystem(j, m)
	     && !json_true(j, json_at(j, m, "tp.volatile"));
	     m = json_next(j, m)) {
		n = s.n;
		if (n > 0)
			buf_puts(&s, "\n\n");
		from = s.n;
		if (body_text(&s, j, json_get(j, m, "content")) < 0
		    || s.n == from)
			s.n = n;
	}
	if (s.n > 0)
		emit_pairn(b, "instructions", s.p, s.n);
	return m;
}

static void
put_part(struct buf *b, const struct json *j, int i)
{
	static struct buf url;
	enum media_kind kind = media_url(&url, j, i);
	int k;

	if (kind == MEDIA_NONE
	    && !json_is(j, json_get(j, i, "type"), "text")) {
		emit_span(b, json_span(j, i));
		return;
	}
	emit_open(b, '{');
	switch (kind) {
	case MEDIA_NONE:
		emit_pair(b, "type", "input_text");
		json_str(j, json_get(j, i, "text"), &url);
		emit_pairn(b, "text", url.p, url.n);
		break;
	case MEDIA_IMAGE:
		emit_pair(b, "type", "input_image");
		emit_pairn(b, "image_url", url.p, url.n);
		k = json_at(j, i, "image_url.detail");
		if (k >= 0)
			emit_member(b, j, k - 1);
		break;
	case MEDIA_FILE:
		emit_pair(b, "type", "input_file");
		k = json_at(j, i, "file.filename");
		if (k >= 0)
			emit_member(b, j, k - 1);
		emit_pairn(b, "file_data", url.p, url.n);
		break;
	}
	emit_close(b, '}');
}

/* Text as a string; with anything else in it, as parts. */
static void
put_content(struct buf *b, const char *key, const struct json *j, int i)
{
	static struct buf s;
	int k;

	buf_reset(&s);
	emit_key(b, key);
	if (body_text(&s, j, i) == 0) {
		emit_str(b, s.p, s.n);
		return;
	}
	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		put_part(b, j, k);
	emit_close(b, ']');
}

static void
put_message(struct buf *b, const struct json *j, int m)
{
	int i = json_get(j, m, "content");

	if (body_blank(j, i))
		return;
	emit_open(b, '{');
	emit_pair(b, "type", "message");
	emit_member(b, j, json_get(j, m, "role") - 1);
	put_content(b, "content", j, i);
	emit_close(b, '}');
}

static void
put_text(struct buf *b, struct span s)
{
	if (s.n == 0)
		return;
	emit_open(b, '{');
	emit_pair(b, "type", "message");
	emit_pair(b, "role", "assistant");
	emit_pairn(b, "content", s.p, s.n);
	emit_close(b, '}');
}

static void
put_call(struct buf *b, struct provider *p, const struct json *j, int call)
{
	static struct buf s;

	emit_open(b, '{');
	emit_pair(b, "type", "function_call");
	emit_key(b, "call_id");
	body_id(b, p, j, json_get(j, call, "id"));
	buf_reset(&s);
	json_str(j, json_at(j, call, "function.name"), &s);
	emit_pairn(b, "name", s.p, s.n);
	buf_reset(&s);
	body_args(&s, j, call);
	emit_pairn(b, "arguments", s.p, s.n);
	emit_close(b, '}');
}

static void
put_result(
    struct buf *b, struct provider *p, const struct json *j, int m, int call)
{
	static struct buf s;
	int t = body_result(j, m, call);

	emit_open(b, '{');
	emit_pair(b, "type", "function_call_output");
	emit_key(b, "call_id");
	body_id(b, p, j, json_get(j, call, "id"));
	if (t >= 0) {
		put_content(b, "output", j, json_get(j, t, "content"));
	} else {
		buf_reset(&s);
		body_missing(&s, j, call);
		emit_pairn(b, "output", s.p, s.n);
	}
	emit_close(b, '}');
}

/* Nothing is stored there: without its cipher an item means nothing. */
static int
isempty(const struct json *j, int i)
{
	return json_is(j, json_get(j, i, "type"), "reasoning")
	    && json_kind(j, json_get(j, i, "encrypted_content"))
	    != JSON_STRING;
}

static void
put_item(struct buf *b, const struct provider *p, const struct json *j, int i)
{
	int k;

	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!body_listed(p, "items.drop", j, k))
			emit_member(b, j, k);
	emit_close(b, '}');
}

/* As the provider gave it.  Reasoning that nothing follows is refused. */
static int
put_own(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int m)
{
	struct native w;
	size_t end = b->n;

	if (native_open(&w, j, m, p, "responses", model, 0) < 0)
		return -1;
	while (native_next(&w)) {
		if (w.own >= 0) {
			if (!isempty(j, w.own))
				put_item(b, p, j, w.own);
			continue;
		}
		if (w.call >= 0)
			put_call(b, p, j, w.call);
		else
			put_text(b, w.text);
		if (w.call >= 0 || w.text.n > 0)
			end = b->n;
	}
	b->n = end;
	native_free(&w);
	return 0;
}

static void
put_assistant(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int m)
{
	int calls = json_get(j, m, "tool_calls"), c;

	if (put_own(b, p, model, j, m) < 0) {
		put_message(b, j, m);
		for (c = json_first(j, calls); c >= 0; c = json_next(j, c))
			put_call(b, p, j, c);
	}
	for (c = json_first(j, calls); c >= 0; c = json_next(j, c))
		put_result(b, p, j, m, c);
}

static void
put_input(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int m)
{
	int role;

	emit_key(b, "input");
	emit_open(b, '[');
	for (; m >= 0; m = json_next(j, m)) {
		role = json_get(j, m, "role");
		if (json_is(j, role, "assistant"))
			put_assistant(b, p, model, j, m);
		else if (role >= 0 && !json_is(j, role, "tool"))
			put_message(b, j, m);
	}
	emit_close(b, ']');
}

static void
put_tools(struct buf *b, struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "tools"), t, f, k;
	int choice = json_get(j, 0, "tool_choice");

	if (json_count(j, i) == 0)
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	for (t = json_first(j, i); t >= 0; t = json_next(j, t)) {
		f = json_get(j, t, "function");
		if (json_kind(j, f) != JSON_OBJECT) {
			emit_span(b, json_span(j, t));
			continue;
		}
		emit_open(b, '{');
		emit_pair(b, "type", "function");
		for (k = json_first(j, f); k >= 0; k = json_next(j, k))
			if (!body_listed(p, "tools.drop", j, k))
				emit_member(b, j, k);
		/* Strict is the default here, and not in a Chat Completion. */
		if (json_get(j, f, "strict") < 0
		    && !provider_lists(
			p, "tools.drop", (struct span){"strict", 6}))
			emit_pairb(b, "strict", 0);
		emit_close(b, '}');
	}
	emit_close(b, ']');
	f = json_at(j, choice, "function.name");
	if (choice < 0 || json_kind(j, choice) == JSON_NULL)
		return;
	emit_key(b, "tool_choice");
	if (f < 0) {
		emit_span(b, json_span(j, choice));
		return;
	}
	emit_open(b, '{');
	emit_pair(b, "type", "function");
	emit_member(b, j, f - 1);
	emit_close(b, '}');
}

static void
put_limit(struct buf *b, const struct json *j)
{
	int i = json_get(j, 0, "max_tokens");

	if (json_kind(j, i) != JSON_NUMBER)
		i = json_get(j, 0, "max_completion_tokens");
	if (json_kind(j, i) != JSON_NUMBER)
		return;
	emit_pairj(b, "max_output_tokens", json_span(j, i));
}

static void
put_format(struct buf *b, const struct json *j)
{
	int i = json_get(j, 0, "response_format"), k;
	int schema = json_get(j, i, "json_schema");
	int type = json_get(j, i, "type");
	int words = json_get(j, 0, "verbosity");

	if (json_kind(j, i) != JSON_OBJECT && words < 0)
		return;
	emit_key(b, "text");
	emit_open(b, '{');
	if (json_kind(j, i) == JSON_OBJECT) {
		emit_key(b, "format");
		emit_open(b, '{');
		if (type >= 0)
			emit_member(b, j, type - 1);
		k = json_kind(j, schema) == JSON_OBJECT
		    ? json_first(j, schema)
		    : -1;
		for (; k >= 0; k = json_next(j, k))
			emit_member(b, j, k);
		emit_close(b, '}');
	}
	if (words >= 0)
		emit_member(b, j, words - 1);
	emit_close(b, '}');
}

static void
put_effort(struct buf *b, struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "reasoning_effort");

	if (json_kind(j, i) != JSON_STRING || json_get(j, 0, "reasoning") >= 0
	    || provider_lists(p, "drop", (struct span){"reasoning_effort", 16}))
		return;
	emit_key(b, "reasoning");
	emit_open(b, '{');
	emit_pairj(b, "effort", json_span(j, i));
	emit_close(b, '}');
}

void
bodyresp_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	int m;

	emit_open(b, '{');
	emit_pair(b, "model", model);
	m = put_instructions(b, j);
	put_tools(b, p, j);
	put_input(b, p, model, j, m);
	put_limit(b, j);
	put_format(b, j);
	put_effort(b, p, j);
	body_fields(b, p, model, j, taken, sizeof(taken) / sizeof(*taken));
	body_set(b, p, model);
	emit_pairb(b, "stream", stream);
	m = provider_at(p, "stream_options");
	if (stream && options && json_count(provider_json(p), m) > 0)
		emit_pairj(b, "stream_options", json_span(provider_json(p), m));
	emit_close(b, '}');
}
