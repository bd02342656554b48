#ifndef INTAKE_H
#define INTAKE_H

/*
 * What of the stream becomes a call, what passes by, and what forbids
 * calls.  turnpipe-record(5).
 */

#include "record.h"

/*
 * Make this command a filter (record.h) of requests.  Bad input ends it, but
 * first what was asked before is answered.
 */
void intake_open(void);

/* Take in the next record. */
void intake_record(struct rec *r);

/* The end of input: say so if it had messages but no request. */
void intake_close(void);

#endif
