#include <stdlib.h>
#include <string.h>

#include "callstate.h"

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
	buf_add(&c->request, s, n);
	json_tokens(&c->json, c->request.p, n, ntok);
	buf_span(&c->id, json_span(&c->json, json_get(&c->json, 0, "id")));
	c->state = CALL_NEW;
}

void
call_free(struct call *c)
{
	http_cancel(&c->http);
	json_free(&c->json);
	json_free(&c->longer);
	buf_free(&c->more);
	buf_free(&c->request);
	buf_free(&c->id);
	buf_free(&c->out);
	buf_free(&c->body);
	buf_free(&c->raw);
	buf_free(&c->url);
	buf_free(&c->tag);
	buf_free(&c->server);
	buf_free(&c->http.replies);
	strs_reset(&c->http.headers);
	free(c->http.headers.v);
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
