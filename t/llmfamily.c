#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "llmfamily.h"

/* An answer is written whole; a stream is made from what is in it. */
static struct buf out;

static void
send(const struct source *s, const char *type)
{
	answer_event(s, type, out.p, out.n);
	buf_reset(&out);
}

static void
open_event(const char *type)
{
	buf_reset(&out);
	emit_open(&out, '{');
	emit_pair(&out, "type", type);
}

static void
close_event(const struct source *s, const char *type)
{
	emit_close(&out, '}');
	send(s, type);
}

static void
model(const struct source *s)
{
	if (answer_copy(&out, s->j, 0, "model", "model") < 0
	    && answer_copy(&out, s->req, 0, "model", "model") < 0)
		emit_pair(&out, "model", "test");
}

/* A script's usage, or 10 tokens in and n out; Responses has their sum too. */
static void
usage(const struct source *s, long long n, int summed)
{
	if (answer_copy(&out, s->j, 0, "usage", "usage") == 0)
		return;
	emit_key(&out, "usage");
	emit_open(&out, '{');
	emit_pairi(&out, "input_tokens", 10);
	emit_pairi(&out, "output_tokens", n);
	if (summed)
		emit_pairi(&out, "total_tokens", 10 + n);
	emit_close(&out, '}');
}

static int
first_call(const struct source *s)
{
	return json_first(s->j, json_get(s->j, 0, "calls"));
}

static void
call_id(const struct source *s, int call, int n, const char *key)
{
	if (answer_copy(&out, s->j, call, "id", key) < 0) {
		emit_key(&out, key);
		buf_printf(&out, "\"toolu_%lu_%d\"", s->k, n);
	}
}

static void
signature(const struct source *s, const char *key)
{
	emit_key(&out, key);
	buf_printf(&out, "\"sealed-%lu\"", s->k);
}

/* The Messages API. */

static void
stop_reason(const struct source *s)
{
	if (answer_copy(&out, s->j, 0, "finish", "stop_reason") < 0)
		emit_pair(&out, "stop_reason",
		    first_call(s) < 0 ? "end_turn" : "tool_use");
}

static void
message_head(const struct source *s)
{
	emit_key(&out, "id");
	buf_printf(&out, "\"msg_%lu\"", s->k);
	emit_pair(&out, "type", "message");
	emit_pair(&out, "role", "assistant");
	model(s);
}

static void
block_start(int index)
{
	open_event("content_block_start");
	emit_pairi(&out, "index", index);
	emit_key(&out, "content_block");
	emit_open(&out, '{');
}

static void
block_delta(const struct source *s, int index, const char *type,
    const char *key, const char *p, size_t n)
{
	open_event("content_block_delta");
	emit_pairi(&out, "index", index);
	emit_key(&out, "delta");
	emit_open(&out, '{');
	emit_pair(&out, "type", type);
	emit_pairn(&out, key, p, n);
	emit_close(&out, '}');
	close_event(s, "content_block_delta");
}

static void
block_stop(const struct source *s, int index)
{
	open_event("content_block_stop");
	emit_pairi(&out, "index", index);
	close_event(s, "content_block_stop");
}

static void
stream_thinking(const struct source *s, int index)
{
	struct buf b = {0}, seal = {0};

	block_start(index);
	emit_pair(&out, "type", "thinking");
	emit_pair(&out, "thinking", "");
	emit_pair(&out, "signature", "");
	emit_close(&out, '}');
	close_event(s, "content_block_start");
	json_str(s->j, json_get(s->j, 0, "thinking"), &b);
	block_delta(s, index, "thinking_delta", "thinking", b.p, b.n);
	buf_printf(&seal, "sealed-%lu", s->k);
	block_delta(s, index, "signature_delta", "signature", seal.p, seal.n);
	block_stop(s, index);
	buf_free(&b);
	buf_free(&seal);
}

static void
stream_text(const struct source *s, int index, const struct buf *text)
{
	size_t at, n;

	block_start(index);
	emit_pair(&out, "type", "text");
	emit_pair(&out, "text", "");
	emit_close(&out, '}');
	close_event(s, "content_block_start");
	for (at = 0; at < text->n; at += n) {
		n = answer_word(text->p + at, text->n - at);
		block_delta(s, index, "text_delta", "text", text->p + at, n);
	}
	block_stop(s, index);
}

