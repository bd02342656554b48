#ifndef SPENDCAP_H
#define SPENDCAP_H

/*
 * The spend limit of a run, in US dollars.  Before a call is sent
 * the most it may take is set aside; what it took, once that is known, goes
 * off instead.  So the limit is not passed, as far as the estimates hold: a
 * prompt's tokens, all of them at the price of writing to the cache, and
 * the longest answer that the request allows.  Where it names none, that is
 * twice the longest answer yet, 4096 tokens at least.
 */

#include "buf.h"

enum { SPENDCAP_ANSWER = 4096 };

/* 0 is no limit. */
void spendcap_set(double dollars);

/* Is there a limit? */
int spendcap_isset(void);

/* The most that one call may take. */
struct spendcap_share {
	double dollars;
	long long tokens;
};

enum spendcap_word {
	SPENDCAP_YES,
	SPENDCAP_WAIT, /* there may be enough when others are over */
	SPENDCAP_NO,
	SPENDCAP_UNPRICED /* the model has no known price */
};

/*
 * Can a call to model ("PROVIDER/NAME") be paid for?  Tokens of its prompt;
 * of its answer at most, 0 if it does not say.  hour: what it writes to the
 * cache is to stay for an hour.  priced: the provider reports what a call
 * costs.  Sets s, which SPENDCAP_YES sets aside.
 */
enum spendcap_word spendcap_ask(struct spendcap_share *s, const char *model,
    long long prompt, long long answer, int hour, int priced);

/*
 * Is a call to model out of the question for want of a price?  Then the reason
 * is appended.
 */
int spendcap_unpriced(const char *model, int priced, struct buf *why);

/* Append, for people, why a share did not fit. */
void spendcap_say(struct buf *b, const struct spendcap_share *s);

/* The usage of a call: the sums of its tries, and how many reported none. */
struct spendcap_toll {
	double dollars;
	double pieces; /* of these, what is billed by the piece */
	long long tokens;
	int nodollars, notokens;
};

/*
 * The call is over: what it took.  A try that did not say counts as the
 * share, which is added to t.  Tokens of the answer (-1: not known) make
 * the guess for the next ones.
 */
void spendcap_paid(const struct spendcap_share *s, struct spendcap_toll *t,
    long long answer);

/* Spent by an earlier run of the same job. */
void spendcap_spent(double dollars);

#endif
