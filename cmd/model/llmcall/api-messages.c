#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "emit.h"
#include "encode.h"
#include "media.h"
#include "model.h"

/*
 * The Messages API: system text apart, calls and results as blocks, each call
 * answered at once and before all else that the user says, thinking as it
 * came, and marks (the provider's cache_control) on the last blocks that the
 * next request will have again.
 */

/* Counts as {"web_search_requests": 1}. */
static void
read_pieces(struct usage *u, const struct json *j, int i)
{
	static struct buf name;
	static const char end[] = "_requests";
	const size_t len = sizeof(end) - 1;
	long long n, *at;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		json_str(j, k, &name);
		if (json_int(j, k + 1, &n) < 0 || n <= 0 || name.n <= len
		    || memcmp(name.p + name.n - len, end, len) != 0)
			continue;
		name.n -= len;
		at = usage_piece(u, buf_view(&name));
		if (at != NULL)
			*at = n;
	}
}

/*
 * Nulls leave what an earlier event said.  At a stream's start the count of
 * the output is a placeholder: only a later event, or a body that came
 * whole, has the count.
 */
static void
read_usage(struct reply *d, const struct json *j, int i, int start)
{
	static const struct usage_path paths[] = {
	    {USAGE_FRESH, "input_tokens"},
	    {USAGE_CACHED, "cache_read_input_tokens"},
	    {USAGE_WRITTEN, "cache_creation_input_tokens"},
	    {USAGE_WRITTEN_1H, "cache_creation.ephemeral_1h_input_tokens"},
	    {USAGE_COMPLETION, "output_tokens"}};
	struct usage *u = &d->usage;
	const long long *n = u->n;

	if (usage_read(u, j, i, paths, sizeof(paths) / sizeof(*paths)
		- (start != 0)) < 0)
		return;
	if (n[USAGE_FRESH] >= 0)
		u->n[USAGE_PROMPT] = n[USAGE_FRESH]
		    + (n[USAGE_CACHED] > 0 ? n[USAGE_CACHED] : 0)
		    + (n[USAGE_WRITTEN] > 0 ? n[USAGE_WRITTEN] : 0);
	read_pieces(u, j, json_get(j, i, "server_tool_use"));
}

static void
read_head(struct reply *d, const struct json *j, int i, int start)
{
	if (d->model.n == 0)
		json_str(j, json_get(j, i, "model"), &d->model);
	read_usage(d, j, json_get(j, i, "usage"), start);
}

static void
read_finish(struct reply *d, const struct json *j, int i)
{
	if (json_kind(j, i) != JSON_STRING)
		return;
	buf_reset(&d->finish);
	json_str(j, i, &d->finish);
}

/* Pieces of JSON replace what was there from the start, if it was. */
static int
add_input(struct block *k, struct buf *b, const struct json *j, int i)
{
	static struct buf s;

	buf_reset(&s);
	json_str(j, i, &s);
	if (s.n == 0)
		return 0;
	if (k->given)
		buf_reset(b);
	k->given = 0;
	buf_span(b, buf_view(&s));
	return 1;
}

static int
open_call(struct reply *d, struct block *k, const struct json *j, int i)
{
	static struct buf id, name;
	struct reply_call *c;

	buf_reset(&id);
	buf_reset(&name);
	json_str(j, json_get(j, i, "id"), &id);
	json_str(j, json_get(j, i, "name"), &name);
	k->call = d->ncalls;
	c = reply_add(d, k->index);
	buf_span(&c->id, buf_view(&id));
	buf_span(&c->name, buf_view(&name));
	i = json_get(j, i, "input");
	if (json_count(j, i) > 0) {
		buf_span(&c->args, json_span(j, i));
		k->given = 1;
	}
	return 1;
}

static void
open_other(struct reply *d, struct block *k, const struct json *j, int i)
{
	int m, thought = json_get(j, i, "thinking");

	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		if (json_is(j, m, "input")) {
			buf_span(&k->input, json_span(j, m + 1));
			k->given = 1;
		} else {
			extras_add(&k->x, j, m);
		}
	if (thought < 0)
		return;
	if (d->reasoning.n > 0)
		buf_puts(&d->reasoning, "\n\n");
	reply_reason(d, j, thought);
}

