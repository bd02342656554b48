#ifndef VERDICT_H
#define VERDICT_H

/*
 * What became of a try: an answer, another try, or the end of the call with
 * an exit status.  turnpipe(7), EXIT STATUS.
 */

#include "callstate.h"

/* There is no usable answer: the connection, or the time, was the trouble. */
void verdict_transport(struct call *c);

/* The server said what is wrong, with a status of its own or at 200. */
void verdict_fault(struct call *c);

/* An answer came: is it whole, and is it one? */
void verdict_answer(struct call *c);

#endif
