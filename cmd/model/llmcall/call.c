#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "barred.h"
#include "batchline.h"
#include "call.h"
#include "clock.h"
#include "coerce.h"
#include "concurrency.h"
#include "diag.h"
#include "discover.h"
#include "emit.h"
#include "encode.h"
#include "jsoncanon.h"
#include "jsonrepair.h"
#include "model.h"
#include "outschema.h"
#include "price.h"
#include "remedy.h"
#include "textcalls.h"
#include "utf8.h"
#include "waiting.h"

enum {
	REST_MS = 2000, /* for what follows a finish reason */
	LAST_MS = 1000, /* for the end of a stream that said it is over */
	PAUSES = 8,	/* of a model, before it is given up */
	WORDS = 300,	/* bytes of a refusal in an error's message */
	SPARED = 20,	/* tries of a call that do not count */
	CUT_MIN = 1500,	/* tokens, below which estimates say nothing */
	LONG_WAIT = 5000 /* ms until the next try, which a turn shows */
};

static const char broken[] = "the answer broke off";

struct call_options call_options = {
	.limits = {.connect = 10000,
	    .first = 300000,
	    .idle = 120000,
	    .progress = 300000,
	    .total = 1800000,
	    .bytes = (size_t)64 << 20},
	.retry = {.tries = 4, .max_wait = 60000, .base = 500, .cap = 16000}};

/* The models by name: those of -m, else the request's. */
static void
name_models(struct call *c)
{
	const char *m = call_options.model;
	char *own = json_dup(
	    &c->request.json, json_get(&c->request.json, 0, "model"));

	if (m == NULL)
		m = own;
	if (m != NULL && *m != '\0')
		model_split(&c->request.models, m);
	free(own);
}

const struct provider *call_hopeless;

void
call_take(struct call *c, const struct rec *r)
{
	struct buf b = {0}, *text = &c->request.record;

	if (r->type == REC_UNTYPED) {
		batchline_request(text, r);
		if (json_parse(&c->request.json, text->p, text->n) < 0)
			die(EX_SOFTWARE, "internal error: a text part is not a "
			    "text");
	} else {
		batchline_check(r, 0);
		record_keep(r, text);
		json_tokens(&c->request.json, text->p, text->n, r->ntok);
	}
	if (outschema_request(&b, &c->request.json)) {
		buf_free(&c->request.record);
		c->request.record = b;
		if (json_parse(&c->request.json, b.p, b.n) < 0)
			die(EX_SOFTWARE, "internal error: "
			    "request invalid after adding the schema");
	}
	buf_span(&c->request.id,
	    json_span(&c->request.json, json_get(&c->request.json, 0, "id")));
	name_models(c);
	c->state = CALL_NEW;
}

/* The request as its provider takes it. */
static const struct json *
adapted_request(const struct call *c)
{
	return c->request.adapted.ntok > 0 ? &c->request.adapted
					   : &c->request.json;
}

void
call_salt(struct buf *b)
{
	if (call_options.model != NULL)
		buf_puts(b, call_options.model);
}

void
call_text(const struct call *c, struct buf *b)
{
	jsoncanon_json(b, &c->request.json, 0);
	call_salt(b);
}

void
call_free(struct call *c)
{
	struct call_request *r = &c->request;
	struct call_transport *t = &c->net;

	http_cancel(&t->http);
	buf_free(&t->http.replies);
	strs_free(&t->http.headers);
	sse_free(&t->sse);
	buf_free(&t->body);
	buf_free(&t->raw);
	json_free(&r->json);
	json_free(&r->adapted);
	buf_free(&r->adapted_text);
	buf_free(&r->record);
	buf_free(&r->id);
	buf_free(&r->url);
	free(r->model);
	strs_free(&r->models);
	reply_free(&c->reply);
	apierror_free(&c->error);
	display_free(&c->display);
	json_free(&c->continued_request);
	buf_free(&c->continued_text);
	strs_free(&c->coerced);
	buf_free(&c->out);
	memset(c, 0, sizeof(*c));
}

void
call_over(struct call *c)
{
	c->state = CALL_OVER;
	waiting_end();
	c->on_state(c);
}

/* A pause until due. */
static void
pause_call(struct call *c, long long due)
{
	c->state = CALL_PAUSED;
	c->due = due;
	c->on_state(c);
}

/*
 * An answer that came whole, brought to what its request asked for: calls
 * that leaked into its text rescued, their arguments of the types that the
 * tools want, its text of the form that was asked for.
 */

/* What was changed is noted as "ID.path", but not of calls that were text. */
static void
coerce_call(struct call *c, struct reply_call *k)
{
	static struct json j;
	static struct buf b, name;
	static struct strs paths;
	int t = tooldef_named(&c->request.json, buf_view(&k->name));
	size_t i;

	if (t < 0 || json_parse(&j, k->args.p, k->args.n) < 0)
		return;
	buf_reset(&b);
	strs_reset(&paths);
	if (json_kind(&j, 0) == JSON_NULL) {
		buf_puts(&b, "{}");
		strs_add(&paths, "");
	} else if (coerce(&b, tooldef_schema(&c->request.json, t), &j, 0,
		       &paths) == 0)
		return;
	buf_reset(&k->args);
	buf_span(&k->args, buf_view(&b));
	for (i = 0; i < paths.n && c->rescued == NULL; i++) {
		buf_reset(&name);
		buf_span(&name, buf_view(&k->id));
		buf_puts(&name, paths.v[i]);
		strs_add(&c->coerced, buf_cstr(&name));
	}
}

