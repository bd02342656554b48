#ifndef CALL_H
#define CALL_H

/*
 * One model call: a request record in, the records of its answer out, over
 * as many tries as it takes.  Nothing that is half an answer passes for a
 * whole one: what broke off is a message with tp.partial, without calls,
 * and an error record.
 */

#include "callstate.h"

/*
 * Who is asked, with which key: then it is CALL_READY.  Over if that can not
 * be told.
 */
void call_prepare(struct call *c);

/* Begin, or go on after a pause. */
void call_step(struct call *c);

/* Break it off: what has come becomes a partial, interrupted message. */
void call_interrupt(struct call *c);

#endif
