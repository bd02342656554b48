#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "api.h"
#include "batchanswer.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"

/* The three records that there may be of a call. */
struct records {
	struct json message, usage, error;
};

static void
sort_out(struct records *r, const struct call *c)
{
	static struct json j;
	const char *p = c->out.p, *end = p + c->out.n, *nl;
	struct json *to;

	r->message.ntok = r->usage.ntok = r->error.ntok = 0;
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (json_parse(&j, p, (size_t)(nl - p)) < 0)
			die(EX_SOFTWARE, "internal error: the record is not JSON");
		to = json_is(&j, json_get(&j, 0, "type"), "message")
		    ? &r->message
		    : json_is(&j, json_get(&j, 0, "type"), "usage")
		    ? &r->usage
		    : &r->error;
		json_parse(to, p, (size_t)(nl - p));
	}
}

static void
copy(struct buf *b, const struct json *j, const char *from, const char *to)
{
	int i = json_get(j, 0, from);

	if (i < 0)
		return;
	emit_pairj(b, to, json_span(j, i));
}

static void
put_usage(struct buf *b, const struct json *u)
{
	long long in = 0, out = 0;

	if (json_int(u, json_get(u, 0, "prompt_tokens"), &in) < 0
	    || json_int(u, json_get(u, 0, "completion_tokens"), &out) < 0)
		return;
	emit_key(b, "usage");
	emit_open(b, '{');
	emit_pairi(b, "prompt_tokens", in);
	emit_pairi(b, "completion_tokens", out);
	emit_pairi(b, "total_tokens", in + out);
	if (json_get(u, 0, "cached_tokens") >= 0) {
		emit_key(b, "prompt_tokens_details");
		emit_open(b, '{');
		copy(b, u, "cached_tokens", "cached_tokens");
		emit_close(b, '}');
	}
	if (json_get(u, 0, "reasoning_tokens") >= 0) {
		emit_key(b, "completion_tokens_details");
		emit_open(b, '{');
		copy(b, u, "reasoning_tokens", "reasoning_tokens");
		emit_close(b, '}');
	}
	emit_close(b, '}');
}

static const char *
finish(struct call *c, const struct json *m)
{
	if (c->reply.finish.n > 0)
		return buf_cstr(&c->reply.finish);
	if (c->code == EXIT_LENGTH)
		return "length";
	if (c->code == EXIT_REFUSED)
		return "content_filter";
	return json_get(m, 0, "tool_calls") >= 0 ? "tool_calls" : "stop";
}

static void
put_completion(struct buf *b, struct call *c, const struct records *r,
    unsigned long long key)
{
	const struct json *m = &r->message;
	int k;

	emit_open(b, '{');
	emit_key(b, "id");
	buf_printf(b, "\"chatcmpl-%016llx\"", key);
	emit_pair(b, "object", "chat.completion");
	emit_pairi(b, "created", (long long)clock_now());
	if (c->reply.model.n > 0)
		emit_pairn(b, "model", c->reply.model.p, c->reply.model.n);
	else
		copy(b, &r->usage, "model", "model");
	emit_key(b, "choices");
	emit_open(b, '[');
	emit_open(b, '{');
	emit_pairi(b, "index", 0);
	emit_key(b, "message");
	emit_open(b, '{');
	for (k = json_first(m, 0); k >= 0; k = json_next(m, k)) {
		if (json_is(m, k, "type") || json_is(m, k, "id")
		    || json_is(m, k, "tp"))
			continue;
		emit_member(b, m, k);
	}
	emit_close(b, '}');
	emit_pair(b, "finish_reason", finish(c, m));
	emit_close(b, '}');
	emit_close(b, ']');
	put_usage(b, &r->usage);
	emit_close(b, '}');
}

/* As the server sent it, on one line. */
static int
put_whole(struct buf *b, const struct call *c)
{
	static struct json j;
	size_t i;

	if (c->net.form == BODY_STREAM || c->net.raw.n == 0 ||
	    c->request.api == NULL ||
	    strcmp(c->request.api->name, "chat") != 0 ||
	    json_parse(&j, c->net.raw.p, c->net.raw.n) < 0)
		return 0;
	/* No string has a line end in it. */
	emit_span(b, json_span(&j, 0));
	for (i = b->n - json_span(&j, 0).n; i < b->n; i++)
		if (b->p[i] == '\n' || b->p[i] == '\r')
			b->p[i] = ' ';
	return 1;
}

static void
put_fault(struct buf *b, const struct call *c, const struct json *e)
{
	const struct apierror *f = &c->error;

	emit_open(b, '{');
	emit_key(b, "error");
	emit_open(b, '{');
	if (f->message.n > 0)
		emit_pairn(b, "message", f->message.p, f->message.n);
	else
		copy(b, e, "message", "message");
	if (f->type.n > 0)
		emit_pairn(b, "type", f->type.p, f->type.n);
	if (f->code.n > 0)
		emit_pairn(b, "code", f->code.p, f->code.n);
	emit_close(b, '}');
	emit_close(b, '}');
}

/* The answer of a server; what came of a call that got none is an error. */
static int
answered(const struct call *c, const struct records *r)
{
	if (c->code == 0 || c->code == EXIT_REFUSED || c->code == EXIT_LENGTH
	    || c->code == EXIT_OVERFLOW || c->code == EXIT_SCHEMA)
		return r->message.ntok > 0;
	return 0;
}

static void
put_response(struct buf *b, struct call *c, const struct records *r,
    unsigned long long key)
{
	int ok = answered(c, r), status = c->net.http.status;

	emit_key(b, "response");
	if (!ok && (status == 0 || status / 100 == 2)) {
		emit_null(b);
		return;
	}
	emit_open(b, '{');
	emit_pairi(b, "status_code", ok || status == 0 ? 200 : status);
	emit_pair(b, "request_id", answer_request_id(c));
	emit_key(b, "body");
	if (!ok)
		put_fault(b, c, &r->error);
	else if (!put_whole(b, c))
		put_completion(b, c, r, key);
	emit_close(b, '}');
}

void
batchanswer_put(struct call *c, unsigned long long key)
{
	static struct records r;
	struct buf b = {NULL, 0, 0};

	sort_out(&r, c);
	emit_open(&b, '{');
	emit_key(&b, "id");
	buf_printf(&b, "\"batch_req_%016llx\"", key);
	emit_key(&b, "custom_id");
	if (c->request.id.n > 0)
		emit_raw(&b, c->request.id.p, c->request.id.n);
	else
		emit_null(&b);
	put_response(&b, c, &r, key);
	emit_key(&b, "error");
	if (answered(c, &r) || (c->net.http.status != 0
		&& c->net.http.status / 100 != 2)) {
		emit_null(&b);
	} else {
		emit_open(&b, '{');
		emit_key(&b, "code");
		buf_printf(&b, "\"%d\"", c->code);
		copy(&b, &r.error, "message", "message");
		emit_close(&b, '}');
	}
	emit_close(&b, '}');
	provider_hide(&b);
	buf_putc(&b, '\n');
	buf_free(&c->out);
	c->out = b;
}
