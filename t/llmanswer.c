#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "llmanswer.h"
#include "llmfamily.h"

long long
answer_number(const struct json *j, int i, const char *key, long long dflt)
{
	long long v;

	return json_int(j, json_get(j, i, key), &v) < 0 ? dflt : v;
}

int
answer_has_body(const struct json *line)
{
	static const char *const keys[] = {
	    "body", "chunks", "events", "text", "calls", "thinking"};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (json_get(line, 0, keys[i]) >= 0)
			return 1;
	return 0;
}

/* What was added since the last piece is the next one. */
void
answer_cut(struct answer *a, long long delay)
{
	grow(&a->v, &a->cap, a->n, sizeof(*a->v));
	a->v[a->n].end = a->out.n;
	a->v[a->n++].delay = delay;
}

void
answer_event(const struct source *s, const char *name, const char *data, size_t n)
{
	struct buf *b = &s->a->out;

	if (name != NULL)
		buf_printf(b, "event: %s\n", name);
	buf_puts(b, "data: ");
	buf_add(b, data, n);
	buf_puts(b, "\n\n");
	answer_cut(s->a, answer_number(s->j, 0, "delay_ms", 0));
}

static void
events(const struct source *s, int list)
{
	struct buf text = {0};
	struct span value;
	char *name;
	int i;

	for (i = json_first(s->j, list); i >= 0; i = json_next(s->j, i)) {
		buf_reset(&text);
		if (json_str(s->j, i, &text) < 0) {
			value = json_span(s->j, i);
			buf_span(&text, value);
		}
		name = json_dup(s->j, json_get(s->j, i, "type"));
		answer_event(s, name, text.p, text.n);
		free(name);
	}
	buf_free(&text);
}

static void
base64(struct buf *b, const char *p)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkl"
				     "mnopqrstuvwxyz0123456789+/";
	unsigned long v = 0;
	const char *d;
	int bits = 0;

	for (; *p != '\0' && (d = strchr(digits, *p)) != NULL; p++) {
		v = (v << 6 | (unsigned long)(d - digits)) & 0xffff;
		if ((bits += 6) >= 8) {
			bits -= 8;
			buf_putc(b, (int)(v >> bits & 0xff));
		}
	}
}

static void
chunks(const struct source *s, int list)
{
	long long delay = answer_number(s->j, 0, "delay_ms", 0);
	char *b64;
	int i;

	for (i = json_first(s->j, list); i >= 0; i = json_next(s->j, i)) {
		json_str(s->j, json_get(s->j, i, "data"), &s->a->out);
		b64 = json_dup(s->j, json_get(s->j, i, "b64"));
		if (b64 != NULL)
			base64(&s->a->out, b64);
		free(b64);
		answer_cut(s->a, answer_number(s->j, i, "delay_ms", delay));
	}
}

int
answer_copy(struct buf *b, const struct json *j, int i, const char *key,
    const char *as)
{
	i = json_get(j, i, key);
	if (i < 0)
		return -1;
	emit_key(b, as);
	emit_span(b, json_span(j, i));
	return 0;
}

static void
usage_pair(struct buf *b, const struct json *j)
{
	if (answer_copy(b, j, 0, "usage", "usage") == 0)
		return;
	emit_key(b, "usage");
	emit_open(b, '{');
	emit_pairi(b, "prompt_tokens", 10);
	emit_pairi(b, "completion_tokens", 5);
	emit_pairi(b, "total_tokens", 15);
	emit_close(b, '}');
}

static void
finish_pair(struct buf *b, const struct json *j)
{
	int calls = json_get(j, 0, "calls");

	if (answer_copy(b, j, 0, "finish", "finish_reason") < 0)
		emit_pair(
		    b, "finish_reason", calls < 0 ? "stop" : "tool_calls");
}

/* Begin the answer, or a chunk of it, up to its choices. */
static void
head(struct buf *b, const struct source *s, const char *object)
{
	emit_open(b, '{');
	emit_key(b, "id");
	buf_printf(b, "\"chatcmpl-%lu\"", s->k);
	emit_pair(b, "object", object);
	emit_pairi(b, "created", 1700000000);
	if (answer_copy(b, s->j, 0, "model", "model") < 0 &&
	    answer_copy(b, s->req, 0, "model", "model") < 0)
		emit_pair(b, "model", "test");
	emit_key(b, "choices");
	emit_open(b, '[');
}

static void
chunk_open(struct buf *b, const struct source *s)
{
	buf_reset(b);
	head(b, s, "chat.completion.chunk");
}

static void
delta_open(struct buf *b, const struct source *s)
{
	chunk_open(b, s);
	buf_puts(b, "{\"index\":0,\"delta\":{");
}

static void
delta_close(struct buf *b, const struct source *s)
{
	buf_puts(b, "},\"finish_reason\":null}]}");
	answer_event(s, NULL, b->p, b->n);
}

/* The arguments of a call: a string's text, or the value as text. */
void
answer_arguments(struct buf *b, const struct json *j, int call)
{
	int i = json_get(j, call, "arguments");

	buf_reset(b);
	if (i < 0)
		buf_puts(b, "{}");
	else if (json_str(j, i, b) < 0)
		buf_span(b, json_span(j, i));
}

/* Open in a call what stands before its arguments. */
static void
call_head(struct buf *b, const struct json *j, int call)
{
	answer_copy(b, j, call, "id", "id");
	emit_pair(b, "type", "function");
	emit_key(b, "function");
	emit_open(b, '{');
	answer_copy(b, j, call, "name", "name");
}

/* Length of s up to and with a blank. */
size_t
answer_word(const char *s, size_t n)
{
	const char *p = memchr(s, ' ', n);

	return p == NULL ? n : (size_t)(p - s) + 1;
}

