#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "barred.h"
#include "batchanswer.h"
#include "book.h"
#include "call.h"
#include "clock.h"
#include "concurrency.h"
#include "diag.h"
#include "display.h"
#include "emit.h"
#include "failure.h"
#include "forecast.h"
#include "handover.h"
#include "order.h"
#include "out.h"
#include "provider.h"
#include "queue.h"
#include "ratelimit.h"
#include "signals.h"
#include "spendcap.h"
#include "waiting.h"

/*
 * A FIFO of order.h items, linked by item->mate; does not own them.  tail is
 * &head of an empty one.
 */
struct row {
	struct item *head, **tail;
	size_t n;
};

static void
row_push(struct row *r, struct item *i)
{
	i->mate = NULL;
	*r->tail = i;
	r->tail = &i->mate;
	r->n++;
}

/* Take out the one that *p, head or a mate of r's, points to. */
static struct item *
row_pull(struct row *r, struct item **p)
{
	struct item *i = *p;

	*p = i->mate;
	if (i->mate == NULL)
		r->tail = p;
	i->mate = NULL;
	r->n--;
	return i;
}

/* Per job. */
enum {
	BEGUN = 4,	 /* calls, those between two tries among them */
	AHEAD = 4,	 /* answers that may wait for an earlier one */
	FAR = 32,	 /* the same, if they are small: */
	SMALL = 16 << 10 /* bytes of all of them */
};

struct queue_options queue_options = {1, 0, 0};

static struct row fresh = {NULL, &fresh.head, 0};   /* not begun */
static struct row paused = {NULL, &paused.head, 0}; /* between two tries */
static struct row over = {NULL, &over.head, 0};	    /* to be written */
static size_t nbegun, nflying; /* not over; of these, under way */
static struct item *held;      /* the last one */
static int status;

void
queue_fail(int code)
{
	if (status == 0
	    || (failure_isfinal(status) && !failure_isfinal(code)))
		status = code;
}

int
queue_status(void)
{
	return status;
}

int
queue_busy(void)
{
	return order_items() > 0;
}

size_t
queue_open(void)
{
	return nbegun + fresh.n;
}

int
queue_room(void)
{
	size_t jobs = queue_options.jobs;

	/* A reader that is slow stops what is new. */
	if (out_waits())
		return 0;
	/* A conversation whose end is awaited must be read on. */
	if (held != NULL)
		return 1;
	return fresh.n == 0 && nflying < jobs && nbegun < BEGUN * jobs
	    && (order_items() < AHEAD * jobs
		|| (order_items() < FAR * jobs
		    && order_bytes() < SMALL * jobs));
}

/* Pay for the tries that are over; the next one must be asked for. */
static void
pay_tries(struct item *i, long long completion)
{
	struct spendcap_toll *t = &i->call->toll;

	if (i->paying)
		spendcap_paid(&i->share, t, completion);
	i->paying = 0;
	i->toll.dollars += t->dollars;
	i->toll.tokens += t->tokens;
	i->toll.nodollars += t->nodollars;
	i->toll.notokens += t->notokens;
	memset(t, 0, sizeof(*t));
}

static void
on_moved(struct call *c)
{
	struct item *i = c->owner;

	nflying -= (size_t)i->flying;
	i->flying = 0;
	if (c->state == CALL_PAUSED) {
		/* Another model has another price. */
		if (c->toll.tokens > 0 || c->toll.notokens > 0 || c->changed)
			pay_tries(i, -1);
		c->changed = 0;
		row_push(&paused, i);
		return;
	}
	nbegun -= (size_t)i->begun;
	row_push(&over, i);
}

/* What the last try of a call that was sent says to the limits. */
static void
count_try(struct item *i)
{
	struct call *c = i->call;
	int came = c->net.http.status;

	answer_toll(c);
	if (!c->refused && came != 0 && came < 500)
		concurrency_answered(c->number);
}

/* What names it: its place in the book, or all its answer depends on. */
static void
key(struct item *i)
{
	static struct buf b;
	struct call *c = i->call;
	struct span id = buf_view(&c->request.id);

	if (queue_options.journal && id.n > 2) {
		i->key = strtoull(id.p + 1, NULL, 16);
		return;
	}
	buf_reset(&b);
	call_text(c, &b);
	i->key = book_key(id, buf_view(&b));
}

/*
 * What journal(1) is to know of a call: that it is sent, with the most that it
 * may take, that it is over, with what it took, or in a batch.
 */
static void
mark(struct buf *b, const struct item *i, const char *what, int code,
    double dollars, long long tokens)
{
	emit_open(b, '{');
	emit_pair(b, "type", "mark");
	emit_pair(b, "what", what);
	emit_pairj(b, "id", buf_view(&i->call->request.id));
	emit_pairi(b, "code", code);
	if (!isnan(dollars))
		emit_pairf(b, "cost", dollars);
	if (tokens >= 0)
		emit_pairi(b, "tokens", tokens);
	emit_close(b, '}');
	buf_putc(b, '\n');
}

