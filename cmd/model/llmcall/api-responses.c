#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "emit.h"
#include "encode.h"
#include "media.h"

/*
 * The Responses API: items instead of messages.  Summaries of reasoning, or
 * its text, go to the reasoning field; the items as they came go to the
 * blocks, to stand before later calls again.
 */

/*
 * Of items such as web_search_call.  A container is paid for once, whatever
 * runs in it.
 */
static void
count_pieces(struct reply *d)
{
	static const char end[] = "_call";
	const size_t len = sizeof(end) - 1;
	struct usage *u = &d->usage;
	const struct extra *type, *box, *other;
	long long *n;
	size_t i, k;

	memset(u->piece, 0, sizeof(u->piece));
	for (i = 0; i < d->blocks.n; i++) {
		type = extras_find(&d->blocks.v[i].x, "type");
		if (type == NULL || type->value.n <= len
		    || memcmp(type->value.p + type->value.n - len, end, len)
			!= 0)
			continue;
		box = extras_find(&d->blocks.v[i].x, "container_id");
		for (k = 0; k < i && box != NULL; k++) {
			other = extras_find(
			    &d->blocks.v[k].x, "container_id");
			if (other != NULL && span_same(buf_view(&other->value),
				buf_view(&box->value)))
				break;
		}
		n = box != NULL && k < i ? NULL : usage_piece(u,
		    (struct span){type->value.p, type->value.n - len});
		if (n != NULL)
			++*n;
	}
}

static void
read_usage(struct reply *d, const struct json *j, int i)
{
	static const struct usage_path paths[] = {
	    {USAGE_PROMPT, "input_tokens"},
	    {USAGE_COMPLETION, "output_tokens"},
	    {USAGE_CACHED, "input_tokens_details.cached_tokens"},
	    {USAGE_WRITTEN, "input_tokens_details.cache_write_tokens"},
	    {USAGE_AUDIO_IN, "input_tokens_details.audio_tokens"},
	    {USAGE_REASONING, "output_tokens_details.reasoning_tokens"},
	    {USAGE_AUDIO_OUT, "output_tokens_details.audio_tokens"}};

	if (usage_read(&d->usage, j, i, paths,
		sizeof(paths) / sizeof(*paths)) == 0)
		count_pieces(d);
}

static int
add_text(struct reply *d, struct block *k, const struct json *j, int i)
{
	size_t n = d->text.n;

	if (k == NULL || k->kind != BLOCK_TEXT)
		return 0;
	reply_text(d, j, i);
	k->bytes += d->text.n - n;
	return d->text.n > n;
}

/* The sources of an item's text; what has come does not come again. */
static void
read_sources(struct reply *d, struct block *k, const struct json *j, int part)
{
	static struct buf s;
	long long base = 0;
	int i, old = k->given;

	for (; part >= 0 && !old; part = json_next(j, part)) {
		i = json_first(j, json_get(j, part, "annotations"));
		for (; i >= 0; i = json_next(j, i), k->given = 1)
			reply_source(d, k, j, i, base);
		buf_reset(&s);
		json_str(j, json_get(j, part, "text"), &s);
		base += reply_characters(s.p, s.n);
	}
}

/* What the deltas left out of a message; servers may send none at all. */
static int
read_message(struct reply *d, struct block *k, const struct json *j, int i)
{
	int c = json_first(j, json_get(j, i, "content")), any = 0;
	int text = k->bytes == 0, refusal = d->refusal.n == 0;

	for (; c >= 0; c = json_next(j, c)) {
		if (text)
			any |= add_text(d, k, j, json_get(j, c, "text"));
		if (refusal)
			json_str(j, json_get(j, c, "refusal"), &d->refusal);
	}
	read_sources(d, k, j, json_first(j, json_get(j, i, "content")));
	return any || (refusal && d->refusal.n > 0);
}

static void
replace_text(struct buf *b, const struct json *j, int i)
{
	static struct buf s;

	buf_reset(&s);
	if (json_str(j, i, &s) < 0 && json_kind(j, i) == JSON_OBJECT)
		buf_span(&s, json_span(j, i));
	if (s.n == 0)
		return;
	buf_reset(b);
	buf_span(b, buf_view(&s));
}

static void
read_call(struct reply *d, struct block *k, const struct json *j, int i)
{
	struct reply_call *c;

	if (k->call == d->ncalls)
		reply_add(d, k->index);
	c = &d->call[k->call];
	replace_text(&c->id, j, json_get(j, i, "call_id"));
	replace_text(&c->name, j, json_get(j, i, "name"));
	replace_text(&c->args, j, json_get(j, i, "arguments"));
}