/* Of a text; it goes back as it came. */
static void
cite(struct reply *d, struct block *k, const struct json *j, int i)
{
	if (json_kind(j, i) != JSON_OBJECT)
		return;
	extras_push(&k->x, "citations", json_span(j, i));
	reply_source(d, k, j, i, 0);
}

/* i: the block's object, whole or with its texts still empty. */
static int
open_block(struct reply *d, const struct json *j, long long index, int i)
{
	int type = json_get(j, i, "type");
	struct block *k;
	size_t n = d->text.n;

	if (json_kind(j, i) != JSON_OBJECT || blocks_at(&d->blocks, index))
		return 0;
	if (json_is(j, type, "tool_use")) {
		k = blocks_add(&d->blocks, index, BLOCK_CALL);
		return open_call(d, k, j, i);
	}
	if (!json_is(j, type, "text")) {
		k = blocks_add(&d->blocks, index, BLOCK_OTHER);
		open_other(d, k, j, i);
		return d->reasoning.n > 0;
	}
	k = blocks_add(&d->blocks, index, BLOCK_TEXT);
	reply_text(d, j, json_get(j, i, "text"));
	k->bytes += d->text.n - n;
	i = json_first(j, json_get(j, i, "citations"));
	for (; i >= 0; i = json_next(j, i))
		cite(d, k, j, i);
	return d->text.n > n;
}

static int
piece_of_other(struct reply *d, struct block *k, const struct json *j, int i)
{
	int m, thought = json_get(j, i, "thinking");

	if (json_is(j, json_get(j, i, "type"), "input_json_delta"))
		return add_input(k, &k->input, j,
		    json_get(j, i, "partial_json"));
	for (m = json_first(j, i); m >= 0; m = json_next(j, m))
		if (!json_is(j, m, "type"))
			extras_add(&k->x, j, m);
	if (thought >= 0)
		reply_reason(d, j, thought);
	return 1;
}

/* A block that was not opened is made, as far as its kind is known. */
static int
piece(struct reply *d, const struct json *j, long long index, int i)
{
	int type = json_get(j, i, "type");
	struct block *k = blocks_at(&d->blocks, index);
	size_t n = d->text.n;

	if (k == NULL && json_is(j, type, "text_delta"))
		k = blocks_add(&d->blocks, index, BLOCK_TEXT);
	if (k == NULL)
		return 0;
	switch (k->kind) {
	case BLOCK_TEXT:
		reply_text(d, j, json_get(j, i, "text"));
		k->bytes += d->text.n - n;
		cite(d, k, j, json_get(j, i, "citation"));
		return d->text.n > n;
	case BLOCK_CALL:
		return add_input(k, &d->call[k->call].args, j,
		    json_get(j, i, "partial_json"));
	case BLOCK_OTHER: break;
	}
	return piece_of_other(d, k, j, i);
}

static int
event(struct reply *d, const char *type, const struct json *j)
{
	static struct buf own;
	long long index;

	buf_reset(&own);
	if (json_str(j, json_get(j, 0, "type"), &own) == 0)
		type = buf_cstr(&own);
	if (json_int(j, json_get(j, 0, "index"), &index) < 0)
		index = -1;
	if (strcmp(type, "content_block_delta") == 0)
		return piece(d, j, index, json_get(j, 0, "delta"));
	if (strcmp(type, "content_block_start") == 0)
		return open_block(d, j, index,
		    json_get(j, 0, "content_block"));
	if (strcmp(type, "message_start") == 0) {
		read_head(d, j, json_get(j, 0, "message"), 1);
	} else if (strcmp(type, "message_delta") == 0) {
		read_finish(d, j, json_at(j, 0, "delta.stop_reason"));
		read_usage(d, j, json_get(j, 0, "usage"), 0);
	} else if (strcmp(type, "message_stop") == 0) {
		d->over = d->last = 1;
	}
	return 0;
}