static void
settle_calls(struct call *c)
{
	size_t i;

	reply_close(&c->reply, encode_calls(&c->request.json));
	for (i = 0; i < c->reply.ncalls; i++)
		coerce_call(c, &c->reply.call[i]);
}

/* Rescue, give ids, coerce. */
static void
tidy_calls(struct call *c)
{
	struct reply *d = &c->reply;

	if (d->ncalls == 0 && textcalls_expected(&c->request.json)) {
		c->rescued =
		    textcalls_take(d, &c->request.json, buf_view(&d->text));
		if (c->rescued != NULL)
			display_drop(&c->display, &c->reply);
	}
	settle_calls(c);
}

/*
 * The same of the call that a provider refused and sent back, perhaps after
 * text: is there one?
 */
static int
tidy_refused(struct call *c)
{
	if (c->reply.ncalls > 0 || !textcalls_expected(&c->request.json))
		return 0;
	c->rescued = textcalls_take(&c->reply, &c->request.json,
	    buf_view(&c->error.generation));
	if (c->rescued == NULL)
		return 0;
	settle_calls(c);
	return 1;
}

/* 0, or -1 with why if the text does not fit the schema asked for. */
static int
tidy_text(struct call *c, struct buf *why)
{
	struct reply *d = &c->reply;
	struct span bare;
	struct buf b = {0};
	int r;

	if (d->ncalls > 0)
		return 0;
	display_end(&c->display, &c->reply, 1);
	r = outschema_check(&c->request.json, buf_view(&d->text), &bare, why);
	if (bare.n < d->text.n) {
		blocks_keep(&d->blocks, (size_t)(bare.p - d->text.p), bare.n);
		buf_span(&b, bare);
		buf_reset(&d->text);
		buf_span(&d->text, buf_view(&b));
		buf_free(&b);
	}
	return r;
}

/* A redirect is not followed: the key would go with it. */
static void
describe_move(struct call *c, struct buf *b)
{
	const char *to = http_header(&c->net.http, "location");
	const char *var = provider_str(c->request.provider, "base_url_env.0");

	buf_printf(b, "redirected to %s", to == NULL ? "nowhere" : to);
	if (var != NULL)
		buf_printf(b, "; set %s to where it is", var);
	else
		buf_printf(b, "; set base_url of providers/%s.yaml",
		    provider_name(c->request.provider));
}

/* What is wrong with an answer that cannot be read. */
static const char *
describe_garbled(struct call *c)
{
	if (c->net.raw.n > 1 && memcmp(c->net.raw.p, "\x1f\x8b", 2) == 0) {
		apierror_reset(&c->error);
		return "the answer is compressed by gzip, which was not requested";
	}
	return "the answer is malformed";
}

/* One line for people: "429: rate_limit: slow down [req_1]". */
static void
describe(struct call *c, struct buf *b, const char *what)
{
	const char *id = answer_request_id(c);

	buf_reset(b);
	if (what != NULL)
		buf_printf(b, "%s: ", what);
	if (c->net.http.status != 0 && c->net.http.status / 100 != 2)
		buf_printf(b, "%d: ", c->net.http.status);
	if (c->net.http.status / 100 == 3)
		describe_move(c, b);
	else
		apierror_say(&c->error, b);
	if (b->n >= 2 && memcmp(b->p + b->n - 2, ": ", 2) == 0)
		b->n -= 2;
	if (c->net.http.end != HTTP_DONE && c->net.http.why != NULL) {
		if (b->n > 0)
			buf_puts(b, ": ");
		buf_puts(b, c->net.http.why);
	}
	if (b->n == 0)
		buf_puts(b, "an error without details");
	if (id != NULL)
		buf_printf(b, " [%s]", id);
	provider_mask(b);
}

/* With the model's words, on one line. */
static void
describe_refusal(const struct call *c, struct buf *b)
{
	const struct buf *s = c->reply.refusal.n > 0 ? &c->reply.refusal
						     : &c->reply.text;

	if (c->end == END_FILTERED) {
		buf_printf(b, "%s's filter stopped the answer (%.*s)",
		    provider_name(c->request.provider),
		    (int)c->reply.finish.n, c->reply.finish.p);
		return;
	}
	buf_puts(b, "the model refused");
	if (s->n == 0)
		return;
	buf_puts(b, ": ");
	buf_add(b, s->p, utf8_cut(s->p, s->n, WORDS));
}

/* The part of the reply that is printed. */
enum part { PART_NONE, PART_WHOLE, PART_PARTIAL, PART_INTERRUPTED };

