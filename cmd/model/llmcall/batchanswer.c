#include <string.h>

#include "answer.h"
#include "api.h"
#include "batchanswer.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"

static void
put_count(struct buf *b, const char *in, const char *name, long long n)
{
	if (n < 0)
		return;
	emit_key(b, in);
	emit_open(b, '{');
	emit_pairi(b, name, n);
	emit_close(b, '}');
}

static void
put_usage(struct buf *b, const struct reply *r)
{
	struct usage u = reply_total(r);
	const long long *n = u.n;

	if (usage_tokens(&u) < 0)
		return;
	emit_key(b, "usage");
	emit_open(b, '{');
	emit_pairi(b, "prompt_tokens", n[USAGE_PROMPT]);
	emit_pairi(b, "completion_tokens", n[USAGE_COMPLETION]);
	emit_pairi(b, "total_tokens", usage_tokens(&u));
	put_count(b, "prompt_tokens_details", "cached_tokens",
	    n[USAGE_CACHED]);
	put_count(b, "completion_tokens_details", "reasoning_tokens",
	    n[USAGE_REASONING]);
	emit_close(b, '}');
}

static const char *
finish(struct call *c)
{
	if (c->reply.finish.n > 0)
		return buf_cstr(&c->reply.finish);
	if (c->code == EXIT_LENGTH)
		return "length";
	if (c->code == EXIT_REFUSED)
		return "content_filter";
	return c->reply.ncalls > 0 ? "tool_calls" : "stop";
}

static void
put_completion(struct buf *b, struct call *c, unsigned long long key)
{
	emit_open(b, '{');
	emit_key(b, "id");
	buf_printf(b, "\"chatcmpl-%016llx\"", key);
	emit_pair(b, "object", "chat.completion");
	emit_pairi(b, "created", (long long)clock_now());
	if (c->reply.model.n > 0)
		emit_pairn(b, "model", c->reply.model.p, c->reply.model.n);
	else
		emit_pair(b, "model", c->request.model);
	emit_key(b, "choices");
	emit_open(b, '[');
	emit_open(b, '{');
	emit_pairi(b, "index", 0);
	emit_key(b, "message");
	emit_open(b, '{');
	reply_put(&c->reply, b);
	emit_close(b, '}');
	emit_pair(b, "finish_reason", finish(c));
	emit_close(b, '}');
	emit_close(b, ']');
	put_usage(b, &c->reply);
	emit_close(b, '}');
}

/* As the server sent it, on one line. */
static int
put_whole(struct buf *b, const struct call *c)
{
	static struct json j;

	if (c->net.form == BODY_STREAM || c->net.raw.n == 0 ||
	    c->request.api == NULL ||
	    strcmp(c->request.api->name, "chat") != 0 ||
	    json_parse(&j, c->net.raw.p, c->net.raw.n) < 0)
		return 0;
	emit_compact(b, json_span(&j, 0));
	return 1;
}

/* The message of the error record, the last one. */
static void
put_why(struct buf *b, const struct call *c)
{
	static struct json j;
	const char *p = c->out.p + c->out.n - 1;

	while (p > c->out.p && p[-1] != '\n')
		p--;
	if (json_parse(&j, p, (size_t)(c->out.p + c->out.n - p)) < 0)
		die(EX_SOFTWARE, "internal error: the record is not JSON");
	emit_pairj(b, "message", json_span(&j, json_get(&j, 0, "message")));
}

static void
put_fault(struct buf *b, const struct call *c)
{
	const struct apierror *f = &c->error;

	emit_open(b, '{');
	emit_key(b, "error");
	emit_open(b, '{');
	if (f->message.n > 0)
		emit_pairn(b, "message", f->message.p, f->message.n);
	else
		put_why(b, c);
	if (f->type.n > 0)
		emit_pairn(b, "type", f->type.p, f->type.n);
	if (f->code.n > 0)
		emit_pairn(b, "code", f->code.p, f->code.n);
	emit_close(b, '}');
	emit_close(b, '}');
}

/* The answer of a server; what came of a call that got none is an error. */
static int
answered(const struct call *c)
{
	if (c->code == 0 || c->code == EXIT_REFUSED || c->code == EXIT_LENGTH
	    || c->code == EXIT_OVERFLOW || c->code == EXIT_SCHEMA)
		return c->said;
	return 0;
}

static void
put_response(struct buf *b, struct call *c, unsigned long long key)
{
	int ok = answered(c), status = c->net.http.status;

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
		put_fault(b, c);
	else if (!put_whole(b, c))
		put_completion(b, c, key);
	emit_close(b, '}');
}

void
batchanswer_put(struct call *c, unsigned long long key)
{
	struct buf b = {NULL, 0, 0};

	emit_open(&b, '{');
	emit_key(&b, "id");
	buf_printf(&b, "\"batch_req_%016llx\"", key);
	emit_key(&b, "custom_id");
	if (c->request.id.n > 0)
		emit_raw(&b, c->request.id.p, c->request.id.n);
	else
		emit_null(&b);
	put_response(&b, c, key);
	emit_key(&b, "error");
	if (answered(c) || (c->net.http.status != 0
		&& c->net.http.status / 100 != 2)) {
		emit_null(&b);
	} else {
		emit_open(&b, '{');
		emit_key(&b, "code");
		buf_printf(&b, "\"%d\"", c->code);
		put_why(&b, c);
		emit_close(&b, '}');
	}
	emit_close(&b, '}');
	provider_hide(&b);
	buf_putc(&b, '\n');
	buf_free(&c->out);
	c->out = b;
}
