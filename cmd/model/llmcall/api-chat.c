#include <string.h>

#include "api.h"
#include "emit.h"
#include "encode.h"
#include "textfile.h"

/*
 * Chat Completions.  Tool calls are distinguished by index, by id, or by
 * neither, as servers differ (reply_find).
 */

static const char *const reasoning_names[] = {
	"reasoning_content", "reasoning", "reasoning_text"};

static void
read_call(struct reply *d, const struct json *j, int i)
{
	static struct buf id, name, args;
	struct reply_call *c;
	long long index;
	int f = json_get(j, i, "function"), k, a;

	buf_reset(&id);
	buf_reset(&name);
	buf_reset(&args);
	json_str(j, json_get(j, i, "id"), &id);
	json_str(j, json_get(j, f, "name"), &name);
	a = json_get(j, f, "arguments");
	if (json_str(j, a, &args) < 0 && json_kind(j, a) != JSON_NULL)
		buf_span(&args, json_span(j, a));
	if (json_int(j, json_get(j, i, "index"), &index) < 0 || index < 0)
		index = -1;
	c = reply_find(
	    d, index, buf_view(&id), buf_view(&name), buf_view(&args));
	c->piece = d->piece;
	if (id.n > 0 && c->id.n == 0)
		buf_span(&c->id, buf_view(&id));
	if (name.n > 0)
		reply_name(&c->name, buf_view(&name));
	if (args.n > 0)
		reply_args(&c->args, buf_view(&args));
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, "id") && !json_is(j, k, "index")
		    && !json_is(j, k, "type") && !json_is(j, k, "function"))
			extras_add(&c->extra, j, k);
}

/* Content is a string, or an array of parts, or not there. */
static void
read_content(struct reply *d, const struct json *j, int i)
{
	size_t from = d->text.n;
	int k;

	if (reply_append(d, j, i) == 0) {
		d->content = 1;
	} else if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k))
			if (json_kind(j, k) == JSON_STRING)
				reply_append(d, j, k);
			else
				reply_append(d, j, json_get(j, k, "text"));
		d->content |= d->text.n > 0;
	}
	reply_sift(d, from);
}

/*
 * Reasoning comes under several names, at times under two at once, alike:
 * the first one that has any is the one.
 */
static int
read_reasoning(struct reply *d, const struct json *j, int k)
{
	size_t n;

	for (n = 0; n < sizeof(reasoning_names) / sizeof(*reasoning_names); n++)
		if (json_is(j, k, reasoning_names[n]))
			break;
	if (n == sizeof(reasoning_names) / sizeof(*reasoning_names)
	    || json_kind(j, k + 1) != JSON_STRING)
		return 0;
	if (d->reasoning_name == NULL && json_span(j, k + 1).n > 2)
		d->reasoning_name = reasoning_names[n];
	if (d->reasoning_name == reasoning_names[n])
		json_str(j, k + 1, &d->reasoning);
	return 1;
}

static int
read_message(struct reply *d, const struct json *j, int i)
{
	int c, k, any = 0;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		/* These are ours in a message record. */
		if (json_is(j, k, "role") || json_is(j, k, "type")
		    || json_is(j, k, "id") || json_is(j, k, "tp")
		    || json_is(j, k, "native"))
			continue;
		if (json_kind(j, k + 1) == JSON_NULL)
			continue;
		/* Many begin with a role and content that is "". */
		any |= json_span(j, k + 1).n > 2;
		if (json_is(j, k, "content")) {
			read_content(d, j, k + 1);
		} else if (json_is(j, k, "refusal")) {
			json_str(j, k + 1, &d->refusal);
		} else if (json_is(j, k, "tool_calls")) {
			c = json_first(j, k + 1);
			for (; c >= 0; c = json_next(j, c))
				read_call(d, j, c);
		} else if (!read_reasoning(d, j, k)) {
			extras_add(&d->extra, j, k);
		}
	}
	return any;
}

/*
 * xAI and Gemini count thoughts beside the completion, in the total; they
 * are billed as it.
 */
static void
add_thoughts(struct usage *u, const struct json *j, int i)
{
	long long *n = u->n, total = -1, thoughts = 0, rest;

	usage_number(j, i, "total_tokens", &total);
	usage_number(j, i, "completion_tokens_details.reasoning_tokens",
	    &thoughts);
	rest = total - n[USAGE_PROMPT] - n[USAGE_COMPLETION];
	if (usage_tokens(u) < 0 || rest <= 0
	    || (thoughts > 0 ? rest != thoughts : rest == n[USAGE_CACHED]))
		return;
	n[USAGE_COMPLETION] += rest;
	n[USAGE_REASONING] = rest;
}