/* The call's last records.  code 0: it has not failed. */
static void
put_answer(struct call *c, enum part part, int usage, int code,
    const char *why, long long wait)
{
	if (part != PART_NONE) {
		display_end(&c->display, &c->reply, part == PART_WHOLE);
		answer_message(c, part != PART_WHOLE,
		    part == PART_INTERRUPTED);
	}
	if (usage)
		answer_usage(c);
	if (code != 0)
		answer_fail(c, code, why, wait);
}

/* There is an answer; what is wrong with it comes after it. */
static void
deliver(struct call *c, enum part part, int code, const char *why)
{
	barred_answered(c->request.model);
	put_answer(c, part, 1, code, why, -1);
	call_over(c);
}

/* Is the key or the quota refused, whatever the request is? */
static int
all_refused(const struct call *c)
{
	return c->net.http.status == 401 || c->net.http.status == 402
	    || c->net.http.end == HTTP_URL || c->net.http.end == HTTP_TRUST
	    || apierror_is(&c->error, "denied")
	    || apierror_is(&c->error, "unpaid");
}

/* Has the time limit for all tries passed? */
static int
time_is_up(const struct call *c)
{
	long long total = call_options.limits.total;

	return total > 0 && clock_ms() >= c->began + total;
}

/* Try another model only if no output was shown. */
static int
wants_another(const struct call *c, int code)
{
	return (code == EX_UNAVAILABLE || code == EX_TEMPFAIL) && !c->got_output
	    && c->continuations == 0 && !time_is_up(c);
}

/* The call has failed for good: the answer so far is partial. */
static void
give_up(struct call *c, int code, const char *what, long long wait)
{
	static struct buf b;

	describe(c, &b, what);
	if (!c->stored && wants_another(c, code)
	    && call_another(c, buf_cstr(&b)))
		return;
	if (wait >= 0)
		buf_printf(&b, "; try again in %lld s", (wait + 999) / 1000);
	/* Its own, or what follows would get the same. */
	if (!c->stored && (code == EX_NOPERM || code == EX_CONFIG))
		barred_refused(c->request.model, code, buf_cstr(&b),
		    all_refused(c), call_options.retry.max_wait);
	put_answer(c, c->got_output ? PART_PARTIAL : PART_NONE,
	    c->net.http.status / 100 == 2, code, buf_cstr(&b), wait);
	call_over(c);
}

/*
 * Rate-limited or unreachable: slow all calls down.  1 if that does not count
 * as a try.
 */
