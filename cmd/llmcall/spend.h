#ifndef SPEND_H
#define SPEND_H

/* What a call may take of the purse. */

#include "order.h"
#include "purse.h"

/* What a request takes, in tokens: its text, and its pictures. */
long long spend_tokens(const struct call *c);

/*
 * Ask the purse for a call that is ready, whose request has i->tokens.
 * Where the answer is never, why says it for people; it is told on stderr,
 * of calls that are too dear the first one.
 */
enum purse_word spend_ask(struct item *i, struct buf *why);

#endif
