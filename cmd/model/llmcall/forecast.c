#include <math.h>

#include "answer.h"
#include "diag.h"
#include "forecast.h"
#include "media.h"
#include "model.h"
#include "out.h"
#include "price.h"
#include "record.h"
#include "settings.h"
#include "spendcap.h"
#include "token.h"

enum { TOKENS_MOST = 1 << 30 }; /* tokens: no more than this is believed */

long long
forecast_answer(const struct json *j)
{
	static const char *const names[] = {
		"max_tokens", "max_completion_tokens"};
	double v, n = 1;
	size_t k;

	if (json_num(j, json_get(j, 0, "n"), &n) < 0 || n < 1)
		n = 1;
	for (k = 0; k < sizeof(names) / sizeof(*names); k++)
		if (json_num(j, json_get(j, 0, names[k]), &v) == 0 && v > 0)
			return (long long)ceil(fmin(v * n, TOKENS_MOST));
	return 0;
}

long long
forecast_prompt(const struct call *c)
{
	const struct provider *p = c->request.provider;
	long long image;

	if (json_int(provider_json(p), provider_word(p, "image_tokens",
		c->request.rest), &image) < 0 || image < 0)
		image = settings_int("image_tokens");
	return (long long)token_count(c->request.record.p, c->request.record.n)
	    - media_excess(&c->request.json, image, 0);
}

static struct {
	size_t requests, unpriced;
	long long prompt, answer;
	double in, out; /* dollars */
} sum;

static int code; /* of the first that cannot be sent */

static void
fault(struct call *c, int status, const char *why)
{
	answer_fail(c, status, why, -1);
	if (code == 0)
		code = status;
}

/* Add its tokens and their price. */
static void
add(struct call *c, int capped)
{
	struct usage t;
	long long answer = forecast_answer(&c->request.json);
	long long window = model_known(model_window, c->request.model);
	static struct buf why;
	double in, all;

	usage_reset(&t);
	t.n[USAGE_PROMPT] = forecast_prompt(c);
	t.n[USAGE_COMPLETION] = 0;
	buf_reset(&why);
	in = price_of(c->request.model, &t, 1);
	t.n[USAGE_COMPLETION] = answer > 0 ? answer : SPENDCAP_ANSWER;
	all = price_of(c->request.model, &t, 1);
	sum.prompt += t.n[USAGE_PROMPT];
	sum.answer += t.n[USAGE_COMPLETION];
	if (!isnan(all)) {
		sum.in += in;
		sum.out += all - in;
	} else if (sum.unpriced++ == 0 && capped
	    && !provider_true(c->request.provider, "tells_cost")) {
		buf_printf(&why, "the price of %s is not known",
		    c->request.model);
		fault(c, EX_CONFIG, buf_cstr(&why));
	}
	/* An estimate forbids nothing. */
	if (window > 0 && t.n[USAGE_PROMPT] > window) {
		buf_printf(&why, "more tokens than the %lld that %s takes, "
		    "by estimate", window, c->request.model);
		answer_fail(c, 0, buf_cstr(&why), -1);
	}
}

static void
ignore(struct call *c)
{
	(void)c;
}

static void
estimate_call(const struct rec *r, int capped)
{
	static struct call c;
	static struct buf where;

	call_take(&c, r);
	buf_reset(&where);
	buf_printf(&where, "<stdin>:%zu: ", r->line);
	call_options.where = buf_cstr(&where);
	c.on_state = ignore;
	call_prepare(&c);
	sum.requests++;
	if (c.state == CALL_OVER) {
		if (code == 0)
			code = c.code;
	} else {
		add(&c, capped);
	}
	call_free(&c);
}

static void
put_dollars(struct buf *b, double v)
{
	buf_printf(b, "%.2f dollars", v);
	if (sum.unpriced > 0)
		buf_printf(b, " and %zu of no known price", sum.unpriced);
}

int
forecast(double dollars)
{
	static struct buf b;
	struct rec r;

	record_untyped = 1;
	while (record_next(&r))
		if (r.type == REC_REQUEST || r.type == REC_UNTYPED)
			estimate_call(&r, dollars > 0);
	if (dollars > 0 && sum.in + sum.out > dollars)
		warn("these may cost more than the %.4g of -C", dollars);
	buf_printf(&b, "%zu requests: %lld tokens, ", sum.requests, sum.prompt);
	put_dollars(&b, sum.in);
	buf_printf(&b, "; answers of at most %lld tokens, ", sum.answer);
	put_dollars(&b, sum.out);
	out_record(&b);
	out_end();
	return code;
}
