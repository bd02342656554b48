#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "call.h"
#include "clock.h"
#include "diag.h"
#include "family.h"
#include "gate.h"
#include "mend.h"
#include "price.h"
#include "probe.h"
#include "shape.h"
#include "verdict.h"
#include "visible.h"

enum { LAST_MS = 1000 }; /* for the end of a stream that said it is over */

/* Read one event's data, mended if it is not quite JSON.  0, or -1. */
static int
parse(struct call *c, struct json *j, const char *p, size_t n)
{
	static struct buf b;

	if (json_parse(j, p, n) == 0)
		return 0;
	buf_reset(&b);
	if (mend_halves(&b, p, n) > 0)
		c->delta.halves = 1;
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
	visible_show(c);
}

static void
on_event(void *arg, const char *type, const char *data, size_t n)
{
	static struct json j;
	struct call *c = arg;

	if (n >= 6 && memcmp(data, "[DONE]", 6) == 0) {
		/* Of nothing it is no end; after the end nothing counts. */
		c->done = (c->any || c->delta.content) && c->family->done;
		c->sse.stop = c->done || c->delta.over;
		http_last(&c->http, LAST_MS);
		return;
	}
	if (parse(c, &j, data, n) < 0) {
		/* Some servers put bare text where the error should be. */
		c->garbled = 1;
		if (strcmp(type, "error") == 0) {
			fault_body(&c->fault, data, n);
			c->failed = 1;
		}
	} else {
		/* What failed has its usage too, and may end a text. */
		if (fault_in(&j)) {
			fault_read(&c->fault, &j);
			c->failed = 1;
		} else if (strcmp(type, "error") == 0) {
			fault_body(&c->fault, data, n);
			c->failed = 1;
		}
		heard(c, c->family->event(&c->delta, type, &j));
		if (c->delta.last)
			http_last(&c->http, LAST_MS);
	}
	if (c->failed || c->garbled) {
		c->sse.stop = 1;
		http_last(&c->http, 0);
	}
}

/*
 * Is it a stream of events, whatever was asked for?  The type says so; where
 * servers get that wrong, the beginning: JSON is none, and a field is one.
 */
static int
is_stream(const struct http *h, const char *p, size_t n)
{
	static const char *const fields[] = {
		":", "data:", "event:", "id:", "retry:"};
	static const char type[] = "text/event-stream";
	const char *s = http_header(h, "content-type");
	size_t i, len;

	if (memchr("{[<", *p, 3) != NULL)
		return 0;
	if (s != NULL && strncasecmp(s, type, sizeof(type) - 1) == 0)
		return 1;
	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		len = strlen(fields[i]);
		if (memcmp(p, fields[i], n < len ? n : len) == 0)
			return 1;
	}
	return 0;
}

