#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "barred.h"
#include "batchline.h"
#include "brake.h"
#include "call.h"
#include "clock.h"
#include "diag.h"
#include "logbook.h"
#include "order.h"
#include "out.h"
#include "pace.h"
#include "progress.h"
#include "purse.h"
#include "queue.h"
#include "row.h"
#include "signals.h"
#include "spend.h"
#include "visible.h"

/* Per job. */
enum {
	BEGUN = 4,	 /* calls, those between two tries among them */
	AHEAD = 4,	 /* answers that may wait for an earlier one */
	FAR = 32,	 /* the same, if they are small: */
	SMALL = 16 << 10 /* bytes of all of them */
};

struct queue_options queue_options = {1, 0, FORM_SAME};

static struct row fresh = {NULL, &fresh.head, 0};   /* not begun */
static struct row paused = {NULL, &paused.head, 0}; /* between two tries */
static struct row over = {NULL, &over.head, 0};	    /* to be written */
static size_t nbegun, nflying; /* not over; of these, under way */
static struct item *held;      /* the last one */
static int status;

void
queue_fail(int code)
{
	if (status == 0)
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
pay(struct item *i, long long completion)
{
	struct purse_toll *t = &i->call->toll;

	if (i->paying)
		purse_paid(&i->share, t, completion);
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
		if (c->toll.tokens > 0 || c->toll.notokens > 0)
			pay(i, -1);
		row_push(&paused, i);
		return;
	}
	nbegun -= (size_t)i->begun;
	row_push(&over, i);
}

/* What came of a call: its answer, and what it tells the others. */
static void
conclude(struct item *i)
{
	struct call *c = i->call;
	struct delta_usage u = {-1, -1, -1, -1, -1, 0, -1, 0};
	struct span id = {c->id.p, c->id.n};
	const struct purse_toll *t = &i->toll;

	if (c->number != 0) {
		u = delta_total(&c->delta);
		answer_toll(c);
		if (!c->refused && c->http.status != 0
		    && c->http.status < 500)
			brake_answered(c->number);
		if (pace_counts() && u.prompt >= 0 && u.completion >= 0)
			pace_used(i->tokens, i->booked,
			    u.prompt + u.completion);
	}
	pay(i, u.completion);
	if (!i->found && i->batch && c->out.n > 0 && !call_options.dry)
		batchline_answer(c, i->key);
	if (!i->found && logbook_isopen() && (c->number != 0
		|| (c->code == 0 && c->out.n > 0)))
		logbook_put(i->key, id, c->code,
		    t->nodollars > 0 ? NAN : t->dollars,
		    t->notokens > 0 ? -1 : t->tokens, &c->out);
	progress_done(c->code, i->found, u.prompt, u.completion,
	    t->nodollars > 0 ? NAN : t->dollars);
	i->code = c->code;
	i->out = c->out;
	memset(&c->out, 0, sizeof(c->out));
	call_free(c);
	free(c);
	i->call = NULL;
}

