#ifndef ANSWER_H
#define ANSWER_H

/* The records that a call has to say.  turnpipe-record(5). */

#include "call.h"

/*
 * The assistant's message.  A partial one has no calls: those that were
 * dropped are counted in tp.
 */
void answer_message(struct call *c, int partial, int interrupted);

/* Tokens and milliseconds; what is not known is left out. */
void answer_usage(struct call *c);

/* It was cut off: estimates of what its server has not counted. */
void answer_guess(struct call *c);

/*
 * Add what the try that is over took to c->toll: dollars as the server says,
 * else by the price list.  One that got nothing of an answer takes nothing.
 */
void answer_toll(struct call *c);

/*
 * What we take the request for, in tokens, so that a reader of the log can
 * repair the estimates by what the provider counted; -1 if it holds pictures,
 * whose tokens no count of letters gives.
 */
long long answer_estimate(const struct call *c);

/* wait: milliseconds that the server wants us to stay away, or -1. */
void answer_error(struct call *c, int code, struct buf *msg, long long wait);

/* The same, printed on standard error too; code is the call's exit status. */
void answer_fail(struct call *c, int code, const char *msg, long long wait);

/*
 * "ID: ", to begin a line on standard error where several calls are under
 * way; else "".  Good until the next call.
 */
const char *answer_name(const struct call *c);

/* The server's id of the request, or NULL. */
const char *answer_request_id(const struct call *c);

#endif
