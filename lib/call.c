#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "answer.h"
#include "body.h"
#include "call.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "family.h"
#include "gate.h"
#include "mend.h"
#include "price.h"
#include "probe.h"
#include "replay.h"

enum {
	LAST_MS = 1000, /* for the end of a stream that said it is over */
	PAUSES = 8	/* of a model, before it is given up */
};

struct call_options call_options;

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

static void
over(struct call *c)
{
	c->state = CALL_OVER;
	c->over(c);
}

static void
fail(struct call *c, int code, const char *msg, long long wait)
{
	static struct buf m;

	buf_reset(&m);
	buf_puts(&m, msg);
	provider_mask(&m);
	warn("%s", buf_cstr(&m));
	answer_error(c, code, &m, wait);
	c->code = code;
}

/* The text goes on as it comes; what can not be written there is let go. */
static void
show(struct call *c)
{
	struct buf *t = &c->delta.text;
	ssize_t w;

	if (call_options.deltas && t->n > c->shown)
		answer_delta(c, c->shown);
	while (call_options.textfd >= 0 && c->shown < t->n) {
		c->passed = 1;
		w = write(call_options.textfd, t->p + c->shown,
		    t->n - c->shown);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0) {
			warn_sys("write text");
			call_options.textfd = -1;
			break;
		}
		c->shown += (size_t)w;
	}
	c->shown = t->n;
}

/* Read one event's data, mended if it is not quite JSON.  0, or -1. */
static int
parse(struct json *j, const char *p, size_t n)
{
	static struct buf b;

	if (json_parse(j, p, n) == 0)
		return 0;
	buf_reset(&b);
	mend_text(&b, p, n);
	return json_parse(j, b.p, b.n);
}

static void
heard(struct call *c, int any)
{
	if (!any)
		return;
	if (c->first == 0)
		c->first = clock_ms();
	c->any = 1;
	http_progress(&c->http);
	show(c);
}

static void
on_event(void *arg, const char *type, const char *data, size_t n)
{
	static struct json j;
	struct call *c = arg;

	if (n >= 6 && memcmp(data, "[DONE]", 6) == 0) {
		c->delta.over = 1;
		http_last(&c->http, LAST_MS);
		return;
	}
	if (parse(&j, data, n) < 0) {
		/* Some servers put bare text where the error should be. */
		c->garbled = 1;
		if (strcmp(type, "error") == 0) {
			fault_body(&c->fault, data, n);
			c->failed = 1;
		}
	} else if (fault_in(&j)) {
		fault_read(&c->fault, &j);
		c->failed = 1;
	} else {
		heard(c, c->family->event(&c->delta, type, &j));
		if (c->delta.last)
			http_last(&c->http, LAST_MS);
	}
	if (c->failed || c->garbled) {
		c->sse.stop = 1;
		http_last(&c->http, 0);
	}
}

/* Is the answer a stream of events, whatever was asked for? */
static int
isstream(const struct call *c, const char *p, size_t n)
{
	const char *type = http_header(&c->http, "content-type");
	size_t i;

	if (c->http.status / 100 != 2)
		return 0;
	if (type != NULL && strncasecmp(type, "text/event-stream", 17) == 0)
		return 1;
	if (type != NULL && strncasecmp(type, "application/json", 16) == 0)
		return 0;
	for (i = 0; i < n && strchr(" \t\r\n", p[i]) != NULL; i++)
		continue;
	return i < n && p[i] != '{' && p[i] != '[' && p[i] != '<';
}

static void
on_data(struct http *h, const char *p, size_t n)
{
	struct call *c = h->arg;

	if (!c->sniffed) {
		c->sniffed = 1;
		c->streaming = isstream(c, p, n);
	}
	if (!c->streaming)
		buf_add(&c->raw, p, n);
	else if (sse_feed(&c->sse, p, n) < 0)
		c->garbled = 1;
}

static void on_done(struct http *h);

