#include <math.h>

#include "answer.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "out.h"
#include "price.h"
#include "remedy.h"
#include "token.h"

/* Tokens below which what servers add to a request says more than a count. */
enum { ESTIMATE_MIN = 1000 };

static void
open_record(const struct call *c, struct buf *b, const char *type)
{
	emit_open(b, '{');
	emit_pair(b, "type", type);
	if (c->request.id.n > 0)
		emit_pairj(b, "id", buf_view(&c->request.id));
}

static void
close_record(struct buf *b)
{
	emit_close(b, '}');
	buf_putc(b, '\n');
}

const char *
answer_request_id(const struct call *c)
{
	static const char *const names[] = {
		"x-request-id", "request-id", "cf-ray"};
	const char *s;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		s = http_header(&c->net.http, names[i]);
		if (s != NULL && *s != '\0')
			return s;
	}
	return NULL;
}

void
answer_message(struct call *c, int partial, int interrupted)
{
	struct buf *b = &c->out;
	size_t dropped = 0, n, facts;

	c->said = 1;
	if (partial)
		dropped = reply_drop(&c->reply);
	open_record(c, b, "message");
	reply_put(&c->reply, b);
	n = b->n;
	emit_key(b, "tp");
	emit_open(b, '{');
	facts = b->n;
	if (partial)
		emit_pairb(b, "partial", 1);
	if (interrupted)
		emit_pairb(b, "interrupted", 1);
	if (dropped > 0)
		emit_pairi(b, "dropped_calls", (long long)dropped);
	if (c->odd_end)
		emit_pairn(
		    b, "finish", c->reply.finish.p, c->reply.finish.n);
	emit_pair(b, "rescued", c->rescued);
	if (c->coerced.n > 0)
		emit_strs(b, "coerced", &c->coerced);
	if (tagfilter_any(&c->display.filter)) {
		emit_key(b, "tags");
		emit_open(b, '{');
		tagfilter_put(&c->display.filter, b);
		emit_close(b, '}');
	}
	if (b->n == facts)
		b->n = n;
	else
		emit_close(b, '}');
	close_record(b);
}

/* NAN if it is not known. */
static double
cost(const struct call *c)
{
	struct usage u = reply_total(&c->reply);
	double part = 1;

	if (!isnan(u.cost))
		return u.cost;
	if (c->stored)
		json_num(provider_json(c->request.provider),
		    provider_at(c->request.provider, "batch.price"), &part);
	return c->request.model == NULL ? NAN
	    : price_of(c->request.model, &u, part);
}

void
answer_toll(struct call *c)
{
	struct usage u = reply_total(&c->reply);
	double dollars;
	int i;

	if (usage_tokens(&u) >= 0) {
		if (usage_tokens(&u) == 0)
			return;
		c->toll.tokens += usage_tokens(&u);
	} else if (c->got_output || u.any) {
		c->toll.notokens++;
	} else {
		return;
	}
	dollars = cost(c);
	if (isnan(dollars))
		c->toll.nodollars++;
	else
		c->toll.dollars += dollars;
	for (i = 0; i < USAGE_COUNTS; i++)
		u.n[i] = 0;
	if (!isnan(dollars) && u.piece[0].n > 0)
		c->toll.pieces += price_of(c->request.model, &u, 1);
}

/* Is there anything in it that is no text? */
static int
has_media(const struct json *j, int content)
{
	int i;

	if (json_kind(j, content) != JSON_ARRAY)
		return 0;
	for (i = json_first(j, content); i >= 0; i = json_next(j, i))
		if (json_kind(j, i) == JSON_OBJECT
		    && json_get(j, i, "text") < 0)
			return 1;
	return 0;
}

long long
answer_estimate(const struct call *c)
{
	const struct json *j = &c->request.json;
	int i, messages = json_get(j, 0, "messages");
	struct span m = json_span(j, messages);
	struct span t = json_span(j, json_get(j, 0, "tools"));

	for (i = json_first(j, messages); i >= 0; i = json_next(j, i))
		if (has_media(j, json_get(j, i, "content")))
			return -1;
	return (long long)((m.n > 0 ? token_count(m.p, m.n) : 0)
	    + (t.n > 0 ? token_count(t.p, t.n) : 0));
}