static void
on_data(struct http *h, const char *p, size_t n)
{
	struct call *c = h->arg;

	for (; !c->sniffed && n > 0; p++, n--) {
		/* Blanks and a byte order mark say nothing. */
		if (memchr(" \t\r\n\xef\xbb\xbf", *p, 7) != NULL)
			continue;
		c->sniffed = 1;
		c->streaming = h->status / 100 == 2 && is_stream(h, p, n);
		break;
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
	c->sniffed = c->streaming = c->failed = c->garbled = c->refused = 0;
	c->done = 0;
	if (c->goneon == 0) {
		c->any = 0;
		c->first = 0;
		visible_begin(c);
	}
	buf_reset(&c->body);
	c->family->body(&c->body, c->provider, c->rest,
	    c->goneon ? &c->longer : call_request(c),
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

static void
on_done(struct http *h)
{
	static struct json j;
	struct call *c = h->arg;

	/* What says no need not say all of it. */
	if (h->end != HTTP_DONE && h->status < 300
	    && !(c->failed || c->done || c->delta.over)) {
		delta_settle(&c->delta);
		verdict_transport(c);
		return;
	}
	if (h->status / 100 != 2) {
		fault_body(&c->fault, c->raw.p, c->raw.n);
		verdict_fault(c);
		return;
	}
	if (c->streaming) {
		sse_end(&c->sse);
	} else if (parse(c, &j, c->raw.p, c->raw.n) < 0) {
		fault_body(&c->fault, c->raw.p, c->raw.n);
		c->garbled = 1;
	} else {
		if (fault_in(&j)) {
			fault_read(&c->fault, &j);
			c->failed = 1;
		}
		heard(c, c->family->whole(&c->delta, &j));
	}
	delta_settle(&c->delta);
	if (c->failed)
		verdict_fault(c);
	else
		verdict_answer(c);
}

/* The bytes, with the key masked. */
static void
dry_run(struct call *c)
{
	struct buf *b = &c->out;
	size_t i;

	c->family->body(&c->body, c->provider, c->rest, call_request(c),
	    c->streams,
	    1);
	buf_printf(b, "POST %s\n", buf_cstr(&c->url));
	for (i = 0; i < c->http.headers.n; i++)
		buf_printf(b, "%s\n", c->http.headers.v[i]);
	provider_mask(b);
	buf_putc(b, '\n');
	buf_add(b, c->body.p, c->body.n);
	buf_putc(b, '\n');
}

/* A model that was named alone is one of its provider's. */
static void
name_provider(struct call *c)
{
	struct buf b = {NULL, 0, 0};
	size_t n;

	buf_printf(&b, "%s/", provider_name(c->provider));
	n = b.n;
	buf_puts(&b, c->model);
	free(c->model);
	c->model = buf_cstr(&b);
	c->rest = c->model + n;
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
		probe_why(&why);
		answer_fail(c, why.n > 0 ? EX_UNAVAILABLE : EX_CONFIG,
		    why.n > 0 ? buf_cstr(&why)
			      : "no model: name one with -m, TURNPIPE_MODEL or "
				"model in settings.yaml", -1);
		free(own);
		return -1;
	}
	c->model = xstrdup(model);
	free(own);
	c->provider = provider_for(c->model, &c->rest);
	if (c->provider == NULL) {
		if (c->model[strcspn(c->model, "/")] == '/')
			buf_printf(&why, "model '%s': no such provider '%.*s'; "
			    "'sharefind -l providers' lists them", c->model,
			    (int)strcspn(c->model, "/"), c->model);
		else
			buf_printf(&why, "model '%s': expected PROVIDER/MODEL; "
			    "'sharefind -l providers' lists the providers",
			    c->model);
		answer_fail(c, EX_CONFIG, buf_cstr(&why), -1);
		return -1;
	}
	api = provider_str(c->provider, "api");
	c->family = family_named(api == NULL ? "chat" : api);
	if (c->family == NULL) {
		buf_printf(&why, "providers/%s.yaml: no api '%s'",
		    provider_name(c->provider), api);
		answer_fail(c, EX_CONFIG, buf_cstr(&why), -1);
		return -1;
	}
	if (provider_key(c->provider, &c->key, &why) < 0
	    && !call_options.dry) {
		answer_fail(c, EX_NOPERM, buf_cstr(&why), -1);
		return -1;
	}
	if (c->rest == c->model)
		name_provider(c);
	if (shape_adapt(&c->other, &c->json, c->provider, c->rest)
	    && json_parse(&c->adapted, c->other.p, c->other.n) < 0)
		die(EX_SOFTWARE, "a request with a schema in it is none");
	price_open(c->model);
	buf_printf(&c->url, "%s%s", provider_base(c->provider),
	    c->family->path);
	return 0;
}

void
call_prepare(struct call *c)
{
	struct buf h = {NULL, 0, 0};

	c->began = clock_ms();
	visible_begin(c);
	if (resolve(c) < 0) {
		call_over(c);
		return;
	}
	c->streams = !call_options.whole_body
	    && json_kind(&c->json, json_get(&c->json, 0, "stream"))
		!= JSON_FALSE;
	provider_headers(c->provider, c->key, call_options.dry,
	    &c->http.headers);
	buf_printf(&c->tag, "turnpipe-%016llx",
	    (unsigned long long)(retry_random() * 1.8446744073709550e19));
	buf_printf(&h, "X-Client-Request-Id: %s", buf_cstr(&c->tag));
	if (!call_options.dry)
		strs_add(&c->http.headers, buf_cstr(&h));
	buf_free(&h);
	if (call_options.dry) {
		dry_run(c);
		call_over(c);
		return;
	}
	c->state = CALL_READY;
}

void
call_step(struct call *c)
{
	if (c->state == CALL_READY)
		c->began = clock_ms();
	attempt(c);
}

void
call_interrupt(struct call *c)
{
	if (c->state != CALL_OPEN)
		return;
	http_cancel(&c->http);
	delta_settle(&c->delta);
	if (c->any) {
		visible_end(c, 0);
		answer_message(c, 1, 1);
		answer_usage(c);
	}
	c->state = CALL_OVER;
}
