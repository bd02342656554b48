#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "barred.h"
#include "body.h"
#include "brake.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "tidy.h"
#include "utf8.h"
#include "verdict.h"
#include "visible.h"

enum {
	PAUSES = 8, /* of a model, before it is given up */
	WORDS = 300, /* bytes of a refusal in an error's message */
	SPARED = 20, /* tries of a call that do not count */
	CUT_MIN = 1500 /* tokens, below which estimates say nothing */
};

/* A redirect is not followed: the key would go with it. */
static void
describe_move(struct call *c, struct buf *b)
{
	const char *to = http_header(&c->http, "location");
	const char *var = provider_str(c->provider, "base_url_env.0");

	buf_printf(b, "redirected to %s", to == NULL ? "nowhere" : to);
	if (var != NULL)
		buf_printf(b, "; set %s to where it is", var);
	else
		buf_printf(b, "; set base_url of providers/%s.yaml",
		    provider_name(c->provider));
}

/* What is wrong with an answer that can not be read. */
static const char *
unreadable(struct call *c)
{
	if (c->raw.n > 1 && memcmp(c->raw.p, "\x1f\x8b", 2) == 0) {
		fault_reset(&c->fault);
		return "the answer is compressed by gzip, unasked";
	}
	return "the answer is not what it should be";
}

/* One line for people: "429: rate_limit: slow down [req_1]". */
static void
describe(struct call *c, struct buf *b, const char *what)
{
	const char *id = answer_request_id(c);

	buf_reset(b);
	if (what != NULL)
		buf_printf(b, "%s: ", what);
	if (c->http.status != 0 && c->http.status / 100 != 2)
		buf_printf(b, "%d: ", c->http.status);
	if (c->http.status / 100 == 3)
		describe_move(c, b);
	else
		fault_say(&c->fault, b);
	if (b->n >= 2 && memcmp(b->p + b->n - 2, ": ", 2) == 0)
		b->n -= 2;
	if (c->http.end != HTTP_DONE && c->http.why != NULL) {
		if (b->n > 0)
			buf_puts(b, ": ");
		buf_puts(b, c->http.why);
	}
	if (b->n == 0)
		buf_puts(b, "an error of which nothing is told");
	if (id != NULL)
		buf_printf(b, " [%s]", id);
	provider_mask(b);
}

/*
 * One too many, or nobody there: all slow down.  1 if that does not count
 * as a try.
 */
static int
brake(struct call *c, long long wait)
{
	int shared = c->http.end == HTTP_CONNECT
	    ? brake_lost(c->number, clock_ms())
	    : brake_refused(c->number, wait, clock_ms());

	c->refused = 1;
	if (!shared || c->spared == SPARED)
		return 0;
	c->spared++;
	c->tries--;
	return 1;
}

/*
 * Wait and try again.  0 if this is not to be: tries or time used up, or
 * text was passed on already.  *wait is what the server asked for, or -1.
 */
static int
again(struct call *c, long long *wait, int atonce, const char *what)
{
	static struct buf b;
	const struct retry *r = &call_options.retry;
	long long ms, left;
	int spared = 0;

	*wait = retry_asked(&c->http, clock_now());
	if (*wait < 0)
		*wait = fault_wait(&c->fault);
	if (c->http.status == 429 || c->http.status == 529 || *wait > 0
	    || c->http.end == HTTP_CONNECT)
		spared = brake(c, *wait);
	if (c->any || c->tries > r->tries)
		return 0;
	ms = atonce ? 0 : *wait;
	if (ms < 0)
		ms = retry_backoff(r, c->tries, retry_random());
	left = call_options.limits.total;
	if (ms > r->max_wait
	    || (left > 0 && clock_ms() + ms >= c->began + left))
		return 0;
	describe(c, &b, what);
	if (spared)
		warn("%sagain in %.3g s: %s", answer_name(c),
		    (double)ms / 1000, buf_cstr(&b));
	else
		warn("%stry %d of %d in %.3g s: %s", answer_name(c),
		    c->tries + 1, r->tries + 1, (double)ms / 1000,
		    buf_cstr(&b));
	/* It is paid for, if the next one brings the answer. */
	answer_toll(c);
	if (delta_total(&c->delta).any)
		answer_usage(c);
	call_pause(c, clock_ms() + ms);
	return 1;
}

static const char broken[] = "the answer broke off";

/* Is the key or the quota refused, whatever the request is? */
static int
all_refused(const struct call *c)
{
	return c->http.status == 401 || c->http.status == 402
	    || c->http.end == HTTP_URL || c->http.end == HTTP_TRUST
	    || fault_is(&c->fault, "denied");
}

/* The call has failed for good: what came of it is partial. */
static void
give_up(struct call *c, int code, const char *what, long long wait)
{
	static struct buf b;

	describe(c, &b, what);
	if (wait >= 0)
		buf_printf(&b, "; try again in %lld s", (wait + 999) / 1000);
	if (c->any) {
		visible_end(c, 0);
		answer_message(c, 1, 0);
	}
	if (c->http.status / 100 == 2)
		answer_usage(c);
	/* Its own, or what follows would get the same. */
	if (code == EX_NOPERM || code == EX_CONFIG)
		barred_refused(c->model, code, buf_cstr(&b), all_refused(c));
	answer_fail(c, code, buf_cstr(&b), wait);
	call_over(c);
}

/* All that there is for all tries? */
static int
time_is_up(const struct call *c)
{
	long long total = call_options.limits.total;

	return total > 0 && clock_ms() >= c->began + total;
}