static void
read_usage(struct reply *d, const struct json *j, int i)
{
	static const struct usage_path paths[] = {
	    {USAGE_PROMPT, "prompt_tokens"},
	    {USAGE_COMPLETION, "completion_tokens"},
	    {USAGE_CACHED, "prompt_cache_hit_tokens"},
	    {USAGE_CACHED, "prompt_tokens_details.cached_tokens"},
	    {USAGE_WRITTEN, "prompt_tokens_details.cache_write_tokens"},
	    {USAGE_AUDIO_IN, "prompt_tokens_details.audio_tokens"},
	    {USAGE_REASONING, "completion_tokens_details.reasoning_tokens"},
	    {USAGE_AUDIO_OUT, "completion_tokens_details.audio_tokens"},
	    {USAGE_PREDICTED,
		"completion_tokens_details.accepted_prediction_tokens"},
	    {USAGE_MISTAKEN,
		"completion_tokens_details.rejected_prediction_tokens"}};
	double cost;
	int at;

	if (usage_read(&d->usage, j, i, paths,
		sizeof(paths) / sizeof(*paths)) < 0)
		return;
	if (json_get(j, i, "completion_tokens") >= 0)
		add_thoughts(&d->usage, j, i);
	/* Routers know what they asked for (OpenRouter, usage accounting). */
	at = json_get(j, i, "cost");
	if (json_num(j, at, &cost) == 0 && cost >= 0)
		d->usage.cost = cost;
	at = json_get(j, i, "cost_in_usd_ticks");
	if (json_num(j, at, &cost) == 0 && cost >= 0)
		d->usage.cost = cost / 1e10;
}

static int
event(struct reply *d, const char *type, const struct json *j)
{
	long long index;
	int c, i, any = 0;

	(void)type;
	d->piece++;
	if (d->model.n == 0)
		json_str(j, json_get(j, 0, "model"), &d->model);
	read_usage(d, j, json_get(j, 0, "usage"));
	read_usage(d, j, json_at(j, 0, "x_groq.usage"));
	if (!d->usage.any)
		usage_number(j, 0, "timings.cache_n",
		    &d->usage.n[USAGE_CACHED]);
	/* Of several answers the first. */
	c = json_first(j, json_get(j, 0, "choices"));
	while (json_int(j, json_get(j, c, "index"), &index) == 0 && index > 0)
		c = json_next(j, c);
	if (c < 0)
		return 0;
	read_usage(d, j, json_get(j, c, "usage"));
	i = json_get(j, c, "delta");
	if (json_kind(j, i) != JSON_OBJECT)
		i = json_get(j, c, "message");
	if (json_kind(j, i) == JSON_OBJECT)
		any = read_message(d, j, i);
	i = json_get(j, c, "finish_reason");
	if (json_kind(j, i) != JSON_STRING) {
		d->unfinished = 1;
	} else if (json_span(j, i).n > 2) {
		buf_reset(&d->finish);
		json_str(j, i, &d->finish);
		d->over = 1;
	} else if (d->unfinished && !any) {
		/* "" says something only where others said nothing. */
		d->blank = 1;
	}
	return any;
}