static void
stream_use(const struct source *s, int index, int call, int k)
{
	struct buf args = {0};
	size_t at, n;

	block_start(index);
	emit_pair(&out, "type", "tool_use");
	call_id(s, call, k, "id");
	answer_copy(&out, s->j, call, "name", "name");
	emit_key(&out, "input");
	emit_raw(&out, "{}", 2);
	emit_close(&out, '}');
	close_event(s, "content_block_start");
	block_delta(s, index, "input_json_delta", "partial_json", "", 0);
	answer_arguments(&args, s->j, call);
	for (at = 0; args.n > 2 && at < args.n; at += n) {
		n = answer_slice(args.p + at, args.n - at, args.n / 3 + 1);
		block_delta(s, index, "input_json_delta", "partial_json",
		    args.p + at, n);
	}
	block_stop(s, index);
	buf_free(&args);
}

static void
messages_stream(const struct source *s, const struct buf *text)
{
	int i = first_call(s), index = 0, k = 0;

	open_event("message_start");
	emit_key(&out, "message");
	emit_open(&out, '{');
	message_head(s);
	emit_key(&out, "content");
	emit_raw(&out, "[]", 2);
	usage(s, 1, 0);
	emit_close(&out, '}');
	close_event(s, "message_start");
	open_event("ping");
	close_event(s, "ping");
	if (json_get(s->j, 0, "thinking") >= 0)
		stream_thinking(s, index++);
	if (text->n > 0)
		stream_text(s, index++, text);
	for (; i >= 0; i = json_next(s->j, i))
		stream_use(s, index++, i, k++);
	if (json_true(s->j, json_get(s->j, 0, "break")))
		return;
	open_event("message_delta");
	emit_key(&out, "delta");
	emit_open(&out, '{');
	stop_reason(s);
	emit_close(&out, '}');
	usage(s, 5, 0);
	close_event(s, "message_delta");
	open_event("message_stop");
	close_event(s, "message_stop");
}

static void
messages_whole(const struct source *s, const struct buf *text)
{
	struct buf args = {0};
	int i = first_call(s), k = 0;

	emit_open(&out, '{');
	message_head(s);
	emit_key(&out, "content");
	emit_open(&out, '[');
	if (json_get(s->j, 0, "thinking") >= 0) {
		emit_open(&out, '{');
		emit_pair(&out, "type", "thinking");
		answer_copy(&out, s->j, 0, "thinking", "thinking");
		signature(s, "signature");
		emit_close(&out, '}');
	}
	if (text->n > 0) {
		emit_open(&out, '{');
		emit_pair(&out, "type", "text");
		emit_pairn(&out, "text", text->p, text->n);
		emit_close(&out, '}');
	}
	for (; i >= 0; i = json_next(s->j, i)) {
		emit_open(&out, '{');
		emit_pair(&out, "type", "tool_use");
		call_id(s, i, k++, "id");
		answer_copy(&out, s->j, i, "name", "name");
		answer_arguments(&args, s->j, i);
		emit_key(&out, "input");
		emit_raw(&out, args.p, args.n);
		emit_close(&out, '}');
	}
	emit_close(&out, ']');
	stop_reason(s);
	usage(s, 5, 0);
	emit_close(&out, '}');
	buf_free(&args);
}

/* The Responses API. */

/* Item k of the answer, whole: reasoning, text or a call. */
static void
put_item(const struct source *s, const struct buf *text, int call, int k)
{
	struct buf args = {0};

	emit_open(&out, '{');
	emit_key(&out, "id");
	buf_printf(&out, "\"item_%lu_%d\"", s->k, k);
	if (call >= 0) {
		emit_pair(&out, "type", "function_call");
		call_id(s, call, k, "call_id");
		answer_copy(&out, s->j, call, "name", "name");
		answer_copy(&out, s->j, call, "namespace", "namespace");
		answer_arguments(&args, s->j, call);
		emit_pairn(&out, "arguments", args.p, args.n);
		buf_free(&args);
	} else if (text != NULL) {
		emit_pair(&out, "type", "message");
		emit_pair(&out, "role", "assistant");
		buf_puts(&out, ",\"content\":[{\"type\":\"output_text\"");
		emit_pairn(&out, "text", text->p, text->n);
		buf_puts(&out, "}]");
	} else {
		emit_pair(&out, "type", "reasoning");
		buf_puts(&out, ",\"summary\":[{\"type\":\"summary_text\"");
		answer_copy(&out, s->j, 0, "thinking", "text");
		buf_puts(&out, "}]");
		signature(s, "encrypted_content");
	}
	emit_close(&out, '}');
}