static void
attempt(struct call *c)
{
	buf_reset(&c->raw);
	sse_reset(&c->sse);
	if (c->goneon == 0)
		delta_reset(&c->delta);
	c->delta.api = c->family->name;
	c->delta.provider = provider_name(c->provider);
	c->delta.asked = c->rest;
	fault_reset(&c->fault);
	c->sse.max = call_options.limits.bytes;
	c->sse.event = on_event;
	c->sse.arg = c;
	c->sniffed = c->streaming = c->failed = c->garbled = 0;
	if (c->goneon == 0) {
		c->any = 0;
		c->shown = 0;
		c->first = 0;
	}
	buf_reset(&c->body);
	c->family->body(&c->body, c->provider, c->rest,
	    c->goneon ? &c->longer : &c->json,
	    c->streams, !c->nooptions);
	c->http.url = buf_cstr(&c->url);
	c->http.body = (struct span){c->body.p, c->body.n};
	c->http.data = on_data;
	c->http.done = on_done;
	c->http.arg = c;
	c->limits = call_options.limits;
	if (c->limits.total > 0) {
		/* One clock over all tries. */
		c->limits.total -= clock_ms() - c->began;
		if (c->limits.total < 1)
			c->limits.total = 1;
	}
	c->http.limits = &c->limits;
	c->state = CALL_OPEN;
	c->tries++;
	http_start(&c->http);
}

/* One line for people: "429: rate_limit: slow down [req_1]". */
static void
describe(struct call *c, struct buf *b)
{
	const char *id = answer_request_id(c);

	if (c->http.status != 0 && c->http.status / 100 != 2)
		buf_printf(b, "%d: ", c->http.status);
	fault_say(&c->fault, b);
	if (b->n >= 2 && memcmp(b->p + b->n - 2, ": ", 2) == 0)
		b->n -= 2;
	if (c->http.end != HTTP_DONE && c->http.why != NULL) {
		if (b->n > 0)
			buf_puts(b, ": ");
		buf_puts(b, c->http.why);
	}
	if (id != NULL)
		buf_printf(b, " [%s]", id);
	provider_mask(b);
}

/*
 * Wait and try again.  0 if this is not to be: tries or time used up, or
 * text was passed on already.  *wait is what the server asked for, or -1.
 */
static int
again(struct call *c, long long *wait, int atonce)
{
	static struct buf b;
	const struct retry *r = &call_options.retry;
	long long ms, left;

	*wait = retry_asked(&c->http, clock_now());
	if (*wait < 0)
		*wait = fault_wait(&c->fault);
	if (c->passed || c->any || c->tries > r->tries)
		return 0;
	ms = atonce ? 0 : *wait;
	if (ms < 0)
		ms = retry_backoff(r, c->tries, retry_random());
	left = call_options.limits.total;
	if (ms > r->max_wait
	    || (left > 0 && clock_ms() + ms >= c->began + left))
		return 0;
	buf_reset(&b);
	describe(c, &b);
	warn("try %d of %d in %.3g s: %s", c->tries + 1, r->tries + 1,
	    (double)ms / 1000, buf_cstr(&b));
	c->state = CALL_PAUSED;
	c->due = clock_ms() + ms;
	return 1;
}

/* The call has failed for good: what came of it is partial. */
static void
give_up(struct call *c, int code, const char *what, long long wait)
{
	static struct buf b;

	buf_reset(&b);
	if (what != NULL)
		buf_printf(&b, "%s: ", what);
	describe(c, &b);
	if (b.n >= 2 && memcmp(b.p + b.n - 2, ": ", 2) == 0)
		b.n -= 2;
	if (wait >= 0)
		buf_printf(&b, "; try again in %lld s", (wait + 999) / 1000);
	if (c->any)
		answer_message(c, 1, 0);
	if (c->http.status / 100 == 2)
		answer_usage(c);
	fail(c, code, buf_cstr(&b), wait);
	over(c);
}

/* No usable answer: the connection, or the time, was the trouble. */
static void
judge_transport(struct call *c)
{
	long long wait;
	int code;

	switch (c->http.end) {
	case HTTP_LARGE: give_up(c, EX_PROTOCOL, NULL, -1); return;
	case HTTP_URL: give_up(c, EX_CONFIG, c->url.p, -1); return;
	case HTTP_TRUST: give_up(c, EX_NOPERM, NULL, -1); return;
	case HTTP_SLOW: code = EX_TEMPFAIL; break;
	case HTTP_CONNECT: code = EX_UNAVAILABLE; break;
	default: code = c->any ? EX_PROTOCOL : EX_UNAVAILABLE;
	}
	if (!again(c, &wait, 0))
		give_up(c, code, c->any ? "the answer broke off" : NULL, -1);
}