static int
whole(struct reply *d, const struct json *j)
{
	int i = json_get(j, 0, "content"), k, any = 0;
	long long index = 0;

	read_head(d, j, 0, 0);
	read_finish(d, j, json_get(j, 0, "stop_reason"));
	if (json_kind(j, i) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		any |= open_block(d, j, index++, k);
	d->over = d->last = 1;
	return any;
}

/* Messages in the making. */
struct turns {
	struct buf *b;
	struct provider *p;
	const struct json *j;
	const char *model;
	const char *role; /* of the message that is open, or NULL */
	/* Where the last stable block ends; the same before the model's last
	 * words, which is where the request before this one had its end. */
	size_t mark, before;
	int changing; /* what comes now will not come again */
};

/* Nothing but white space? */
static int
is_blank(const struct buf *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!isspace((unsigned char)s->p[i]))
			return 0;
	return 1;
}

static void
close_message(struct turns *o)
{
	if (o->role == NULL)
		return;
	emit_close(o->b, ']');
	emit_close(o->b, '}');
	o->role = NULL;
}

/* A message begins with its first block; blocks of one role are one. */
static void
begin(struct turns *o, const char *role)
{
	if (o->role == NULL || strcmp(o->role, role) != 0) {
		close_message(o);
		if (strcmp(role, "assistant") == 0)
			o->before = o->mark;
		emit_open(o->b, '{');
		emit_pair(o->b, "role", role);
		emit_key(o->b, "content");
		emit_open(o->b, '[');
		o->role = role;
	}
}

static void
done(struct turns *o)
{
	if (!o->changing)
		o->mark = o->b->n - 1;
}

/* cited: where its citations stand in j, or -1. */
static void
put_plain(struct buf *b, const struct buf *s, const struct json *j, int cited)
{
	emit_open(b, '{');
	emit_pair(b, "type", "text");
	emit_pairn(b, "text", s->p, s->n);
	if (cited >= 0)
		emit_member(b, j, cited - 1);
	emit_close(b, '}');
}

static void
put_text(struct turns *o, const char *role, const struct buf *s, int cited)
{
	if (is_blank(s))
		return;
	begin(o, role);
	put_plain(o->b, s, o->j, cited);
	done(o);
}

/* An image or a file: {"type":"base64"...} or {"type":"url"...}. */
static void
put_source(struct buf *b, const char *type, const struct buf *url)
{
	struct span kind, data;

	emit_open(b, '{');
	emit_pair(b, "type", type);
	emit_key(b, "source");
	emit_open(b, '{');
	if (media_data(url, &kind, &data)) {
		emit_pair(b, "type", "base64");
		emit_pairn(b, "media_type", kind.p, kind.n);
		emit_pairn(b, "data", data.p, data.n);
	} else {
		emit_pair(b, "type", "url");
		emit_pairn(b, "url", url->p, url->n);
	}
	emit_close(b, '}');
	emit_close(b, '}');
}

/* Value i, an object, unchanged but for marks of its own. */
static void
put_block(struct buf *b, const struct json *j, int i)
{
	/* How many marks there may be is counted here. */
	if (json_kind(j, i) == JSON_OBJECT)
		emit_object(b, j, i, "cache_control", (struct span){NULL, 0});
	else
		emit_span(b, json_span(j, i));
}

/* A part of a content that is no text. */
static void
put_part(struct buf *b, const struct json *j, int i)
{
	static struct buf url;
	enum media_kind kind = media_url(&url, j, i);

	if (kind == MEDIA_NONE)
		put_block(b, j, i);
	else
		put_source(b, kind == MEDIA_IMAGE ? "image" : "document", &url);
}

static int
istext(const struct json *j, int i)
{
	return json_kind(j, i) == JSON_STRING
	    || json_is(j, json_get(j, i, "type"), "text");
}

static void
part_text(struct buf *s, const struct json *j, int i)
{
	buf_reset(s);
	if (json_str(j, i, s) < 0)
		json_str(j, json_get(j, i, "text"), s);
}

static void
put_content(struct turns *o, const char *role, int i)
{
	static struct buf s;
	const struct json *j = o->j;
	int k;

	if (json_kind(j, i) == JSON_STRING) {
		part_text(&s, j, i);
		put_text(o, role, &s, -1);
	} else if (json_kind(j, i) == JSON_ARRAY) {
		for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
			if (istext(j, k)) {
				part_text(&s, j, k);
				put_text(o, role, &s, -1);
				continue;
			}
			begin(o, role);
			put_part(o->b, j, k);
			done(o);
		}
	}
}