/* In front of the answer. */
static void
mark_over(struct item *i)
{
	struct call *c = i->call;
	const struct spendcap_toll *t = &i->toll;
	struct buf b = {NULL, 0, 0};

	mark(&b, i, handover_mode == HANDOVER_TO && c->out.n == 0
	    ? "pending" : "spent", c->code, t->nodollars > 0 ? NAN : t->dollars,
	    t->notokens > 0 ? -1 : t->tokens);
	buf_span(&b, buf_view(&c->out));
	buf_free(&c->out);
	c->out = b;
}

static void
mark_sent(const struct item *i)
{
	static struct buf b;

	buf_reset(&b);
	mark(&b, i, "sent", 0, i->toll.dollars + i->share.dollars,
	    i->toll.tokens + i->share.tokens);
	out_add(b.p, b.n);
}

/* Put the answer of a call and report its usage to the limits. */
static void
finish_call(struct item *i)
{
	struct call *c = i->call;
	struct usage u;

	usage_reset(&u);
	if (c->number != 0 || c->stored) {
		u = reply_total(&c->reply);
		count_try(i);
	}
	pay_tries(i, u.n[USAGE_COMPLETION]);
	if (i->batch && c->out.n > 0 && !call_options.dry)
		batchanswer_put(c, i->key);
	if (queue_options.journal && c->request.id.n > 0)
		mark_over(i);
	i->code = c->code;
	i->out = c->out;
	memset(&c->out, 0, sizeof(c->out));
	display_over();
	call_free(c);
	free(c);
	i->call = NULL;
}

static void
finish_items(void)
{
	struct item *i;

	while (over.n > 0) {
		i = row_pull(&over, &over.head);
		finish_call(i);
		if (i->code != 0)
			queue_fail(i->code);
		order_done(i);
	}
}

/* It is not even asked. */
static void
deny(struct item *i, int code, struct buf *why, long long wait)
{
	answer_error(i->call, code, why, wait);
	i->call->code = code;
	call_over(i->call);
}

/* There is no hope of an answer now, but of another model. */
static void
refuse(struct item *i, long long ms)
{
	static struct buf b;
	static long long warned;

	buf_reset(&b);
	buf_printf(&b, "not sent: the server refuses all; try again in %lld s",
	    (ms + 999) / 1000);
	if (call_another(i->call, buf_cstr(&b)))
		return;
	if (warned < clock_ms() - ms)
		warn("%s", buf_cstr(&b));
	warned = clock_ms();
	deny(i, EX_TEMPFAIL, &b, ms);
}

/* Those of a row that were to go to the server that refuses all. */
static void
refuse_row(struct row *r, long long ms)
{
	struct item **p = &r->head;
	size_t n = r->n;

	while (n-- > 0)
		if ((*p)->call->request.provider == call_hopeless)
			refuse(row_pull(r, p), ms);
		else
			p = &(*p)->mate;
}

/*
 * May a call that is ready be paid for?  Where the answer is never, why has
 * the message, which is printed: of calls of the same fate the first one.
 */
static enum spendcap_word
reserve_money(struct item *i, struct buf *why)
{
	static int warned, unpriced;
	struct call *c = i->call;
	enum spendcap_word word;

	if (i->paying || !spendcap_isset())
		return SPENDCAP_YES;
	word = spendcap_ask(&i->share, c->request.model, i->tokens,
	    forecast_answer(&c->request.json),
	    provider_at(c->request.provider, "cache_control") >= 0
		&& json_is(&c->request.json, json_get(&c->request.json, 0,
		    "cache_ttl"), "1h"),
	    provider_true(c->request.provider, "tells_cost"));
	i->paying = word == SPENDCAP_YES;
	if (word == SPENDCAP_UNPRICED) {
		spendcap_unpriced(c->request.model, 0, why);
	} else if (word == SPENDCAP_NO) {
		buf_puts(why, "not sent: ");
		spendcap_say(why, &i->share);
	}
	if (why->n > 0
	    && (word == SPENDCAP_UNPRICED ? unpriced++ : warned++) == 0)
		warn("%s%s", answer_name(c), buf_cstr(why));
	return word;
}

/*
 * May a call be sent?  SEND_NEVER: with its exit status in *code, and why;
 * it was reported.
 */
enum send { SEND_NOW, SEND_LATER, SEND_NEVER };

static enum send
may_send(struct item *i, int *code, struct buf *why)
{
	const char *model = i->call->request.model;
	const char *reason;

	if (barred_is(model, code, &reason)) {
		buf_printf(why, "not sent: %s", reason);
		if (barred_first(model))
			warn("%s: later requests are not sent", model);
		return SEND_NEVER;
	}
	switch (reserve_money(i, why)) {
	case SPENDCAP_YES: return SEND_NOW;
	case SPENDCAP_WAIT: return SEND_LATER;
	case SPENDCAP_NO: *code = EXIT_SPENT; break;
	case SPENDCAP_UNPRICED: *code = EX_CONFIG; break;
	}
	return SEND_NEVER;
}

