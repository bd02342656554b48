#include "bodymsgs.h"
#include "emit.h"
#include "model.h"
#include "turns.h"

static const char *const taken[] = {"max_tokens", "max_completion_tokens",
    "stop", "tool_choice", "parallel_tool_calls", "response_format",
    "reasoning_effort", "user"};

static void
put_tool(struct buf *b, struct provider *p, const struct json *j, int t)
{
	int f = json_get(j, t, "function"), k;

	if (json_kind(j, f) != JSON_OBJECT) {
		turns_block(b, j, t); /* one of the provider's own */
		return;
	}
	emit_open(b, '{');
	for (k = json_first(j, f); k >= 0; k = json_next(j, k)) {
		if (body_listed(p, "tools.drop", j, k))
			continue;
		if (json_is(j, k, "parameters"))
			emit_pairj(b, "input_schema", json_span(j, k + 1));
		else
			emit_member(b, j, k);
	}
	if (json_get(j, f, "parameters") < 0) {
		emit_key(b, "input_schema");
		emit_raw(b, "{\"type\":\"object\"}", 17);
	}
	emit_close(b, '}');
}

/* A choice in the terms of Chat Completions; others go as they stand. */
static void
put_choice(struct buf *b, const struct json *j)
{
	int i = json_get(j, 0, "tool_choice"), k;
	int one = json_kind(j, json_get(j, 0, "parallel_tool_calls"))
	    == JSON_FALSE;
	int f = json_at(j, i, "function.name");

	if ((i < 0 || json_kind(j, i) == JSON_NULL) && !one)
		return;
	emit_key(b, "tool_choice");
	emit_open(b, '{');
	if (f >= 0) {
		emit_pair(b, "type", "tool");
		emit_pairj(b, "name", json_span(j, f));
	} else if (json_kind(j, i) == JSON_OBJECT) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			emit_member(b, j, k);
	} else {
		emit_pair(b, "type", json_is(j, i, "required") ? "any"
			: json_is(j, i, "none")		       ? "none"
							       : "auto");
	}
	if (one && !json_is(j, i, "none")
	    && !json_is(j, json_get(j, i, "type"), "none")
	    && json_get(j, i, "disable_parallel_tool_use") < 0)
		emit_pairb(b, "disable_parallel_tool_use", 1);
	emit_close(b, '}');
}

static void
put_tools(struct buf *b, struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "tools"), t;

	if (json_count(j, i) == 0)
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	for (t = json_first(j, i); t >= 0; t = json_next(j, t))
		put_tool(b, p, j, t);
	turns_mark(b, p, b->n - 1);
	emit_close(b, ']');
	put_choice(b, j);
}

static void
put_limit(struct buf *b, struct provider *p, const char *model,
    const struct json *j)
{
	static struct buf name, n;
	static const char *const names[] = {
		"max_tokens", "max_completion_tokens"};
	const struct json *q = provider_json(p);
	struct span s = {NULL, 0};
	int i;

	for (i = 0; i < 2 && s.n == 0; i++)
		if (json_kind(j, json_get(j, 0, names[i])) == JSON_NUMBER)
			s = json_span(j, json_get(j, 0, names[i]));
	buf_reset(&name);
	buf_reset(&n);
	buf_printf(&name, "%s/%s", provider_name(p), model);
	if (s.n == 0 && model_output(&n, buf_cstr(&name)) == 0)
		s = buf_view(&n);
	if (s.n == 0)
		s = json_span(q, provider_at(p, "max_tokens"));
	if (s.n == 0)
		return;
	emit_pairj(b, "max_tokens", s);
}

static void
put_stop(struct buf *b, const struct json *j)
{
	static struct buf s;
	int i = json_get(j, 0, "stop"), k;
	size_t from = b->n, n = 0;

	emit_key(b, "stop_sequences");
	emit_open(b, '[');
	k = json_kind(j, i) == JSON_ARRAY ? json_first(j, i) : i;
	for (; k >= 0; k = k == i ? -1 : json_next(j, k)) {
		buf_reset(&s);
		json_str(j, k, &s);
		if (turns_blank(&s))
			continue;
		emit_str(b, s.p, s.n);
		n++;
	}
	emit_close(b, ']');
	if (n == 0)
		b->n = from;
}

static void
put_output(struct buf *b, struct provider *p, const struct json *j)
{
	int schema = json_at(j, 0, "response_format.json_schema.schema");
	int effort = json_get(j, 0, "reasoning_effort");

	if (provider_lists(p, "drop", (struct span){"reasoning_effort", 16})
	    || json_kind(j, effort) != JSON_STRING)
		effort = -1;
	if (schema < 0 && effort < 0)
		return;
	emit_key(b, "output_config");
	emit_open(b, '{');
	if (effort >= 0)
		emit_pairj(b, "effort", json_span(j, effort));
	if (schema >= 0) {
		emit_key(b, "format");
		emit_open(b, '{');
		emit_pair(b, "type", "json_schema");
		emit_pairj(b, "schema", json_span(j, schema));
		emit_close(b, '}');
	}
	emit_close(b, '}');
}

static void
put_user(struct buf *b, struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "user");

	if (json_kind(j, i) != JSON_STRING
	    || provider_lists(p, "drop", (struct span){"user", 4}))
		return;
	emit_key(b, "metadata");
	emit_open(b, '{');
	emit_pairj(b, "user_id", json_span(j, i));
	emit_close(b, '}');
}

void
bodymsgs_put(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	(void)options;
	emit_open(b, '{');
	emit_pair(b, "model", model);
	put_limit(b, p, model, j);
	put_tools(b, p, j);
	turns_system(b, p, j);
	turns_put(b, p, model, j);
	put_stop(b, j);
	put_output(b, p, j);
	put_user(b, p, j);
	body_fields(b, p, model, j, taken, sizeof(taken) / sizeof(*taken));
	body_set(b, p, model);
	emit_pairb(b, "stream", stream);
	emit_close(b, '}');
}