void
verdict_transport(struct call *c)
{
	long long wait;
	int code;

	switch (c->http.end) {
	case HTTP_LARGE: give_up(c, EX_PROTOCOL, NULL, -1); return;
	case HTTP_URL: give_up(c, EX_CONFIG, c->url.p, -1); return;
	case HTTP_TRUST: give_up(c, EX_NOPERM, NULL, -1); return;
	case HTTP_SLOW: code = EX_TEMPFAIL; break;
	default: code = EX_UNAVAILABLE;
	}
	if (c->any && !time_is_up(c))
		code = EX_PROTOCOL;
	if (!again(c, &wait, 0, NULL))
		give_up(c, code, c->any ? broken : NULL, -1);
}

/* There is an answer; what is wrong with it comes behind. */
static void
deliver(struct call *c, int code, const char *why)
{
	int partial = code == EXIT_LENGTH || code == EXIT_OVERFLOW;

	barred_answered(c->model);
	visible_end(c, !partial);
	answer_message(c, partial, 0);
	answer_usage(c);
	if (code != 0)
		answer_fail(c, code, why, -1);
	answer_record(c);
	call_over(c);
}

void
verdict_fault(struct call *c)
{
	int status = c->http.status, code, atonce = 0, retry;
	long long wait = -1;

	if (status / 100 == 2) {
		status = atoi(buf_cstr(&c->fault.code));
		if (status < 400 || status > 599)
			status = fault_is(&c->fault, "limited") ? 429
			    : fault_is(&c->fault, "passing")	? 500
								: 400;
	}
	retry = retry_status(
	    status, http_header(&c->http, "x-should-retry"));
	code = status == 401 || status == 403 ? EX_NOPERM
	    : status == 402 || status == 407	? EX_NOPERM
	    : status == 413			? EXIT_OVERFLOW
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
		if (tidy_refused(c)) {
			deliver(c, 0, NULL);
			return;
		}
		/* Once here; in other words, it is the turn's to try. */
		code = EX_PROTOCOL;
		retry = atonce = c->tries <= 1;
	} else if (status == 400 && !c->nooptions && c->streams
	    && fault_is(&c->fault, "stream_options")) {
		c->nooptions = retry = atonce = 1;
	}
	if (retry && again(c, &wait, atonce, NULL))
		return;
	/* What passes by itself is, behind text, like any cut there. */
	if (retry && c->any)
		give_up(c, EX_PROTOCOL, broken, wait);
	else
		give_up(c, code, NULL, retry ? wait : -1);
}

/*
 * The model made a pause and wants to be sent what it said, to go on.  1 if
 * that is done.
 */
static int
go_on(struct call *c)
{
	const struct json *j = call_request(c);
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
	call_pause(c, clock_ms());
	return 1;
}

/* Some servers cut off what does not fit into their window, unasked. */
static void
check_prompt(struct call *c)
{
	long long counted = delta_total(&c->delta).prompt, sent;

	if (counted < CUT_MIN || !provider_true(c->provider, "truncates"))
		return;
	sent = answer_estimate(c);
	if (sent * 2 > counted * 3)
		warn("%s%s read %lld tokens of about %lld: the prompt was cut "
		     "to its context window", answer_name(c),
		    provider_name(c->provider), counted, sent);
}

/*
 * "[DONE]" came, but no finish_reason before it.  A text is taken for whole
 * where nothing is known of the server; a call may lack its end.
 */
static void
judge_end(struct call *c)
{
	static int told;

	if (!c->done || c->delta.over || c->garbled)
		return;
	c->delta.over = c->delta.blank;
	if (c->delta.over || c->delta.ncalls > 0 || !(c->any || c->delta.content)
	    || provider_true(c->provider, "tells_finish"))
		return;
	c->delta.over = 1;
	if (told++ == 0)
		warn("%s%s: no finish_reason: taken for a whole answer",
		    answer_name(c), provider_name(c->provider));
}

/* With the model's words, on one line. */
static void
describe_refusal(const struct call *c, struct buf *b)
{
	const struct buf *s = c->delta.refusal.n > 0 ? &c->delta.refusal
						     : &c->delta.text;

	buf_puts(b, "the model refused");
	if (s->n == 0)
		return;
	buf_puts(b, ": ");
	buf_add(b, s->p, utf8_cut(s->p, s->n, WORDS));
}

void
verdict_answer(struct call *c)
{
	static struct buf why;
	const char *kind = fault_finish(buf_cstr(&c->delta.finish));
	const char *what;
	long long wait;
	int code = 0;

	judge_end(c);
	if (c->garbled || !c->delta.over) {
		what = c->garbled ? unreadable(c) : broken;
		/* What has not begun is not for others to try again. */
		if (!again(c, &wait, 0, what))
			give_up(c, c->any ? EX_PROTOCOL : EX_UNAVAILABLE,
			    what, -1);
		return;
	}
	if (kind != NULL && strcmp(kind, "failed") == 0) {
		what = "the model failed";
		if (!again(c, &wait, 0, what))
			give_up(c, c->any ? EX_PROTOCOL : EX_UNAVAILABLE,
			    what, -1);
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
	buf_reset(&why);
	if (code == 0) {
		tidy_calls(c);
		if (tidy_text(c, &why) < 0)
			code = EXIT_SCHEMA;
	} else {
		delta_close(&c->delta, body_calls(&c->json));
	}
	check_prompt(c);
	if (code == EXIT_REFUSED)
		describe_refusal(c, &why);
	deliver(c, code,
	    code == EXIT_LENGTH	    ? "the answer stopped at the length limit"
		: code == EXIT_OVERFLOW ? "the context window is full"
					: buf_cstr(&why));
}