static void
put_parts(struct buf *b, const struct json *j, int i)
{
	static struct buf s;
	int k;

	emit_key(b, "content");
	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (!istext(j, k)) {
			put_part(b, j, k);
			continue;
		}
		part_text(&s, j, k);
		if (is_blank(&s))
			continue;
		put_plain(b, &s, j, -1);
	}
	emit_close(b, ']');
}

/* Does a result say that the call failed? */
static int
isfault(const struct turns *o, const struct buf *s)
{
	const char *mark = provider_str(o->p, "messages.error_prefix");
	size_t n = mark == NULL ? 0 : strlen(mark);

	return n > 0 && s->n >= n && memcmp(s->p, mark, n) == 0;
}

static void
put_result(struct turns *o, int m)
{
	static struct buf s;
	const struct json *j = o->j;
	int i = json_get(j, m, "content");

	buf_reset(&s);
	json_str(j, i, &s);
	begin(o, "user");
	emit_open(o->b, '{');
	emit_pair(o->b, "type", "tool_result");
	emit_key(o->b, "tool_use_id");
	encode_id(o->b, o->p, j, json_get(j, m, "tool_call_id"));
	if (json_kind(j, i) == JSON_ARRAY)
		put_parts(o->b, j, i);
	else if (!is_blank(&s))
		emit_pairn(o->b, "content", s.p, s.n);
	if (isfault(o, &s))
		emit_pairb(o->b, "is_error", 1);
	emit_close(o->b, '}');
	done(o);
}

static void
put_call(struct turns *o, int call)
{
	static struct buf s;

	begin(o, "assistant");
	emit_open(o->b, '{');
	emit_pair(o->b, "type", "tool_use");
	emit_key(o->b, "id");
	encode_id(o->b, o->p, o->j, json_get(o->j, call, "id"));
	buf_reset(&s);
	json_str(o->j, json_at(o->j, call, "function.name"), &s);
	emit_pairn(o->b, "name", s.p, s.n);
	buf_reset(&s);
	encode_args(&s, o->j, call);
	emit_pairj(o->b, "input", buf_view(&s));
	emit_close(o->b, '}');
	done(o);
}

static int
isthought(const struct json *j, int i)
{
	int type = json_get(j, i, "type");

	return json_is(j, type, "thinking")
	    || json_is(j, type, "redacted_thinking");
}

/* As the provider gave it.  Thinking takes no mark, and is refused where
 * nothing follows. */
static int
put_own(struct turns *o, int m)
{
	static struct buf s;
	const struct json *j = o->j;
	struct turns good = *o;
	struct native w;
	size_t end = o->b->n, n;

	if (native_open(&w, j, m, o->p, "messages", o->model, 1) < 0)
		return -1;
	while (native_next(&w)) {
		n = o->b->n;
		if (w.call >= 0) {
			put_call(o, w.call);
		} else if (w.own >= 0) {
			begin(o, "assistant");
			put_block(o->b, j, w.own);
			if (isthought(j, w.own))
				continue;
		} else {
			buf_reset(&s);
			buf_span(&s, w.text);
			put_text(o, "assistant", &s, w.cited);
		}
		if (o->b->n > n) {
			good = *o;
			end = o->b->n;
		}
	}
	*o = good;
	o->b->n = end;
	native_free(&w);
	return 0;
}

static void
put_assistant(struct turns *o, int m)
{
	const struct json *j = o->j;
	int calls = json_get(j, m, "tool_calls"), c;

	if (put_own(o, m) < 0) {
		put_content(o, "assistant", json_get(j, m, "content"));
		for (c = json_first(j, calls); c >= 0; c = json_next(j, c))
			put_call(o, c);
	}
}

/* System text of all places, but for what changes with each request. */
static int
issystem(const struct json *j, int m)
{
	int role = json_get(j, m, "role");

	return (json_is(j, role, "system") || json_is(j, role, "developer"))
	    && !json_true(j, json_at(j, m, "tp.volatile"));
}