static int
whole(struct reply *d, const struct json *j)
{
	int any = event(d, "", j);

	/* A body that came whole is whole, whatever its finish_reason. */
	d->over |= any || d->content;
	return any;
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
		emit_keyj(b, json_span(j, k));
		if (json_is(j, k, "id")) {
			encode_id(b, p, j, k + 1);
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
		encode_args(&args, j, c);
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

	if (encode_blank(j, i) &&
	    json_count(j, json_get(j, m, "tool_calls")) > 0 && how != NULL) {
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
	    && encode_text(&s, j, i) == 0)
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
is_empty_message(const struct json *j, int m)
{
	return json_is(j, json_get(j, m, "role"), "assistant")
	    && encode_blank(j, json_get(j, m, "content"))
	    && json_count(j, json_get(j, m, "tool_calls")) == 0;
}

/* The message after m that is sent; -1 if m is the last. */
static int
next_sent(const struct json *j, int m)
{
	do
		m = json_next(j, m);
	while (m >= 0 && is_empty_message(j, m));
	return m;
}

static int
isresult(const struct json *j, int m)
{
	return json_is(j, json_get(j, m, "role"), "tool");
}

/* May message n, after m, be sent as one with it? */
static int
joins(const struct json *j, int m, int n)
{
	int role = json_get(j, m, "role");

	return span_same(json_span(j, role),
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
		if (!encode_blank(j, i)) {
			if (text.n > 0)
				buf_puts(&text, "\n\n");
			all &= encode_text(&text, j, i) == 0;
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
		} else if (!encode_blank(j, i)) {
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

/* The messages from first to last as one. */
static void
put_message(struct buf *b, struct provider *p, const struct json *j,
    int first, int last)
{
	int m = isresult(j, first) ? first : last;
	const char *keep = provider_str(p, "messages.keep_reasoning");
	int assistant = json_is(j, json_get(j, m, "role"), "assistant");
	/* Another protocol's: its reasoning means nothing here. */
	int foreign = json_get(j, m, "native") >= 0;
	int c, k;

	emit_open(b, '{');
	for (k = json_first(j, m); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "type") || json_is(j, k, "tp")
		    || json_is(j, k, "id"))
			continue;
		if (json_is(j, k, "role")) {
			put_role(b, p, j, k + 1);
			if (first != last)
				put_joined(b, j, first, last);
		} else if (json_is(j, k, "content")) {
			if (first == last)
				put_content(b, p, j, m, k + 1);
		} else if (json_kind(j, k + 1) == JSON_NULL
		    || encode_listed(p, "messages.drop", j, k)) {
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
			encode_id(b, p, j, k + 1);
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

/* A user's message, not what the program sends for the moment. */
static int
isuser(const struct json *j, int m)
{
	return json_is(j, json_get(j, m, "role"), "user")
	    && !json_true(j, json_at(j, m, "tp.volatile"));
}

/* In a result the user's words would be a tool's. */
static void
put_unanswered(struct buf *b)
{
	static struct buf text;

	if (text.n == 0)
		textfile_read(&text, "prompts/unanswered.md");
	emit_open(b, '{');
	emit_pair(b, "role", "assistant");
	emit_pair(b, "content", buf_cstr(&text));
	emit_close(b, '}');
}

static void
put_messages(struct buf *b, struct provider *p, const struct json *j)
{
	int inresult = provider_denies(p, "messages.user_after_result");
	int merge = !provider_denies(p, "messages.merge_same_role");
	int m = json_first(j, json_get(j, 0, "messages"));
	int first, n;

	emit_key(b, "messages");
	emit_open(b, '[');
	if (m >= 0 && is_empty_message(j, m))
		m = next_sent(j, m);
	for (; m >= 0; m = n) {
		first = m;
		while ((n = next_sent(j, m)) >= 0
		    && ((inresult && isresult(j, first)
			 && json_is(j, json_get(j, n, "role"), "user")
			 && !isuser(j, n))
			|| (merge && joins(j, m, n))))
			m = n;
		put_message(b, p, j, first, m);
		if (inresult && n >= 0 && isresult(j, first) && isuser(j, n))
			put_unanswered(b);
	}
	emit_close(b, ']');
}

static void
put_tools(struct buf *b, const struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "tools"), t, f, k;

	if (!encode_has_tools(j)
	    && (i < 0 || !provider_true(p, "tools.empty")))
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	encode_own_tools(b, p, j);
	for (t = json_first(j, i); t >= 0; t = json_next(j, t)) {
		f = json_get(j, t, "function");
		if (json_kind(j, f) != JSON_OBJECT
		    || provider_at(p, "tools.drop") < 0) {
			emit_span(b, json_span(j, t));
			continue;
		}
		emit_open(b, '{');
		emit_pair(b, "type", "function");
		emit_key(b, "function");
		emit_open(b, '{');
		for (k = json_first(j, f); k >= 0; k = json_next(j, k))
			if (!encode_listed(p, "tools.drop", j, k))
				emit_member(b, j, k);
		emit_close(b, '}');
		emit_close(b, '}');
	}
	emit_close(b, ']');
}

static void
body(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	static const char *const taken[] = {"reasoning_effort", NULL};
	static struct buf effort;
	int i;

	emit_open(b, '{');
	emit_pair(b, "model", model);
	put_messages(b, p, j);
	put_tools(b, p, j);
	encode_fields(b, p, model, j, taken, NULL);
	if (encode_effort(p, model, j, &effort) == EFFORT_PLAIN)
		emit_pairn(b, "reasoning_effort", effort.p, effort.n);
	encode_set(b, p, model);
	emit_pairb(b, "stream", stream);
	i = provider_at(p, "stream_options");
	if (stream && options && i >= 0)
		emit_pairj(b, "stream_options", json_span(provider_json(p), i));
	emit_close(b, '}');
}

const struct api api_chat = {"chat", "/chat/completions", 1, body, event, whole};