/*
 * Take the one at *p out of a row if it can be sent, or never: then it is
 * over.
 */
static enum send
take_sendable(struct row *r, struct item **p, struct item **i)
{
	static struct buf why;
	enum send send;
	int code;

	*i = *p;
	buf_reset(&why);
	send = may_send(*i, &code, &why);
	if (send != SEND_LATER)
		row_pull(r, p);
	if (send == SEND_NEVER)
		deny(*i, code, &why, -1);
	return send;
}

static void
step(struct item *i)
{
	struct call *c = i->call;

	if (!i->begun)
		nbegun++;
	i->begun = 1;
	signals_arm(SIGNALS_ONCE);
	if (queue_options.journal && i->paying)
		mark_sent(i);
	call_step(c);
	if (c->state != CALL_OPEN)
		return;
	i->flying = 1;
	nflying++;
	c->number = concurrency_sent();
	ratelimit_sent();
}

/* The next to send: one whose pause is over, else a new one; or NULL. */
static struct item *
next(long long now, long long *due)
{
	struct item **p = &paused.head, *i;

	while (*p != NULL) {
		if ((*p)->call->due <= now) {
			switch (take_sendable(&paused, p, &i)) {
			case SEND_NOW: return i;
			case SEND_LATER: p = &(*p)->mate; break;
			case SEND_NEVER: break;
			}
			continue;
		}
		if ((*p)->call->due < *due)
			*due = (*p)->call->due;
		p = &(*p)->mate;
	}
	while (fresh.n > 0 && nbegun < BEGUN * queue_options.jobs)
		switch (take_sendable(&fresh, &fresh.head, &i)) {
		case SEND_NOW: return i;
		case SEND_LATER: return NULL;
		case SEND_NEVER: break;
		}
	return NULL;
}

/* Begin what can begin.  clock_ms at which more may be. */
static long long
begin_calls(void)
{
	struct item *i;
	long long now = clock_ms(), due = LLONG_MAX, ms;

	ms = concurrency_hopeless(now);
	if (ms > 0) {
		refuse_row(&paused, ms);
		refuse_row(&fresh, ms);
	}
	ratelimit_stay(concurrency_until());
	while (!out_waits() && paused.n + fresh.n > 0 && concurrency_may(nflying, now, &due)
	    && ratelimit_may(now, &due) && (i = next(now, &due)) != NULL)
		step(i);
	return due;
}

/* It may begin. */
static void
start_item(struct item *i)
{
	struct call *c = i->call;

	if (i->batch || queue_options.journal)
		key(i);
	signals_arm(SIGNALS_ONCE);
	call_prepare(c);
	if (c->state == CALL_OVER)
		return;
	if (handover_mode != HANDOVER_NONE) {
		handover_call(c, i->key);
		return;
	}
	if (spendcap_isset())
		i->tokens = forecast_prompt(c);
	row_push(&fresh, i);
}

void
queue_request(const struct rec *r)
{
	struct item *i;
	struct call *c;

	c = xmalloc(sizeof(*c));
	memset(c, 0, sizeof(*c));
	/* First, since it may die of a bad line. */
	call_take(c, r);
	i = order_add();
	c->on_state = on_moved;
	c->owner = i;
	i->call = c;
	i->batch = r->type == REC_UNTYPED;
	i->held = queue_options.whole;
	if (i->held)
		held = i;
	else
		start_item(i);
	begin_calls();
	finish_items();
}

void
queue_close(int ok)
{
	struct item *i;

	for (i = held == NULL ? NULL : order_first(); i != NULL;
	     i = order_next(i)) {
		if (!i->held)
			continue;
		i->held = 0;
		if (ok)
			start_item(i);
		else
			call_over(i->call);
	}
	held = NULL;
	begin_calls();
	finish_items();
}

int
queue_work(int in)
{
	long long due = begin_calls(), now, tick;
	int mask = 0;

	finish_items();
	out_polled = queue_open() > 0;
	out_flush();
	if (out_polled) {
		now = clock_ms();
		tick = waiting_tick(now);
		if (tick < due)
			due = tick;
		mask = http_wait(in, signals_fd(), STDOUT_FILENO,
		    due == LLONG_MAX ? -1 : due > now ? due - now : 0);
		/* The reader is gone: another call would be wasted. */
		if ((mask & 4) != 0)
			signals_die(SIGPIPE);
	}
	finish_items();
	return mask & 1;
}

static void
stop(struct item *i)
{
	struct call *c = i->call;

	call_interrupt(c);
	/* A call that broke off is not put into a batch. */
	if (i->batch)
		return;
	i->out = c->out;
	memset(&c->out, 0, sizeof(c->out));
	display_over();
}

void
queue_interrupt(void)
{
	int sig = signals_caught();

	if (sig == 0)
		return;
	waiting_end();
	out_polled = 0;
	order_interrupt(stop);
	signals_die(sig);
}

void
queue_drain(void)
{
	queue_close(0);
	order_end();
	while (queue_busy()) {
		queue_work(-1);
		queue_interrupt();
	}
}