/* In front of the brace at offset at, if there is one. */
static void
put_mark(struct buf *b, const struct provider *p, const struct json *j,
    size_t at)
{
	static struct buf s;
	const struct json *q = provider_json(p);
	int i = provider_at(p, "cache_control");
	int ttl = json_get(j, 0, "cache_ttl");

	if (i < 0 || at == 0 || b->p[at] != '}')
		return;
	buf_reset(&s);
	buf_puts(&s, &",\"cache_control\":"[b->p[at - 1] == '{']);
	emit_open(&s, '{');
	for (i = json_first(q, i); i >= 0; i = json_next(q, i))
		if (ttl < 0 || !json_is(q, i, "ttl"))
			emit_member(&s, q, i);
	if (ttl >= 0)
		emit_pairj(&s, "ttl", json_span(j, ttl));
	emit_close(&s, '}');
	buf_room(b, s.n);
	memmove(b->p + at + s.n, b->p + at, b->n - at);
	memcpy(b->p + at, s.p, s.n);
	b->n += s.n;
}

static void
put_system(struct buf *b, struct provider *p, const struct json *j)
{
	static struct buf s;
	int m = json_first(j, json_get(j, 0, "messages")), k, i;
	size_t from = b->n, mark = 0;

	emit_key(b, "system");
	emit_open(b, '[');
	for (; m >= 0; m = json_next(j, m)) {
		i = json_get(j, m, "content");
		if (!issystem(j, m))
			continue;
		k = json_kind(j, i) == JSON_ARRAY ? json_first(j, i) : i;
		for (; k >= 0; k = k == i ? -1 : json_next(j, k)) {
			part_text(&s, j, k);
			if (is_blank(&s))
				continue;
			put_plain(b, &s, j, -1);
			mark = b->n - 1;
		}
	}
	emit_close(b, ']');
	if (mark == 0)
		b->n = from;
	put_mark(b, p, j, mark);
}

static void
put_messages(struct buf *b, struct provider *p, const char *model,
    const struct json *j)
{
	struct turns o = {b, p, j, model, NULL, 0, 0, 0};
	int m = json_first(j, json_get(j, 0, "messages")), role;

	emit_key(b, "messages");
	emit_open(b, '[');
	for (; m >= 0; m = json_next(j, m)) {
		role = json_get(j, m, "role");
		if (json_is(j, role, "assistant")) {
			put_assistant(&o, m);
		} else if (json_is(j, role, "tool")) {
			put_result(&o, m);
		} else if (!issystem(j, m)) {
			o.changing |= json_true(
			    j, json_at(j, m, "tp.volatile"));
			put_content(&o, "user", json_get(j, m, "content"));
		}
	}
	close_message(&o);
	emit_close(b, ']');
	put_mark(b, p, j, o.mark);
	if (o.before < o.mark)
		put_mark(b, p, j, o.before);
}

static const char *const taken[] = {"max_tokens", "max_completion_tokens",
    "stop", "tool_choice", "parallel_tool_calls", "response_format",
    "reasoning_effort", "user", NULL};

static void
put_tool(struct buf *b, struct provider *p, const struct json *j, int t)
{
	int f = json_get(j, t, "function"), k;

	if (json_kind(j, f) != JSON_OBJECT) {
		put_block(b, j, t); /* one of the provider's own */
		return;
	}
	emit_open(b, '{');
	for (k = json_first(j, f); k >= 0; k = json_next(j, k)) {
		if (encode_listed(p, "tools.drop", j, k))
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

/* A choice in the terms of Chat Completions; others go unchanged. */
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

	if (!encode_has_tools(j))
		return;
	emit_key(b, "tools");
	emit_open(b, '[');
	encode_own_tools(b, p, j);
	for (t = json_first(j, i); t >= 0; t = json_next(j, t))
		put_tool(b, p, j, t);
	put_mark(b, p, j, b->n - 1);
	emit_close(b, ']');
	put_choice(b, j);
}

/* How many tokens the answer may have; 0 if that is not said. */
static long long
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
		return 0;
	emit_pairj(b, "max_tokens", s);
	buf_reset(&n);
	buf_span(&n, s);
	return strtoll(buf_cstr(&n), NULL, 10);
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
		if (is_blank(&s))
			continue;
		emit_str(b, s.p, s.n);
		n++;
	}
	emit_close(b, ']');
	if (n == 0)
		b->n = from;
}