static int
slow_down(struct call *c, long long wait)
{
	long long now = clock_ms();
	int hope = concurrency_hopeless(now) == 0;
	int shared = c->net.http.end == HTTP_CONNECT
	    ? concurrency_lost(c->number, now)
	    : concurrency_refused(c->number, wait, now);

	if (hope && concurrency_hopeless(now) > 0)
		call_hopeless = c->request.provider;
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
try_again(struct call *c, long long *wait, int atonce, const char *what)
{
	static struct buf b;
	const struct retry *r = &call_options.retry;
	long long ms, left;
	int spared = 0;

	*wait = -1;
	if (c->stored)
		return 0;
	*wait = retry_asked(&c->net.http, clock_now());
	if (*wait < 0)
		*wait = apierror_wait(&c->error);
	if (c->net.http.status == 429 || c->net.http.status == 529 || *wait > 0
	    || c->net.http.end == HTTP_CONNECT)
		spared = slow_down(c, *wait);
	if (c->got_output || c->tries > r->tries)
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
	else if (ms >= LONG_WAIT || !remedy_isbrief())
		warn("%stry %d of %d in %.3g s: %s", answer_name(c),
		    c->tries + 1, r->tries + 1, (double)ms / 1000,
		    buf_cstr(&b));
	/* It is paid for, if the next one brings the answer. */
	answer_toll(c);
	if (reply_total(&c->reply).any)
		answer_usage(c);
	pause_call(c, clock_ms() + ms);
	return 1;
}

/* The same, or the end: a try that cannot count as an answer. */
static void
retry_or_give_up(struct call *c, int code, const char *what)
{
	long long wait;

	if (!try_again(c, &wait, 0, what))
		give_up(c, code, what, -1);
}

static void
end_cut(struct call *c)
{
	long long wait;
	int code;

	switch (c->net.http.end) {
	case HTTP_LARGE: give_up(c, EX_PROTOCOL, NULL, -1); return;
	case HTTP_URL: give_up(c, EX_CONFIG, c->request.url.p, -1); return;
	case HTTP_TRUST: give_up(c, EX_NOPERM, NULL, -1); return;
	case HTTP_SLOW: code = EX_TEMPFAIL; break;
	default: code = EX_UNAVAILABLE;
	}
	if (c->got_output && !time_is_up(c))
		code = EX_PROTOCOL;
	if (!try_again(c, &wait, 0, NULL))
		give_up(c, code, c->got_output ? broken : NULL, -1);
}

/*
 * The status of an error, also of one that came at 200.  In a stream bare
 * words that are not known are a fault of the server's, which had taken the
 * request.
 */
static int
error_status(struct call *c)
{
	const struct apierror *e = &c->error;
	int status = c->net.http.status;

	if (status / 100 != 2)
		return status;
	status = atoi(buf_cstr(&c->error.code));
	if (status >= 400 && status <= 599)
		return status;
	return apierror_is(e, "limited") ? 429
	    : apierror_is(e, "passing") ? 500
	    : e->bare && c->net.form == BODY_STREAM
	    && !apierror_is(e, "message") ? 500
					  : 400;
}

/* Is a key or a permission refused, or money asked for? */
static int
is_denied(int status)
{
	return status == 401 || status == 402 || status == 403
	    || status == 407;
}

/*
 * The exit status that an error's words say, which is the same at each try;
 * or 0.
 */
static int
said_code(const struct call *c, int status)
{
	const struct apierror *e = &c->error;

	if (apierror_is(e, "above_limit")
	    || (!is_denied(status) && status != 429
		&& apierror_is(e, "overflow")))
		return EXIT_OVERFLOW;
	if (apierror_is(e, "denied") || apierror_is(e, "unpaid"))
		return EX_NOPERM;
	if (apierror_is(e, "refused"))
		return EXIT_REFUSED;
	return !is_denied(status) && !retry_status(status, NULL)
		&& apierror_is(e, "message")
	    ? EX_DATAERR : 0;
}

/* That of a call that ends with this status. */
static int
status_code(const struct call *c, int status)
{
	return is_denied(status)		  ? EX_NOPERM
	    : status == 413			  ? EXIT_OVERFLOW
	    : status == 404 || status / 100 == 3  ? EX_CONFIG
	    : status == 429 || status == 408 || status == 409
	    || status == 425 || status == 498	  ? EX_TEMPFAIL
	    : status >= 500			  ? EX_UNAVAILABLE
	    : c->net.http.status / 100 == 2	  ? EX_PROTOCOL
						  : EX_DATAERR;
}

static void
end_error(struct call *c)
{
	int status = error_status(c), said = said_code(c, status);
	int code = said != 0 ? said : status_code(c, status);
	int atonce = 0, retry;
	long long wait = -1;

	retry = retry_status(
	    status, http_header(&c->net.http, "x-should-retry"));
	if (said != 0) {
		retry = 0;
	} else if (apierror_is(&c->error, "tool_use")) {
		if (tidy_refused(c)) {
			deliver(c, PART_WHOLE, 0, NULL);
			return;
		}
		/* Once here; in other words, it is the turn's to try. */
		code = EX_PROTOCOL;
		retry = atonce = c->tries <= 1;
	} else if (status == 400 && !c->nooptions && c->request.streams
	    && apierror_is(&c->error, "stream_options")) {
		c->nooptions = retry = atonce = 1;
	}
	if (retry && try_again(c, &wait, atonce, NULL))
		return;
	/* What passes by itself is, after text, like any cut there. */
	if (retry && c->got_output)
		give_up(c, EX_PROTOCOL, broken, wait);
	else
		give_up(c, code, NULL, retry ? wait : -1);
}

/*
 * The model made a pause and wants to be sent what it said, to go on.  1 if
 * that is done.
 */
static int
continue_paused(struct call *c)
{
	const struct json *j = adapted_request(c);
	struct span list = json_span(j, json_get(j, 0, "messages"));
	struct buf *b = &c->continued_text;

	if (list.n < 2 || c->continuations == PAUSES || c->stored)
		return 0;
	buf_reset(b);
	buf_add(b, j->s, (size_t)(list.p + list.n - 1 - j->s));
	emit_open(b, '{');
	reply_put(&c->reply, b);
	emit_close(b, '}');
	buf_add(b, list.p + list.n - 1,
	    j->n - (size_t)(list.p + list.n - 1 - j->s));
	if (json_parse(&c->continued_request, b->p, b->n) < 0)
		return 0;
	reply_more(&c->reply);
	c->continuations++;
	pause_call(c, clock_ms());
	return 1;
}

/* Some servers cut off what does not fit into their window, unasked. */
static void
check_prompt(struct call *c)
{
	long long counted = reply_total(&c->reply).n[USAGE_PROMPT], sent;

	if (counted < CUT_MIN ||
	    !provider_true(c->request.provider, "truncates"))
		return;
	sent = answer_estimate(c);
	if (sent * 2 > counted * 3)
		warn("%s%s read %lld tokens of about %lld: the prompt was cut "
		     "to its context window", answer_name(c),
		    provider_name(c->request.provider), counted, sent);
}

static void
end_answer(struct call *c)
{
	static struct buf why;
	static int warned;
	const struct reply *r = &c->reply;
	int code = 0;

	if (!r->over && !r->blank && warned++ == 0)
		warn("%s%s: no finish_reason: taken as complete",
		    answer_name(c), provider_name(c->request.provider));
	buf_reset(&why);
	if (c->end == END_WHOLE) {
		tidy_calls(c);
		if (tidy_text(c, &why) < 0)
			code = EXIT_SCHEMA;
	} else {
		reply_close(&c->reply, encode_calls(&c->request.json));
	}
	check_prompt(c);
	switch (c->end) {
	case END_LENGTH:
		deliver(c, PART_PARTIAL, EXIT_LENGTH,
		    "the answer stopped at the length limit");
		return;
	case END_OVERFLOW:
		deliver(c, PART_PARTIAL, EXIT_OVERFLOW,
		    "the context window is full");
		return;
	case END_REFUSED:
		code = EXIT_REFUSED;
		describe_refusal(c, &why);
		break;
	case END_FILTERED:
		describe_refusal(c, &why);
		deliver(c, c->got_output ? PART_PARTIAL : PART_WHOLE,
		    EXIT_REFUSED, buf_cstr(&why));
		return;
	default: break;
	}
	deliver(c, PART_WHOLE, code, buf_cstr(&why));
}

/* Act on how the try ended: an answer, another try, or a failure. */
static void
finish_try(struct call *c)
{
	int code = c->got_output ? EX_PROTOCOL : EX_UNAVAILABLE;

	switch (c->end) {
	case END_NONE: break;
	case END_CUT: end_cut(c); break;
	case END_ERROR: end_error(c); break;
	/*
	 * No byte came: exit 69, so that the driver does not retry what we
	 * have retried.
	 */
	case END_GARBLED:
		retry_or_give_up(c, code, describe_garbled(c));
		break;
	case END_UNFINISHED: retry_or_give_up(c, code, broken); break;
	case END_FAILED:
		retry_or_give_up(c, code, "the model failed");
		break;
	case END_PAUSED:
		if (!continue_paused(c))
			give_up(c, EX_TEMPFAIL, "the model made a pause", -1);
		break;
	case END_LENGTH:
	case END_OVERFLOW:
	case END_REFUSED:
	case END_FILTERED:
	case END_WHOLE: end_answer(c); break;
	}
}

/* Did the connection end before the answer?  What says no may be cut. */
static int
is_cut(const struct call *c)
{
	return c->net.http.end != HTTP_DONE && c->net.http.status < 300
	    && !(c->end == END_ERROR || c->net.done || c->reply.over);
}

/*
 * Is the answer over?  With "[DONE]" and no finish_reason before it, a text
 * is where nothing is known of the server; a call may lack its end.
 */
static int
is_over(const struct call *c)
{
	const struct reply *r = &c->reply;

	if (r->over || !c->net.done)
		return r->over;
	return r->blank
	    || (r->ncalls == 0 && (c->got_output || r->content)
		&& !provider_true(c->request.provider, "tells_finish"));
}

/* How the try ended, when all that came has been read. */
static enum call_end
classify_end(struct call *c)
{
	const char *kind = apierror_finish(buf_cstr(&c->reply.finish));

	if (c->end != END_NONE)
		return c->end;
	if (!is_over(c))
		return END_UNFINISHED;
	if (kind == NULL) {
		warn("%s%s: the answer ended with '%s', which is not known",
		    answer_name(c), provider_name(c->request.provider),
		    buf_cstr(&c->reply.finish));
		c->odd_end = 1;
		if (c->reply.ncalls > 0)
			return END_UNFINISHED;
		kind = "end";
	}
	if (strcmp(kind, "end") == 0)
		return c->reply.refusal.n > 0 ? END_REFUSED : END_WHOLE;
	return strcmp(kind, "failed") == 0   ? END_FAILED
	    : strcmp(kind, "paused") == 0    ? END_PAUSED
	    : strcmp(kind, "filtered") == 0  ? END_FILTERED
	    : strcmp(kind, "length") == 0    ? END_LENGTH
	    : strcmp(kind, "overflow") == 0  ? END_OVERFLOW
					     : END_REFUSED;
}

/* A server's error takes precedence over a parse error. */
static void
note_error(struct call *c, const struct json *j, const char *p, size_t n)
{
	if (j != NULL)
		apierror_read(&c->error, j);
	else
		apierror_body(&c->error, p, n);
	c->end = END_ERROR;
}

static void
note_garbled(struct call *c)
{
	if (c->end == END_NONE)
		c->end = END_GARBLED;
}

/* Read one event's data, repaired if it is not quite JSON.  0, or -1. */
static int
parse_event(struct call *c, struct json *j, const char *p, size_t n)
{
	static struct buf b;

	if (json_parse(j, p, n) == 0)
		return 0;
	buf_reset(&b);
	if (jsonrepair_halves(&b, p, n) > 0)
		c->reply.halves = 1;
	return json_parse(j, b.p, b.n);
}

static void
note_progress(struct call *c, int any)
{
	if (!any)
		return;
	if (c->first == 0)
		c->first = clock_ms();
	c->got_output = 1;
	waiting_thinks();
	http_progress(&c->net.http);
	display_show(&c->display, &c->reply);
}

/*
 * A reason to finish has come: usage may follow, or some text of servers that
 * say it too early.  Some then leave the connection open without a word.
 */
static void
await_rest(struct call *c, int any)
{
	if (any)
		c->net.http.until = 0;
	http_last(&c->net.http, REST_MS);
}

static void
on_event(void *arg, const char *type, const char *data, size_t n)
{
	static struct json j;
	struct call *c = arg;
	int error = strcmp(type, "error") == 0, any;

	if (n >= 6 && memcmp(data, "[DONE]", 6) == 0) {
		/* Of nothing it is no end; after the end nothing counts. */
		c->net.done =
		    (c->got_output || c->reply.content) && c->request.api->done;
		c->net.sse.stop = c->net.done || c->reply.over;
		http_last(&c->net.http, LAST_MS);
		return;
	}
	if (parse_event(c, &j, data, n) < 0) {
		note_garbled(c);
		/* Some servers put bare text where the error should be. */
		if (error)
			note_error(c, NULL, data, n);
	} else {
		/* What failed has its usage too, and may end a text. */
		if (apierror_in(&j))
			note_error(c, &j, NULL, 0);
		else if (error)
			note_error(c, NULL, data, n);
		any = c->request.api->event(&c->reply, type, &j);
		note_progress(c, any);
		if (c->reply.last)
			http_last(&c->net.http, LAST_MS);
		else if (c->reply.over)
			await_rest(c, any);
	}
	if (c->end != END_NONE) {
		c->net.sse.stop = 1;
		http_last(&c->net.http, 0);
	}
}

/*
 * Is it a stream of events, whatever was asked for?  The type says so; where
 * servers get that wrong, the beginning: JSON and what gzip compressed are no
 * stream, and a field is one.
 */
static int
is_stream(const struct http *h, const char *p, size_t n)
{
	static const char *const fields[] = {
		":", "data:", "event:", "id:", "retry:"};
	static const char type[] = "text/event-stream";
	const char *s = http_header(h, "content-type");
	size_t i, len;

	if (memchr("{[<\x1f", *p, 4) != NULL)
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

	for (; c->net.form == BODY_UNKNOWN && n > 0; p++, n--) {
		/* Blanks and a byte order mark say nothing. */
		if (memchr(" \t\r\n\xef\xbb\xbf", *p, 7) != NULL)
			continue;
		c->net.form = h->status / 100 == 2 && is_stream(h, p, n)
		    ? BODY_STREAM : BODY_WHOLE;
		break;
	}
	if (c->net.form != BODY_STREAM)
		buf_add(&c->net.raw, p, n);
	else if (sse_feed(&c->net.sse, p, n) < 0)
		note_garbled(c);
}

/* The connection has ended: read the rest. */
static void
read_rest(struct call *c)
{
	static struct json j;

	if (c->net.http.status / 100 != 2) {
		note_error(c, NULL, c->net.raw.p, c->net.raw.n);
	} else if (c->net.form == BODY_STREAM) {
		sse_end(&c->net.sse);
	} else if (parse_event(c, &j, c->net.raw.p, c->net.raw.n) < 0) {
		apierror_body(&c->error, c->net.raw.p, c->net.raw.n);
		note_garbled(c);
	} else {
		if (apierror_in(&j))
			note_error(c, &j, NULL, 0);
		note_progress(c, c->request.api->whole(&c->reply, &j));
	}
}

static void
on_done(struct http *h)
{
	struct call *c = h->arg;

	if (is_cut(c)) {
		c->end = END_CUT;
	} else {
		read_rest(c);
		c->end = classify_end(c);
	}
	reply_settle(&c->reply);
	finish_try(c);
}

/* Forget the try before. */
static void
reset_try(struct call *c)
{
	buf_reset(&c->net.raw);
	sse_reset(&c->net.sse);
	if (c->continuations == 0)
		reply_reset(&c->reply);
	c->reply.api = c->request.api->name;
	c->reply.provider = provider_name(c->request.provider);
	c->reply.asked = c->request.rest;
	c->reply.thoughts = provider_json(c->request.provider);
	c->reply.thoughts_at = provider_at(c->request.provider, "thoughts");
	apierror_reset(&c->error);
	c->net.sse.max = call_options.limits.bytes;
	c->net.sse.event = on_event;
	c->net.sse.arg = c;
	c->net.form = BODY_UNKNOWN;
	c->end = END_NONE;
	c->refused = c->odd_end = c->net.done = 0;
	if (c->continuations == 0) {
		c->got_output = 0;
		c->first = 0;
		display_begin(&c->display, &c->request.json);
	}
}

static void
attempt(struct call *c)
{
	reset_try(c);
	buf_reset(&c->net.body);
	c->request.api->body(&c->net.body, c->request.provider, c->request.rest,
	    c->continuations ? &c->continued_request : adapted_request(c),
	    c->request.streams, !c->nooptions);
	c->net.http.url = buf_cstr(&c->request.url);
	c->net.http.body = (struct span){c->net.body.p, c->net.body.n};
	c->net.http.data = on_data;
	c->net.http.done = on_done;
	c->net.http.arg = c;
	c->net.limits = call_options.limits;
	if (c->net.limits.total > 0) {
		/* One clock over all tries. */
		c->net.limits.total -= clock_ms() - c->began;
		if (c->net.limits.total < 1)
			c->net.limits.total = 1;
	}
	c->net.http.limits = &c->net.limits;
	c->state = CALL_OPEN;
	c->tries++;
	waiting_begin();
	http_start(&c->net.http);
}

void
call_body(struct call *c, struct buf *b)
{
	c->request.api->body(b, c->request.provider, c->request.rest,
	    adapted_request(c), 0, 0);
}

void
call_stored(struct call *c, int status, struct span body)
{
	reset_try(c);
	c->stored = 1;
	c->tries++;
	c->state = CALL_OPEN;
	c->net.form = BODY_WHOLE;
	buf_span(&c->net.raw, body);
	c->net.http.arg = c;
	c->net.http.end = HTTP_DONE;
	c->net.http.status = status;
	on_done(&c->net.http);
}

/* The bytes, with the key masked. */
static void
dry_run(struct call *c)
{
	struct buf *b = &c->out;
	size_t i;

	c->request.api->body(&c->net.body, c->request.provider, c->request.rest,
	    adapted_request(c), c->request.streams, 1);
	buf_printf(b, "POST %s\n", buf_cstr(&c->request.url));
	for (i = 0; i < c->net.http.headers.n; i++)
		buf_printf(b, "%s\n", c->net.http.headers.v[i]);
	provider_mask(b);
	buf_putc(b, '\n');
	buf_add(b, c->net.body.p, c->net.body.n);
	buf_putc(b, '\n');
}

/* A model that was named alone is one of its provider's. */
static void
name_provider(struct call *c)
{
	struct buf b = {NULL, 0, 0};
	size_t n;

	buf_printf(&b, "%s/", provider_name(c->request.provider));
	n = b.n;
	buf_puts(&b, c->request.model);
	free(c->request.model);
	c->request.model = buf_cstr(&b);
	c->request.rest = c->request.model + n;
}

/* What is wrong with a model whose provider is not known. */
static void
describe_unknown(struct buf *why, const char *model)
{
	size_t n = strcspn(model, "/");

	if (n > 0 && model[n] == '/' && model[n + 1] != '\0')
		buf_printf(why, "model '%s': no such provider '%.*s'; "
		    "'sharefind -l providers' lists them", model,
		    (int)n, model);
	else
		buf_printf(why, "model '%s': expected PROVIDER/MODEL; "
		    "'sharefind -l providers' lists the providers", model);
}

/* Has a message a part that the provider does not take?  Then why says so. */
static int
has_refused(const struct call_request *r, struct buf *why)
{
	const struct json *j = &r->json;
	int m, i, type;

	if (provider_at(r->provider, "messages.refuse") < 0)
		return 0;
	for (m = json_first(j, json_get(j, 0, "messages")); m >= 0;
	     m = json_next(j, m)) {
		i = json_get(j, m, "content");
		if (json_kind(j, i) != JSON_ARRAY)
			continue;
		for (i = json_first(j, i); i >= 0; i = json_next(j, i)) {
			type = json_get(j, i, "type");
			if (type < 0 || !encode_listed(r->provider,
				"messages.refuse", j, type))
				continue;
			buf_printf(why, "%s takes no ",
			    provider_name(r->provider));
			json_str(j, type, why);
			return 1;
		}
	}
	return 0;
}

/* Does the request want a tool of the provider's that it does not have? */
static int
lacks_tool(const struct call_request *r, struct buf *why)
{
	const struct json *j = &r->json;
	int i = json_first(j, json_get(j, 0, "provider_tools"));
	char *name = NULL;

	for (; i >= 0; i = json_next(j, i)) {
		free(name);
		name = json_dup(j, i);
		if (name == NULL || encode_own_tool(r->provider, name) >= 0)
			continue;
		buf_printf(why, "%s has no tool %s of its own; tools.own of "
		    "providers/%s.yaml names those that it has",
		    provider_name(r->provider), name,
		    provider_name(r->provider));
		free(name);
		return 1;
	}
	free(name);
	return 0;
}

/*
 * Find the provider, URL and key of the model whose turn it is.  0, or the
 * exit status, with why.
 */
static int
resolve(struct call *c, struct buf *why)
{
	struct call_request *r = &c->request;
	const char *api;

	free(r->model);
	r->model = xstrdup(r->models.v[r->asked]);
	r->provider = provider_for(r->model, &r->rest);
	if (r->provider == NULL) {
		describe_unknown(why, r->model);
		return EX_CONFIG;
	}
	api = provider_str(r->provider, "api");
	r->api = api_named(api == NULL ? "chat" : api);
	if (provider_ready(r->provider, why) < 0 && !call_options.dry)
		return EX_CONFIG;
	if (provider_key(r->provider, &r->key, why) < 0 && !call_options.dry)
		return EX_NOPERM;
	if (provider_sign(r->provider) != NULL && !http_signs()) {
		buf_puts(why, "this libcurl does not sign requests");
		return EX_CONFIG;
	}
	if (has_refused(r, why))
		return EX_DATAERR;
	if (lacks_tool(r, why))
		return EX_CONFIG;
	if (r->rest == r->model)
		name_provider(c);
	buf_reset(&r->adapted_text);
	r->adapted.ntok = 0;
	if (outschema_adapt(&r->adapted_text, &r->json, r->provider, r->rest)
	    && json_parse(&r->adapted, r->adapted_text.p, r->adapted_text.n) < 0)
		die(EX_SOFTWARE, "internal error: request invalid after adapting it");
	price_open(r->model);
	buf_reset(&r->url);
	buf_printf(&r->url, "%s%s", provider_base(r->provider), r->api->path);
	return 0;
}

/* Where none is named, that of the environment.  0, or the exit status. */
static int
find_models(struct call *c, struct buf *why)
{
	struct strs *m = &c->request.models;
	const char *model, *rest;
	size_t i;

	if (m->n == 0) {
		model = discover_model();
		discover_why(why);
		if (model == NULL && why->n > 0)
			return EX_UNAVAILABLE;
		buf_reset(why);
		if (model == NULL) {
			buf_puts(why, "no model: name one with -m, "
			    "TURNPIPE_MODEL or model in settings.yaml");
			return EX_CONFIG;
		}
		model_split(m, model);
	}
	/* A name that is misspelt is not found out only when it is needed. */
	for (i = 1; i < m->n; i++)
		if (provider_for(m->v[i], &rest) == NULL) {
			describe_unknown(why, m->v[i]);
			return EX_CONFIG;
		}
	return 0;
}

/* The headers of its tries. */
static void
set_headers(struct call *c)
{
	struct buf h = {NULL, 0, 0};
	const struct provider_sign *sign = provider_sign(c->request.provider);

	c->net.http.sign = sign != NULL ? sign->how : NULL;
	c->net.http.sign_id = sign != NULL ? sign->id : NULL;
	c->net.http.sign_secret = sign != NULL ? sign->secret : NULL;
	strs_reset(&c->net.http.headers);
	provider_headers(c->request.provider, c->request.key, call_options.dry,
	    &c->net.http.headers);
	buf_printf(&h, "X-Client-Request-Id: turnpipe-%016llx",
	    (unsigned long long)(retry_random() * 1.8446744073709550e19));
	if (!call_options.dry)
		strs_add(&c->net.http.headers, buf_cstr(&h));
	buf_free(&h);
}

/* The next of its models that can be asked: 0.  Those that cannot are named. */
static int
resolve_next(struct call *c)
{
	static struct buf why, name;

	while (c->request.asked + 1 < c->request.models.n) {
		c->request.asked++;
		buf_reset(&why);
		if (resolve(c, &why) == 0)
			return 0;
		buf_reset(&name);
		buf_printf(&name, "%s%s: not asked: ", answer_name(c),
		    c->request.models.v[c->request.asked]);
		remedy_warn(buf_cstr(&name), buf_cstr(&why), NULL, "");
	}
	return -1;
}

int
call_another(struct call *c, const char *reason)
{
	static struct buf from;

	buf_reset(&from);
	buf_puts(&from, c->request.model);
	if (resolve_next(c) < 0)
		return 0;
	warn("%s%s: %s; asking %s", answer_name(c), buf_cstr(&from), reason,
	    c->request.model);
	set_headers(c);
	c->tries = c->spared = c->nooptions = 0;
	c->changed = 1;
	pause_call(c, clock_ms());
	return 1;
}

void
call_prepare(struct call *c)
{
	static struct buf why, first;
	static int warned;
	int code;

	c->began = clock_ms();
	display_begin(&c->display, &c->request.json);
	buf_reset(&why);
	code = find_models(c, &why);
	if (code == 0)
		code = resolve(c, &why);
	/* One without a key, say.  It is the same for all that follow. */
	if ((code == EX_NOPERM || code == EX_DATAERR) && c->request.models.n > 1) {
		buf_reset(&first);
		buf_printf(&first, "%s: not asked: ", c->request.model);
		if (resolve_next(c) == 0) {
			code = 0;
			if (warned++ == 0)
				remedy_warn(buf_cstr(&first), buf_cstr(&why),
				    NULL, "");
		}
	}
	if (code == 0 && spendcap_unpriced(c->request.model,
		provider_true(c->request.provider, "tells_cost"), &why))
		code = EX_CONFIG;
	if (code != 0) {
		answer_fail(c, code, buf_cstr(&why), -1);
		call_over(c);
		return;
	}
	c->request.streams =
	    json_kind(&c->request.json,
		json_get(&c->request.json, 0, "stream")) != JSON_FALSE;
	set_headers(c);
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
	http_cancel(&c->net.http);
	reply_settle(&c->reply);
	answer_guess(c);
	put_answer(c, c->got_output ? PART_INTERRUPTED : PART_NONE, 1, 0, NULL,
	    -1);
	c->state = CALL_OVER;
}