/* An error in words, with a status of its own or at status 200. */
static void
judge_fault(struct call *c)
{
	int status = c->http.status, code, atonce = 0, retry;
	long long wait = -1;

	if (status / 100 == 2) {
		status = atoi(buf_cstr(&c->fault.code));
		if (status < 400 || status > 599)
			status = fault_is(&c->fault, "passing") ? 500 : 400;
	}
	retry = retry_status(
	    status, http_header(&c->http, "x-should-retry"));
	code = status == 401 || status == 403 ? EX_NOPERM
	    : status == 402			? EX_NOPERM
	    : status == 404 || status / 100 == 3 ? EX_CONFIG
	    : status == 429 || status == 408 || status == 409
	    || status == 425 || status == 498	 ? EX_TEMPFAIL
	    : status >= 500			 ? EX_UNAVAILABLE
	    : c->http.status / 100 == 2		 ? EX_PROTOCOL
						 : EX_DATAERR;
	if (code != EX_NOPERM && status != 429
	    && fault_is(&c->fault, "overflow")) {
		code = EXIT_OVERFLOW;
		retry = 0;
	} else if (fault_is(&c->fault, "denied")) {
		code = EX_NOPERM;
		retry = 0;
	} else if (fault_is(&c->fault, "refused")) {
		code = EXIT_REFUSED;
		retry = 0;
	} else if (fault_is(&c->fault, "tool_use")) {
		retry = atonce = 1;
	} else if (status == 400 && !c->nooptions && c->streams
	    && fault_is(&c->fault, "stream_options")) {
		c->nooptions = retry = atonce = 1;
	}
	if (retry && again(c, &wait, atonce))
		return;
	give_up(c, code, NULL, retry ? wait : -1);
}

/*
 * The model made a pause and wants to be sent what it said, to go on.  1 if
 * that is done.
 */
static int
go_on(struct call *c)
{
	const struct json *j = &c->json;
	struct span list = json_span(j, json_get(j, 0, "messages"));
	struct buf *b = &c->more;

	if (list.n < 2 || c->goneon == PAUSES)
		return 0;
	buf_reset(b);
	buf_add(b, j->s, (size_t)(list.p + list.n - 1 - j->s));
	emit_open(b, '{');
	delta_put(&c->delta, b);
	emit_close(b, '}');
	buf_add(b, list.p + list.n - 1,
	    j->n - (size_t)(list.p + list.n - 1 - j->s));
	if (json_parse(&c->longer, b->p, b->n) < 0)
		return 0;
	delta_more(&c->delta);
	c->goneon++;
	c->state = CALL_PAUSED;
	c->due = clock_ms();
	return 1;
}

/* An answer came: is it whole, and is it one? */
static void
judge_answer(struct call *c)
{
	const char *kind = fault_finish(buf_cstr(&c->delta.finish));
	long long wait;
	int code = 0;

	if (c->garbled || !c->delta.over) {
		if (!again(c, &wait, 0))
			give_up(c, EX_PROTOCOL,
			    c->garbled ? "the answer is not what it should be"
				       : "the answer broke off",
			    -1);
		return;
	}
	if (kind != NULL && strcmp(kind, "failed") == 0) {
		if (!again(c, &wait, 0))
			give_up(c, EX_UNAVAILABLE, "the model failed", -1);
		return;
	}
	if (kind != NULL && strcmp(kind, "paused") == 0) {
		if (!go_on(c))
			give_up(c, EX_TEMPFAIL, "the model made a pause", -1);
		return;
	}
	if (kind != NULL && strcmp(kind, "length") == 0)
		code = EXIT_LENGTH;
	else if (kind != NULL && strcmp(kind, "overflow") == 0)
		code = EXIT_OVERFLOW;
	else if (c->delta.refusal.n > 0 || kind != NULL)
		code = EXIT_REFUSED;
	delta_close(&c->delta, body_calls(&c->json));
	answer_message(c, code == EXIT_LENGTH || code == EXIT_OVERFLOW, 0);
	answer_usage(c);
	if (code == EXIT_LENGTH)
		fail(c, code, "the answer stopped at the length limit", -1);
	else if (code == EXIT_OVERFLOW)
		fail(c, code, "the context window is full", -1);
	else if (code == EXIT_REFUSED)
		fail(c, code, "the model refused", -1);
	replay_record(c);
	over(c);
}