/*
 * Is the model in the middle of a turn without thoughts of its own, as after
 * another one's calls?  Then it may not begin to think by a budget.
 */
static int
began_without(const struct provider *p, const char *model,
    const struct json *j)
{
	int m = json_first(j, json_get(j, 0, "messages")), role, began = 0;
	struct native w;

	for (; m >= 0; m = json_next(j, m)) {
		role = json_get(j, m, "role");
		if (json_is(j, role, "user")
		    && !json_true(j, json_at(j, m, "tp.volatile"))) {
			began = 0;
		} else if (json_count(j, json_get(j, m, "tool_calls")) > 0) {
			began = native_open(
			    &w, j, m, p, "messages", model, 1) < 0;
			if (began)
				continue;
			began = !native_next(&w) || w.own < 0
			    || !isthought(j, w.own);
			native_free(&w);
		}
	}
	return began;
}

/* Is a call demanded?  That and thinking exclude each other. */
static int
is_forced(const struct json *j)
{
	int i = json_get(j, 0, "tool_choice"), type = json_get(j, i, "type");

	return json_count(j, json_get(j, 0, "tools")) > 0
	    && (json_is(j, i, "required") || json_is(j, type, "any")
		|| json_is(j, type, "tool") || json_is(j, type, "function"));
}

/*
 * What the request says of thinking is encode_fields'.  limit: tokens of the
 * answer, of which at least half are left for words.  1 if it is written.
 */
static int
put_thinking(struct buf *b, struct provider *p, const char *model,
    const struct json *j, enum encode_effort way, struct buf *word,
    long long limit)
{
	enum { LEAST = 1024 }; /* tokens */
	long long n = 0;

	if (way < EFFORT_BUDGET || json_get(j, 0, "thinking") >= 0
	    || is_forced(j))
		return 0;
	if (way == EFFORT_BUDGET) {
		json_int(provider_json(p), provider_word(p, "effort.budget",
		    buf_cstr(word)), &n);
		if (n > limit / 2)
			n = limit / 2;
		if (n < LEAST || began_without(p, model, j))
			return 0;
	}
	emit_key(b, "thinking");
	emit_open(b, '{');
	emit_pair(b, "type", n > 0 ? "enabled" : "adaptive");
	if (n > 0)
		emit_pairi(b, "budget_tokens", n);
	emit_close(b, '}');
	return 1;
}

static void
put_output(struct buf *b, const struct json *j, const struct buf *effort)
{
	int schema = json_at(j, 0, "response_format.json_schema.schema");

	if (schema < 0 && effort == NULL)
		return;
	emit_key(b, "output_config");
	emit_open(b, '{');
	if (effort != NULL)
		emit_pairn(b, "effort", effort->p, effort->n);
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

static void
body(struct buf *b, struct provider *p, const char *model,
    const struct json *j, int stream, int options)
{
	static struct buf effort;
	enum encode_effort way = encode_effort(p, model, j, &effort);
	long long limit;
	int thinks;

	(void)options;
	if (strcmp(buf_cstr(&effort), "none") == 0)
		way = EFFORT_NONE;
	emit_open(b, '{');
	emit_pair(b, "model", model);
	limit = put_limit(b, p, model, j);
	put_tools(b, p, j);
	put_system(b, p, j);
	put_messages(b, p, model, j);
	put_stop(b, j);
	put_output(b, j, way == EFFORT_PLAIN || way == EFFORT_ADAPTIVE
		? &effort : NULL);
	thinks = put_thinking(b, p, model, j, way, &effort, limit);
	put_user(b, p, j);
	encode_fields(b, p, model, j, taken, thinks ? "thinking" : NULL);
	encode_set(b, p, model);
	emit_pairb(b, "stream", stream);
	emit_close(b, '}');
}

const struct api api_messages = {"messages", "/messages", 0, body, event, whole};