/* Length of want bytes of s and the rest of a character. */
size_t
answer_slice(const char *s, size_t n, size_t want)
{
	while (want < n && ((unsigned char)s[want] & 0xc0) == 0x80)
		want++;
	return want < n ? want : n;
}

static void
stream_call(const struct source *s, struct buf *b, int call, int index)
{
	struct buf args = {0};
	size_t at, n;

	delta_open(b, s);
	buf_printf(b, "\"tool_calls\":[{\"index\":%d", index);
	call_head(b, s->j, call);
	emit_pair(b, "arguments", "");
	buf_puts(b, "}}]");
	delta_close(b, s);
	answer_arguments(&args, s->j, call);
	for (at = 0; at < args.n; at += n) {
		n = answer_slice(args.p + at, args.n - at, args.n / 3 + 1);
		delta_open(b, s);
		buf_printf(b, "\"tool_calls\":[{\"index\":%d,\"function\":{",
		    index);
		emit_pairn(b, "arguments", args.p + at, n);
		buf_puts(b, "}}]");
		delta_close(b, s);
	}
	buf_free(&args);
}

static void
stream_end(const struct source *s, struct buf *b)
{
	int ask = json_at(s->req, 0, "stream_options.include_usage");

	chunk_open(b, s);
	buf_puts(b, "{\"index\":0,\"delta\":{}");
	finish_pair(b, s->j);
	buf_puts(b, "}]}");
	answer_event(s, NULL, b->p, b->n);
	/* Unasked only when the script says so: some servers do. */
	if (json_true(s->req, ask) || json_get(s->j, 0, "usage") >= 0) {
		chunk_open(b, s);
		emit_close(b, ']');
		usage_pair(b, s->j);
		emit_close(b, '}');
		answer_event(s, NULL, b->p, b->n);
	}
	answer_event(s, NULL, "[DONE]", 6);
}

static void
stream(const struct source *s, const struct buf *text)
{
	struct buf b = {0};
	size_t at, n;
	int i, index = 0;

	delta_open(&b, s);
	buf_puts(&b, "\"role\":\"assistant\",\"content\":\"\"");
	delta_close(&b, s);
	if (json_get(s->j, 0, "thinking") >= 0) {
		delta_open(&b, s);
		answer_copy(&b, s->j, 0, "thinking", "reasoning_content");
		delta_close(&b, s);
	}
	for (at = 0; at < text->n; at += n) {
		n = answer_word(text->p + at, text->n - at);
		delta_open(&b, s);
		emit_pairn(&b, "content", text->p + at, n);
		delta_close(&b, s);
	}
	i = json_first(s->j, json_get(s->j, 0, "calls"));
	for (; i >= 0; i = json_next(s->j, i))
		stream_call(s, &b, i, index++);
	if (!json_true(s->j, json_get(s->j, 0, "break")))
		stream_end(s, &b);
	buf_free(&b);
}

static void
whole(const struct source *s, const struct buf *text)
{
	struct buf *b = &s->a->out, args = {0};
	int i = json_first(s->j, json_get(s->j, 0, "calls"));

	head(b, s, "chat.completion");
	buf_puts(b, "{\"index\":0,\"message\":{\"role\":\"assistant\"");
	emit_key(b, "content");
	if (text->n > 0 || i < 0)
		emit_str(b, text->p, text->n);
	else
		emit_null(b);
	answer_copy(b, s->j, 0, "thinking", "reasoning_content");
	if (i >= 0) {
		emit_key(b, "tool_calls");
		emit_open(b, '[');
		for (; i >= 0; i = json_next(s->j, i)) {
			emit_open(b, '{');
			call_head(b, s->j, i);
			answer_arguments(&args, s->j, i);
			emit_pairn(b, "arguments", args.p, args.n);
			buf_puts(b, "}}");
		}
		emit_close(b, ']');
	}
	emit_close(b, '}');
	finish_pair(b, s->j);
	buf_puts(b, "}]");
	usage_pair(b, s->j);
	emit_close(b, '}');
	answer_cut(s->a, 0);
	buf_free(&args);
}

void
answer_make(struct answer *a, const struct json *line, const struct json *req,
    const char *path, unsigned long k)
{
	const struct source s = {a, line, req, k};
	int streams = json_true(req, json_get(req, 0, "stream"));
	struct buf text = {0};
	int i;

	if ((i = json_get(line, 0, "chunks")) >= 0) {
		a->type = ANSWER_SSE;
		chunks(&s, i);
	} else if ((i = json_get(line, 0, "events")) >= 0) {
		a->type = ANSWER_SSE;
		events(&s, i);
	} else if ((i = json_get(line, 0, "body")) >= 0) {
		a->type = ANSWER_TEXT;
		if (json_str(line, i, &a->out) < 0) {
			a->type = ANSWER_JSON;
			buf_span(&a->out, json_span(line, i));
		}
		answer_cut(a, 0);
	} else if (answer_has_body(line)) {
		json_str(line, json_get(line, 0, "text"), &text);
		a->type = streams ? ANSWER_SSE : ANSWER_JSON;
		if (family_make(&s, path, &text, streams))
			;
		else if (streams)
			stream(&s, &text);
		else
			whole(&s, &text);
		buf_free(&text);
	}
}

void
answer_error(struct answer *a, const char *message)
{
	a->type = ANSWER_JSON;
	emit_open(&a->out, '{');
	emit_key(&a->out, "error");
	emit_open(&a->out, '{');
	emit_pair(&a->out, "message", message);
	emit_pair(&a->out, "type", "llmserver");
	buf_puts(&a->out, "}}");
	answer_cut(a, 0);
}

void
answer_free(struct answer *a)
{
	buf_free(&a->out);
	free(a->v);
	memset(a, 0, sizeof(*a));
}