static void
response(const struct source *s, const struct buf *text)
{
	int i = first_call(s), k = 0;
	int why = json_get(s->j, 0, "finish");

	emit_open(&out, '{');
	emit_key(&out, "id");
	buf_printf(&out, "\"resp_%lu\"", s->k);
	emit_pair(&out, "object", "response");
	emit_pair(&out, "status", why < 0 ? "completed" : "incomplete");
	emit_key(&out, "error");
	emit_null(&out);
	if (why >= 0) {
		emit_key(&out, "incomplete_details");
		emit_open(&out, '{');
		answer_copy(&out, s->j, 0, "finish", "reason");
		emit_close(&out, '}');
	}
	model(s);
	emit_key(&out, "output");
	emit_open(&out, '[');
	if (json_get(s->j, 0, "thinking") >= 0)
		put_item(s, NULL, -1, k++);
	if (text->n > 0)
		put_item(s, text, -1, k++);
	for (; i >= 0; i = json_next(s->j, i))
		put_item(s, NULL, i, k++);
	emit_close(&out, ']');
	usage(s, 5, 1);
	emit_close(&out, '}');
}

static void
piece(const struct source *s, const char *type, int index, const char *p,
    size_t n)
{
	open_event(type);
	emit_pairi(&out, "output_index", index);
	emit_pairn(&out, "delta", p, n);
	close_event(s, type);
}

static void
item_event(const struct source *s, const char *type, int index,
    const struct buf *text, int call)
{
	open_event(type);
	emit_pairi(&out, "output_index", index);
	emit_key(&out, "item");
	put_item(s, text, call, index);
	close_event(s, type);
}

static void
stream_words(const struct source *s, const struct buf *text, int index)
{
	static const struct buf empty;
	size_t at, n;

	item_event(s, "response.output_item.added", index, &empty, -1);
	for (at = 0; at < text->n; at += n) {
		n = answer_word(text->p + at, text->n - at);
		piece(s, "response.output_text.delta", index, text->p + at, n);
	}
	item_event(s, "response.output_item.done", index, text, -1);
}

static void
stream_call(const struct source *s, int call, int index)
{
	struct buf args = {0};
	size_t at, n;

	open_event("response.output_item.added");
	emit_pairi(&out, "output_index", index);
	buf_puts(&out, ",\"item\":{\"type\":\"function_call\"");
	call_id(s, call, index, "call_id");
	answer_copy(&out, s->j, call, "name", "name");
	buf_puts(&out, ",\"arguments\":\"\"}");
	close_event(s, "response.output_item.added");
	answer_arguments(&args, s->j, call);
	for (at = 0; at < args.n; at += n) {
		n = answer_slice(args.p + at, args.n - at, args.n / 3 + 1);
		piece(s, "response.function_call_arguments.delta", index,
		    args.p + at, n);
	}
	item_event(s, "response.output_item.done", index, NULL, call);
	buf_free(&args);
}

static void
responses_stream(const struct source *s, const struct buf *text)
{
	struct buf b = {0};
	const char *end = json_get(s->j, 0, "finish") < 0
	    ? "response.completed"
	    : "response.incomplete";
	int i = first_call(s), index = 0;

	open_event("response.created");
	buf_puts(&out, ",\"response\":{\"status\":\"in_progress\","
		       "\"error\":null");
	model(s);
	emit_close(&out, '}');
	close_event(s, "response.created");
	if (json_get(s->j, 0, "thinking") >= 0) {
		json_str(s->j, json_get(s->j, 0, "thinking"), &b);
		open_event("response.output_item.added");
		emit_pairi(&out, "output_index", index);
		buf_puts(&out, ",\"item\":{\"type\":\"reasoning\","
			       "\"summary\":[]}");
		close_event(s, "response.output_item.added");
		piece(s, "response.reasoning_summary_text.delta", index, b.p,
		    b.n);
		item_event(s, "response.output_item.done", index++, NULL, -1);
		buf_free(&b);
	}
	if (text->n > 0)
		stream_words(s, text, index++);
	for (; i >= 0; i = json_next(s->j, i))
		stream_call(s, i, index++);
	if (json_true(s->j, json_get(s->j, 0, "break")))
		return;
	open_event(end);
	emit_key(&out, "response");
	response(s, text);
	close_event(s, end);
}

static int
ends(const char *path, const char *with)
{
	size_t n = strlen(path), m = strlen(with);

	return n >= m && strcmp(path + n - m, with) == 0;
}

int
family_make(const struct source *s, const char *path, const struct buf *text,
    int streams)
{
	int messages = ends(path, "/messages");

	if (!messages && !ends(path, "/responses"))
		return 0;
	buf_reset(&out);
	if (streams && messages) {
		messages_stream(s, text);
	} else if (streams) {
		responses_stream(s, text);
	} else {
		if (messages)
			messages_whole(s, text);
		else
			response(s, text);
		buf_add(&s->a->out, out.p, out.n);
		answer_cut(s->a, 0);
	}
	return 1;
}