/* Reasoning that no delta brought: the summary, else the text itself. */
static int
read_reasoning(struct reply *d, const struct json *j, int i)
{
	static const char *const names[] = {"summary", "content"};
	size_t n, from = d->reasoning.n;
	int k;

	for (n = 0; n < 2 && d->reasoning.n == from; n++) {
		k = json_first(j, json_get(j, i, names[n]));
		for (; k >= 0; k = json_next(j, k)) {
			if (d->reasoning.n > 0)
				buf_puts(&d->reasoning, "\n\n");
			reply_reason(d, j, json_get(j, k, "text"));
		}
	}
	return d->reasoning.n > from;
}

static int
read_other(struct reply *d, struct block *k, const struct json *j, int i)
{
	int m;

	extras_reset(&k->x);
	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		extras_add(&k->x, j, m);
	if (!json_is(j, json_get(j, i, "type"), "reasoning"))
		return 0;
	if (k->given == 0 && read_reasoning(d, j, i))
		k->given = -1;
	return k->given != 0;
}

/*
 * The block of an item.  What stands in the response at its end need not
 * stand where the stream had it: a call is known by its id, and what has
 * come already does not come again.
 */
static struct block *
place(struct reply *d, const struct json *j, long long index, int i,
    enum block_kind kind, int end)
{
	struct block *k = blocks_at(&d->blocks, index);
	char *id = json_dup(j, json_get(j, i, "call_id"));
	size_t n;

	for (n = 0; id != NULL && n < d->blocks.n; n++)
		if (d->blocks.v[n].kind == BLOCK_CALL
		    && strcmp(buf_cstr(&d->call[d->blocks.v[n].call].id), id)
			== 0) {
			k = &d->blocks.v[n];
			break;
		}
	free(id);
	if (k != NULL && k->kind == kind)
		return k;
	if (end && kind != BLOCK_CALL
	    && (kind == BLOCK_OTHER || d->text.n > 0))
		return NULL;
	k = blocks_add(&d->blocks, index, kind);
	k->call = d->ncalls;
	return k;
}

/* An item, begun or whole; what comes later of it replaces this. */
static int
item(struct reply *d, const struct json *j, long long index, int i, int end)
{
	int type = json_get(j, i, "type");
	enum block_kind kind = json_is(j, type, "message") ? BLOCK_TEXT
	    : json_is(j, type, "function_call")		   ? BLOCK_CALL
							   : BLOCK_OTHER;
	struct block *k;

	if (json_kind(j, type) != JSON_STRING)
		return 0;
	k = place(d, j, index, i, kind, end);
	if (k == NULL)
		return 0;
	switch (kind) {
	case BLOCK_TEXT: return read_message(d, k, j, i);
	case BLOCK_CALL: read_call(d, k, j, i); return 1;
	case BLOCK_OTHER: break;
	}
	return read_other(d, k, j, i);
}

/* The response as it is at its end, or in one piece. */
static int
response(struct reply *d, const struct json *j, int i)
{
	int k = json_first(j, json_get(j, i, "output")), any = 0;
	int why = json_at(j, i, "incomplete_details.reason");
	int end = d->blocks.n > 0;
	long long index = 0;

	for (; k >= 0; k = json_next(j, k))
		any |= item(d, j, index++, k, end);
	read_usage(d, j, json_get(j, i, "usage"));
	if (d->model.n == 0)
		json_str(j, json_get(j, i, "model"), &d->model);
	buf_reset(&d->finish);
	if (json_str(j, why, &d->finish) < 0)
		json_str(j, json_get(j, i, "status"), &d->finish);
	return any;
}

/* A piece of a reasoning item: of its summary or, where that has none, text. */
static int
reason_piece(struct reply *d, struct block *k, const struct json *j,
    const char *part)
{
	long long at;

	if (k == NULL)
		return 0;
	if (json_int(j, json_get(j, 0, part), &at) < 0)
		at = 0;
	/* given: the part that is being read, from 1 */
	if (k->given != at + 1 && d->reasoning.n > 0)
		buf_puts(&d->reasoning, "\n\n");
	k->given = (int)(at + 1);
	reply_reason(d, j, json_get(j, 0, "delta"));
	return 1;
}

static int
piece(struct reply *d, const char *type, const struct json *j)
{
	static struct buf s;
	struct block *k;
	long long index;

	if (json_int(j, json_get(j, 0, "output_index"), &index) < 0)
		return 0;
	k = blocks_at(&d->blocks, index);
	if (strcmp(type, "output_text.delta") == 0) {
		if (k == NULL)
			k = blocks_add(&d->blocks, index, BLOCK_TEXT);
		return add_text(d, k, j, json_get(j, 0, "delta"));
	}
	if (strcmp(type, "refusal.delta") == 0) {
		json_str(j, json_get(j, 0, "delta"), &d->refusal);
		return 1;
	}
	if (strcmp(type, "reasoning_summary_text.delta") == 0)
		return reason_piece(d, k, j, "summary_index");
	if (strcmp(type, "reasoning_text.delta") == 0)
		return reason_piece(d, k, j, "content_index");
	if (k == NULL || k->kind != BLOCK_CALL)
		return 0;
	if (strcmp(type, "function_call_arguments.delta") == 0) {
		buf_reset(&s);
		json_str(j, json_get(j, 0, "delta"), &s);
		buf_span(&d->call[k->call].args, buf_view(&s));
		return s.n > 0;
	}
	if (strcmp(type, "function_call_arguments.done") == 0)
		replace_text(&d->call[k->call].args, j,
		    json_get(j, 0, "arguments"));
	return 0;
}

