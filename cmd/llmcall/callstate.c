#include <stdlib.h>
#include <string.h>

#include "callstate.h"
#include "diag.h"
#include "jsoncanon.h"
#include "shape.h"

struct call_options call_options = {
	.limits = {.connect = 10000,
	    .first = 300000,
	    .idle = 120000,
	    .progress = 300000,
	    .total = 1800000,
	    .bytes = (size_t)64 << 20},
	.retry = {.tries = 4, .max_wait = 60000, .base = 500, .cap = 16000},
	.textfd = -1};

void
call_take(struct call *c, const char *s, size_t n, size_t ntok)
{
	struct buf b = {0};

	buf_add(&c->request, s, n);
	json_tokens(&c->json, c->request.p, n, ntok);
	if (shape_request(&b, &c->json)) {
		buf_free(&c->request);
		c->request = b;
		if (json_parse(&c->json, b.p, b.n) < 0)
			die(EX_SOFTWARE, "a request with a schema is none");
	}
	buf_span(&c->id, json_span(&c->json, json_get(&c->json, 0, "id")));
	c->state = CALL_NEW;
}

const struct json *
call_request(const struct call *c)
{
	return c->adapted.ntok > 0 ? &c->adapted : &c->json;
}

void
call_text(const struct call *c, struct buf *b)
{
	const struct strs *hide = &call_options.hide;
	size_t i;

	jsoncanon_json(b, &c->json, 0);
	if (call_options.model != NULL)
		buf_puts(b, call_options.model);
	for (i = 0; i < hide->n; i++)
		buf_printf(b, "\n%s", hide->v[i]);
}

void
call_free(struct call *c)
{
	http_cancel(&c->http);
	json_free(&c->json);
	json_free(&c->longer);
	buf_free(&c->more);
	json_free(&c->adapted);
	buf_free(&c->other);
	holdback_free(&c->held);
	strs_free(&c->coerced);
	buf_free(&c->request);
	buf_free(&c->id);
	buf_free(&c->out);
	buf_free(&c->body);
	buf_free(&c->raw);
	buf_free(&c->url);
	buf_free(&c->tag);
	buf_free(&c->server);
	buf_free(&c->http.replies);
	strs_free(&c->hide);
	strs_free(&c->http.headers);
	sse_free(&c->sse);
	delta_free(&c->delta);
	fault_free(&c->fault);
	free(c->model);
	memset(c, 0, sizeof(*c));
}

void
call_over(struct call *c)
{
	c->state = CALL_OVER;
	c->moved(c);
}

void
call_pause(struct call *c, long long due)
{
	c->state = CALL_PAUSED;
	c->due = due;
	c->moved(c);
}
