#include <string.h>

#include "clock.h"
#include "turn.h"

enum { HEAD = 512 }; /* bytes in which a result's content begins */

static struct turn turn = {.begun = -1};
static struct buf answer; /* an assistant's, while no result follows it */
static struct buf results; /* of the last step, a line each */
static struct json json;

/*
 * Does a result begin as toolrun begins that of a failure?  Only its head is
 * looked at: a false alarm costs a count, reading all of it costs time.
 */
static int
failed(const struct rec *r)
{
	static const char mark[] = "\"content\":\"error: ";
	size_t i, n = r->n < HEAD ? r->n : HEAD, m = sizeof(mark) - 1;

	for (i = 0; i + m <= n; i++)
		if (r->s[i] == '"' && memcmp(r->s + i, mark, m) == 0)
			return 1;
	return 0;
}

/* A result, or those of the calls of a batch, is one more. */
static void
count(const struct rec *r)
{
	const struct json *j = NULL;
	long long n = 1, bad = failed(r);
	int i = -1;

	if (record_has(r, "parts")) {
		j = record_json(r);
		i = json_first(j, json_at(j, 0, "tp.parts"));
	}
	if (i >= 0)
		for (n = bad = 0; i >= 0; i = json_next(j, i), n++)
			bad += json_true(j, json_get(j, i, "failed"));
	turn.calls += n;
	turn.step_calls += n;
	turn.good += n - bad;
	turn.step_good += n - bad;
}

/* The answer that no call followed counts if it is whole. */
static void
count_answer(void)
{
	if (answer.n == 0)
		return;
	if (json_parse(&json, answer.p, answer.n) == 0
	    && !json_true(&json, json_at(&json, 0, "tp.partial"))
	    && json_count(&json, json_get(&json, 0, "tool_calls")) == 0)
		turn.misses++;
	buf_reset(&answer);
}

static void
begin_step(void)
{
	turn.step_calls = turn.step_good = 0;
	buf_reset(&results);
}

/* When a message was written; -1 if it does not say. */
static time_t
when(const struct rec *r)
{
	static struct buf b;
	const struct json *j;
	time_t t;

	if (!record_has(r, "time"))
		return -1;
	j = record_json(r);
	buf_reset(&b);
	if (json_str(j, json_at(j, 0, "tp.time"), &b) < 0
	    || clock_parse(buf_cstr(&b), &t) < 0)
		return -1;
	return t;
}

void
turn_take(const struct rec *r)
{
	if (r->type != REC_MESSAGE)
		return;
	turn.seen = 1;
	if (span_is(r->role, "user")) {
		turn_reset();
		turn.seen = 1;
		turn.begun = when(r);
	} else if (span_is(r->role, "assistant")) {
		count_answer();
		begin_step();
		buf_add(&answer, r->s, r->n);
	} else if (span_is(r->role, "tool")) {
		buf_reset(&answer);
		count(r);
		buf_add(&results, r->s, r->n);
		buf_putc(&results, '\n');
	}
}

const struct turn *
turn_now(void)
{
	count_answer();
	return &turn;
}

void
turn_context(struct buf *b)
{
	const char *p = results.p, *end = p + results.n, *nl;
	size_t n = b->n;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (json_parse(&json, p, (size_t)(nl - p)) < 0)
			continue;
		if (b->n > n)
			buf_putc(b, '\n');
		n = b->n;
		json_str(&json, json_at(&json, 0, "tp.context"), b);
	}
}

void
turn_reset(void)
{
	memset(&turn, 0, sizeof(turn));
	turn.begun = -1;
	buf_reset(&answer);
	begin_step();
}
