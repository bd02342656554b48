#include <math.h>
#include <string.h>

#include "price.h"
#include "spendcap.h"

enum { TIMES = 2 };

static double most, spent, aside; /* dollars */

static long long longest;  /* answer yet, in tokens */
static double dearest;	   /* call yet, of a provider that tells */
static double pieces;	   /* the most that a call paid by the piece */
static long long under;	   /* calls under way */
static int full;	   /* one was turned away: so are all after it */
static int unreported;	   /* a provider that should report cost did not */

void
spendcap_set(double dollars)
{
	most = dollars;
}

int
spendcap_isset(void)
{
	return most > 0;
}

static int
fits(const struct spendcap_share *s, double dollars)
{
	return spent + dollars + s->dollars <= most;
}

int
spendcap_unpriced(const char *model, int priced, struct buf *why)
{
	struct usage t;

	usage_reset(&t);
	t.n[USAGE_PROMPT] = t.n[USAGE_COMPLETION] = 0;
	if (most <= 0 || (priced && !unreported)
	    || !isnan(price_of(model, &t, 1)))
		return 0;
	buf_printf(why, "not sent: the price of %s is not known; write it to "
	    "prices/%.*s.yaml of ~/.config/turnpipe", model,
	    (int)strcspn(model, "/"), model);
	return 1;
}

enum spendcap_word
spendcap_ask(struct spendcap_share *s, const char *model, long long prompt,
    long long answer, int hour, int priced)
{
	struct usage t;

	if (answer <= 0)
		answer = longest * TIMES > SPENDCAP_ANSWER ? longest * TIMES
							   : SPENDCAP_ANSWER;
	usage_reset(&t);
	t.n[USAGE_PROMPT] = t.n[USAGE_WRITTEN] = prompt;
	t.n[USAGE_COMPLETION] = answer;
	if (hour)
		t.n[USAGE_WRITTEN_1H] = prompt;
	s->tokens = prompt + answer;
	s->dollars = price_of(model, &t, 1) + pieces;
	if (full)
		return SPENDCAP_NO;
	if (isnan(s->dollars)) {
		if (!priced || unreported)
			return SPENDCAP_UNPRICED;
		/* The first one shows what to expect. */
		if (dearest <= 0 && under > 0)
			return SPENDCAP_WAIT;
		s->dollars = dearest * TIMES;
	}
	if (!fits(s, aside)) {
		if (under > 0 && fits(s, 0))
			return SPENDCAP_WAIT;
		full = 1;
		return SPENDCAP_NO;
	}
	aside += s->dollars;
	under++;
	return SPENDCAP_YES;
}

void
spendcap_say(struct buf *b, const struct spendcap_share *s)
{
	if (!fits(s, 0))
		buf_printf(b,
		    "it may cost %.4g dollars, and %.4g of %.4g are left",
		    s->dollars, fmax(most - spent, 0), most);
	else
		buf_puts(b, "the limit is reached");
}

void
spendcap_paid(const struct spendcap_share *s, struct spendcap_toll *t,
    long long answer)
{
	under--;
	aside -= s->dollars;
	if (under == 0)
		aside = 0; /* sums of fractions drift */
	if (t->nodollars == 0 && t->dollars > dearest)
		dearest = t->dollars;
	pieces = fmax(pieces, t->pieces);
	if (answer > longest)
		longest = answer;
	if (t->nodollars > 0) {
		if (s->dollars <= 0)
			unreported = 1;
		t->dollars += t->nodollars * s->dollars;
		t->nodollars = 0;
	}
	t->tokens += t->notokens * s->tokens;
	t->notokens = 0;
	spendcap_spent(t->dollars);
}

void
spendcap_spent(double dollars)
{
	spent += dollars;
}