static int
event(struct reply *d, const char *type, const struct json *j)
{
	static const char prefix[] = "response.";
	static struct buf own;
	long long index;
	int any = 0;

	buf_reset(&own);
	if (json_str(j, json_get(j, 0, "type"), &own) == 0)
		type = buf_cstr(&own);
	if (strncmp(type, prefix, sizeof(prefix) - 1) != 0)
		return 0;
	type += sizeof(prefix) - 1;
	if (strcmp(type, "completed") == 0
	    || strcmp(type, "incomplete") == 0) {
		any = response(d, j, json_get(j, 0, "response"));
		d->over = d->last = 1;
	} else if (strcmp(type, "failed") == 0) {
		read_usage(d, j, json_at(j, 0, "response.usage"));
	} else if (strcmp(type, "created") == 0) {
		json_str(j, json_at(j, 0, "response.model"), &d->model);
	} else if (strcmp(type, "output_item.added") == 0
	    || strcmp(type, "output_item.done") == 0) {
		if (json_int(j, json_get(j, 0, "output_index"), &index) == 0)
			any = item(d, j, index, json_get(j, 0, "item"),
			    0);
	} else {
		any = piece(d, type, j);
	}
	return any;
}

static int
whole(struct reply *d, const struct json *j)
{
	int any;

	if (json_kind(j, json_get(j, 0, "output")) != JSON_ARRAY)
		return 0;
	any = response(d, j, 0);
	d->over = d->last = 1;
	return any;
}

static const char *const taken[] = {"max_tokens", "max_completion_tokens",
    "tool_choice", "response_format", "reasoning_effort", "verbosity", NULL};

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
		if (encode_text(&s, j, json_get(j, m, "content")) < 0
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
	if (encode_text(&s, j, i) == 0) {
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

	if (encode_blank(j, i))
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
	encode_id(b, p, j, json_get(j, call, "id"));
	buf_reset(&s);
	json_str(j, json_at(j, call, "function.name"), &s);
	emit_pairn(b, "name", s.p, s.n);
	buf_reset(&s);
	encode_args(&s, j, call);
	emit_pairn(b, "arguments", s.p, s.n);
	emit_close(b, '}');
}

static void
put_result(struct buf *b, struct provider *p, const struct json *j, int m)
{
	emit_open(b, '{');
	emit_pair(b, "type", "function_call_output");
	emit_key(b, "call_id");
	encode_id(b, p, j, json_get(j, m, "tool_call_id"));
	put_content(b, "output", j, json_get(j, m, "content"));
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
		if (!encode_listed(p, "items.drop", j, k))
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
		else if (json_is(j, role, "tool"))
			put_result(b, p, j, m);
		else if (role >= 0)
			put_message(b, j, m);
	}
	emit_close(b, ']');
}

static void
put_tools(struct buf *b, struct provider *p, const struct json *j)
{
	int i = json_get(j, 0, "tools"), t, f, k;
	int choice = json_get(j, 0, "tool_choice");

	if (!encode_has_tools(j))
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	encode_own_tools(b, p, j);
	for (t = json_first(j, i); t >= 0; t = json_next(j, t)) {
		f = json_get(j, t, "function");
		if (json_kind(j, f) != JSON_OBJECT) {
			emit_span(b, json_span(j, t));
			continue;
		}
		emit_open(b, '{');
		emit_pair(b, "type", "function");
		for (k = json_first(j, f); k >= 0; k = json_next(j, k))
			if (!encode_listed(p, "tools.drop", j, k))
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
put_effort(struct buf *b, struct provider *p, const char *model,
    const struct json *j)
{
	static struct buf word;

	if (json_get(j, 0, "reasoning") >= 0
	    || encode_effort(p, model, j, &word) != EFFORT_PLAIN)
		return;
	emit_key(b, "reasoning");
	emit_open(b, '{');
	emit_pairn(b, "effort", word.p, word.n);
	emit_close(b, '}');
}

static void
body(struct buf *b, struct provider *p, const char *model,
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
	put_effort(b, p, model, j);
	encode_fields(b, p, model, j, taken, NULL);
	encode_set(b, p, model);
	emit_pairb(b, "stream", stream);
	m = provider_at(p, "stream_options");
	if (stream && options && json_count(provider_json(p), m) > 0)
		emit_pairj(b, "stream_options", json_span(provider_json(p), m));
	emit_close(b, '}');
}

const struct api api_responses = {"responses", "/responses", 0, body, event, whole};