static void
on_done(struct http *h)
{
	static struct json j;
	struct call *c = h->arg;

	if (h->end != HTTP_DONE && !(c->failed || c->delta.over)) {
		judge_transport(c);
		return;
	}
	if (h->status / 100 != 2) {
		fault_body(&c->fault, c->raw.p, c->raw.n);
		judge_fault(c);
		return;
	}
	if (c->streaming) {
		sse_end(&c->sse);
	} else if (parse(&j, c->raw.p, c->raw.n) < 0) {
		fault_body(&c->fault, c->raw.p, c->raw.n);
		c->garbled = 1;
	} else if (fault_in(&j)) {
		fault_read(&c->fault, &j);
		c->failed = 1;
	} else {
		heard(c, c->family->whole(&c->delta, &j));
	}
	if (c->failed)
		judge_fault(c);
	else
		judge_answer(c);
}

/* The bytes, with the key masked. */
static void
dry_run(struct call *c)
{
	struct buf *b = &c->out;
	size_t i;

	c->family->body(&c->body, c->provider, c->rest, &c->json, c->streams,
	    1);
	buf_printf(b, "POST %s\n", buf_cstr(&c->url));
	for (i = 0; i < c->http.headers.n; i++)
		buf_printf(b, "%s\n", c->http.headers.v[i]);
	provider_mask(b);
	buf_putc(b, '\n');
	buf_add(b, c->body.p, c->body.n);
	buf_putc(b, '\n');
}

/* Who serves it, where, and with which key.  0, or -1 after fail. */
static int
resolve(struct call *c)
{
	static struct buf why;
	const char *api;
	char *own = json_dup(&c->json, json_get(&c->json, 0, "model"));
	const char *model = call_options.model;

	if (model == NULL)
		model = own != NULL && *own != '\0' ? own : probe_model();
	buf_reset(&why);
	if (model == NULL) {
		fail(c, EX_CONFIG,
		    "no model: name one with -m or TURNPIPE_MODEL", -1);
		free(own);
		return -1;
	}
	c->model = xstrdup(model);
	free(own);
	c->provider = provider_for(c->model, &c->rest);
	if (c->provider == NULL) {
		buf_printf(&why, "model '%s': expected PROVIDER/MODEL",
		    c->model);
		fail(c, EX_CONFIG, buf_cstr(&why), -1);
		return -1;
	}
	api = provider_str(c->provider, "api");
	c->family = family_named(api == NULL ? "chat" : api);
	if (c->family == NULL) {
		buf_printf(&why, "providers/%s.yaml: no api '%s'",
		    provider_name(c->provider), api);
		fail(c, EX_CONFIG, buf_cstr(&why), -1);
		return -1;
	}
	if (provider_key(c->provider, &c->key, &why) < 0
	    && !call_options.dry) {
		fail(c, EX_NOPERM, buf_cstr(&why), -1);
		return -1;
	}
	price_open(c->model);
	buf_printf(&c->url, "%s%s", provider_base(c->provider),
	    c->family->path);
	return 0;
}

static void
start(struct call *c)
{
	struct buf h = {NULL, 0, 0};

	c->began = clock_ms();
	if (replay_play(c)) {
		show(c);
		over(c);
		return;
	}
	if (resolve(c) < 0) {
		over(c);
		return;
	}
	c->streams = !call_options.whole_body
	    && json_kind(&c->json, json_get(&c->json, 0, "stream"))
		!= JSON_FALSE;
	provider_headers(c->provider,
	    call_options.dry && c->key != NULL ? "***" : c->key,
	    &c->http.headers);
	buf_printf(&c->tag, "turnpipe-%016llx",
	    (unsigned long long)(retry_random() * 1.8446744073709550e19));
	buf_printf(&h, "X-Client-Request-Id: %s", buf_cstr(&c->tag));
	if (!call_options.dry)
		strs_add(&c->http.headers, buf_cstr(&h));
	buf_free(&h);
	if (call_options.dry) {
		dry_run(c);
		over(c);
		return;
	}
	attempt(c);
}

void
call_step(struct call *c)
{
	if (c->state == CALL_NEW)
		start(c);
	else if (c->state == CALL_PAUSED)
		attempt(c);
}

void
call_interrupt(struct call *c)
{
	if (c->state != CALL_OPEN)
		return;
	http_cancel(&c->http);
	if (c->any) {
		answer_message(c, 1, 1);
		answer_usage(c);
	}
	c->state = CALL_OVER;
}