/* The journal has an answer before anybody else does. */
static void
settle(void)
{
	struct item *i;

	if (over.n == 0)
		return;
	for (i = over.head; i != NULL; i = i->mate)
		conclude(i);
	logbook_flush();
	while (over.n > 0) {
		i = row_pull(&over, &over.head);
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

/* There is no hope of an answer now. */
static void
refuse(struct item *i, long long ms)
{
	static struct buf b;
	static long long told;

	buf_reset(&b);
	buf_printf(&b, "not sent: the server refuses all; try again in %lld s",
	    (ms + 999) / 1000);
	if (told < clock_ms() - ms)
		warn("%s", buf_cstr(&b));
	told = clock_ms();
	deny(i, EX_TEMPFAIL, &b, ms);
}

/* Fail it, if nothing reaches its model; the first time with a line. */
static int
barred(struct row *r, struct item **p)
{
	static struct buf b;
	struct item *i = *p;
	int code;
	const char *why = barred_why(i->call->model, &code);

	if (why == NULL)
		return 0;
	buf_reset(&b);
	buf_printf(&b, "not sent: %s", why);
	if (barred_first(i->call->model))
		warn("%s: what follows is not sent", i->call->model);
	row_pull(r, p);
	deny(i, code, &b, -1);
	return 1;
}

/* May the one at *p of a row be sent?  Over if never. */
static enum purse_word
afford(struct row *r, struct item **p)
{
	static struct buf why;
	struct item *i = *p;
	enum purse_word word;

	if (barred(r, p))
		return PURSE_NO;
	word = i->paying ? PURSE_YES : spend_ask(i, &why);

	if (word == PURSE_NO || word == PURSE_UNPRICED) {
		row_pull(r, p);
		deny(i, word == PURSE_NO ? EXIT_SPENT : EX_CONFIG, &why, -1);
	}
	return word;
}

static void
step(struct item *i)
{
	struct call *c = i->call;

	if (!i->begun)
		nbegun++;
	i->begun = 1;
	signals_arm(SIGNALS_ONCE);
	call_step(c);
	if (c->state != CALL_OPEN)
		return;
	i->flying = 1;
	nflying++;
	c->number = brake_sent();
	i->booked = pace_sent(i->tokens);
}

/* Who is next: one whose pause is over, else a new one.  Or NULL. */
static struct item *
next(long long now, long long *due)
{
	struct item **p = &paused.head;

	while (*p != NULL)
		if ((*p)->call->due > now) {
			if ((*p)->call->due < *due)
				*due = (*p)->call->due;
			p = &(*p)->mate;
		} else {
			switch (afford(&paused, p)) {
			case PURSE_YES: return row_pull(&paused, p);
			case PURSE_WAIT: p = &(*p)->mate; break;
			default: break;
			}
		}
	while (fresh.n > 0 && nbegun < BEGUN * queue_options.jobs)
		switch (afford(&fresh, &fresh.head)) {
		case PURSE_YES: return row_pull(&fresh, &fresh.head);
		case PURSE_WAIT: return NULL;
		default: break;
		}
	return NULL;
}

/* Begin what can begin.  clock_ms at which more may be. */
static long long
begin(void)
{
	struct item *i;
	long long now = clock_ms(), due = LLONG_MAX, ms;

	ms = brake_hopeless(now);
	while (ms > 0 && paused.n > 0)
		refuse(row_pull(&paused, &paused.head), ms);
	while (ms > 0 && fresh.n > 0)
		refuse(row_pull(&fresh, &fresh.head), ms);
	while (paused.n + fresh.n > 0 && brake_may(nflying, now, &due)
	    && pace_may(now, &due) && (i = next(now, &due)) != NULL)
		step(i);
	return due;
}

/* All that the answer depends on, as one text. */
static void
key(struct item *i)
{
	static struct buf b;
	struct call *c = i->call;

	buf_reset(&b);
	call_text(c, &b);
	buf_putc(&b, i->batch ? 'b' : 'r');
	i->key = logbook_key((struct span){c->id.p, c->id.n},
	    (struct span){b.p, b.n});
}

/* It may begin, if it was not answered in an earlier run. */
static void
admit(struct item *i)
{
	struct call *c = i->call;

	if (i->batch || logbook_isopen())
		key(i);
	if (logbook_isopen() && logbook_take(i->key, &c->out, &c->code)) {
		i->found = 1;
		call_over(c);
		return;
	}
	signals_arm(SIGNALS_ONCE);
	call_prepare(c);
	if (c->state == CALL_OVER)
		return;
	if (pace_counts() || purse_isset())
		i->tokens = spend_tokens(c);
	row_push(&fresh, i);
}

void
queue_request(const struct rec *r)
{
	static struct json j;
	static struct buf b;
	struct item *i;
	struct call *c;

	/* First, since it may die of a bad line. */
	if (r->type == REC_UNTYPED) {
		buf_reset(&b);
		batchline_request(&b, r);
		if (json_parse(&j, b.p, b.n) < 0)
			die(EX_SOFTWARE, "part of a text is no text");
	} else {
		batchline_check(r, 0);
	}
	i = order_add();
	c = xmalloc(sizeof(*c));
	memset(c, 0, sizeof(*c));
	c->moved = on_moved;
	c->owner = i;
	i->call = c;
	i->batch = queue_options.form == FORM_BATCH
	    || (queue_options.form == FORM_SAME && r->type == REC_UNTYPED);
	if (r->type == REC_UNTYPED)
		call_take(c, b.p, b.n, j.ntok);
	else
		call_take(c, r->s, r->n, r->ntok);
	i->held = queue_options.whole;
	if (i->held)
		held = i;
	else
		admit(i);
	begin();
	settle();
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
			admit(i);
		else
			call_over(i->call);
	}
	held = NULL;
	begin();
	settle();
}

int
queue_work(int in)
{
	long long due = begin(), now, tick;
	int mask = 0;

	settle();
	if (queue_open() > 0) {
		out_flush();
		now = clock_ms();
		tick = progress_tick(now);
		if (tick < due)
			due = tick;
		mask = http_wait(in, signals_fd(),
		    due == LLONG_MAX ? -1 : due > now ? due - now : 0);
	}
	settle();
	return mask & 1;
}

static void
stop(struct item *i)
{
	struct call *c = i->call;

	call_interrupt(c);
	/* What broke off is no line of a batch. */
	if (i->batch)
		return;
	i->out = c->out;
	memset(&c->out, 0, sizeof(c->out));
}

void
queue_interrupt(void)
{
	int sig = signals_caught();

	if (sig == 0)
		return;
	progress_close();
	order_interrupt(stop);
	visible_newline();
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
	progress_close();
	logbook_close();
}
