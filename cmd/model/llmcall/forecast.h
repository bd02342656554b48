#ifndef FORECAST_H
#define FORECAST_H

/* What requests will take, before any is sent. */

#include "call.h"

/* Tokens of a request that is prepared: its text, and its pictures. */
long long forecast_prompt(const struct call *c);

/* The longest answer that it allows, in tokens; 0 if it does not say. */
long long forecast_answer(const struct json *request);

/*
 * Read all requests of standard input and send none: print their number,
 * tokens and price, and on standard error the place of the first with each
 * fault.  dollars is the limit of -C, or 0.  0, or the exit status of the
 * first that cannot be sent.
 */
int forecast(double dollars);

#endif
