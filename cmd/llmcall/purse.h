#ifndef PURSE_H
#define PURSE_H

/*
 * What a run may spend, in US dollars and in tokens.  Before a call is sent
 * the most it may take is set aside; what it took, once that is known, goes
 * off instead.  So the limit is not passed, as far as the estimates hold: a
 * prompt's tokens, all of them at the price of writing to the cache, and
 * the longest answer that the request allows.  Where it names none, that is
 * twice the longest answer yet, 4096 tokens at least.
 */

#include "buf.h"

/* 0 is no limit. */
void purse_set(double dollars, long long tokens);

/* Is there a limit? */
int purse_isset(void);

/* What one call may take. */
struct purse_share {
	double dollars;
	long long tokens;
};

enum purse_word {
	PURSE_YES,
	PURSE_WAIT, /* there may be enough when others are over */
	PURSE_NO,
	PURSE_UNPRICED /* nobody knows what the model costs */
};

/*
 * Can a call to model ("PROVIDER/NAME") be paid for?  Tokens of its prompt;
 * of its answer at most, 0 if it does not say.  told: the provider says
 * what a call costs.  Sets s, which PURSE_YES sets aside.
 */
enum purse_word purse_ask(struct purse_share *s, const char *model,
    long long prompt, long long answer, int told);

/* Append, for people, why a share did not fit. */
void purse_say(struct buf *b, const struct purse_share *s);

/* What a call took: the sums of its tries, and how many did not say. */
struct purse_toll {
	double dollars;
	long long tokens;
	int nodollars, notokens;
};

/*
 * The call is over: what it took.  A try that did not say counts as the
 * share, which is added to t.  Tokens of the answer (-1: not known) make
 * the guess for the next ones.
 */
void purse_paid(const struct purse_share *s, struct purse_toll *t,
    long long answer);

/* Spent by an earlier run of the same job. */
void purse_spent(double dollars, long long tokens);

#endif