void
answer_guess(struct call *c)
{
	const struct reply *r = &c->reply;
	long long *n = c->reply.usage.n, sent = answer_estimate(c), got;
	size_t i;

	got = (long long)(token_count(r->text.p, r->text.n)
	    + token_count(r->reasoning.p, r->reasoning.n));
	for (i = 0; i < r->ncalls; i++)
		got += (long long)token_count(r->call[i].args.p,
		    r->call[i].args.n);
	/* Some servers say at the start that it is one token. */
	if (n[USAGE_COMPLETION] < got)
		n[USAGE_COMPLETION] = got;
	if (n[USAGE_PROMPT] < 0)
		n[USAGE_PROMPT] = sent;
	c->guessed = 1;
}

void
answer_usage(struct call *c)
{
	struct usage u = reply_total(&c->reply);
	double dollars = cost(c);
	struct buf *b = &c->out;
	long long estimate;

	open_record(c, b, "usage");
	emit_pair(b, "model", c->request.model);
	if (c->request.asked > 0)
		emit_pair(b, "instead_of", c->request.models.v[0]);
	usage_put(&u, b);
	if (c->guessed)
		emit_pairb(b, "guessed", 1);
	else if (u.n[USAGE_PROMPT] >= ESTIMATE_MIN
	    && (estimate = answer_estimate(c)) >= 0)
		emit_pairi(b, "estimate", estimate);
	if (!isnan(dollars))
		emit_pairf(b, "cost", dollars);
	if (c->first > 0 && !c->stored)
		emit_pairi(b, "ms_first", c->first - c->began);
	if (!c->stored)
		emit_pairi(b, "ms", clock_ms() - c->began);
	emit_pair(b, "request_id", answer_request_id(c));
	close_record(b);
}

void
answer_error(struct call *c, int code, struct buf *msg, long long wait)
{
	struct buf *b = &c->out;

	open_record(c, b, "error");
	emit_pair(b, "from", prog);
	emit_pairi(b, "code", code);
	emit_pairn(b, "message", msg->p, msg->n);
	if (c->net.http.status != 0 && c->net.http.status / 100 != 2)
		emit_pairi(b, "status", c->net.http.status);
	if (wait >= 0)
		emit_pairi(b, "retry_after", (wait + 999) / 1000);
	/* What the code does not say. */
	if (code == EXIT_REFUSED
	    || (code == EX_DATAERR
		&& (c->tries == 0 || apierror_is(&c->error, "message"))))
		emit_pair(b, "class", "message");
	close_record(b);
}

const char *
answer_name(const struct call *c)
{
	static struct buf b;
	struct span s = {c->request.id.p, c->request.id.n};

	if (call_options.where != NULL)
		return call_options.where;
	if (s.n > 2 && *s.p == '"') {
		s.p++;
		s.n -= 2;
	}
	buf_reset(&b);
	if (s.n > call_options.prefix) {
		s.p += call_options.prefix;
		s.n -= call_options.prefix;
	} else {
		s.n = 0;
	}
	if (call_options.named && s.n > 0) {
		buf_span(&b, s);
		buf_puts(&b, ": ");
	}
	return buf_cstr(&b);
}

/* What can be done about it, as share/remedies.tsv names that. */
static void
print_fault(const struct call *c, const char *msg)
{
	const int status = c->net.http.status;
	const char *what = NULL, *where = c->request.model;

	if (c->net.http.end == HTTP_CONNECT) {
		what = "connect";
		where = provider_base(c->request.provider);
	} else if (status == 404) {
		what = "model";
	} else if (status == 402 || apierror_is(&c->error, "unpaid")) {
		what = "quota";
		where = provider_name(c->request.provider);
	} else if (status == 401) {
		what = "key";
		where = provider_name(c->request.provider);
	}
	remedy_warn(answer_name(c), msg, what, where);
}

void
answer_fail(struct call *c, int code, const char *msg, long long wait)
{
	static struct strs warned;
	static struct buf m;

	buf_reset(&m);
	buf_puts(&m, msg);
	provider_mask(&m);
	/* A fault before sending is the same for all that follow. */
	if (c->tries > 0 || strs_find(&warned, buf_cstr(&m)) < 0)
		print_fault(c, buf_cstr(&m));
	if (c->tries == 0)
		strs_once(&warned, buf_cstr(&m));
	answer_error(c, code, &m, wait);
	c->code = code;
}
