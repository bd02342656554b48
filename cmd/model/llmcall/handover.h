#ifndef HANDOVER_H
#define HANDOVER_H

/*
 * Requests that a provider's batch service (service.h) answers: handed over
 * in one run, their answers taken in a later one.  The journal says what is
 * where, so that a run killed at any moment can be started again: no request
 * is in two batches, no answer is lost.  llmcall(1), BATCH SERVICES.
 */

#include <stdint.h>

#include "call.h"

enum handover_mode { HANDOVER_NONE, HANDOVER_TO, HANDOVER_FROM };
extern enum handover_mode handover_mode;

/*
 * Hand over to this provider's service.  Settles batches of which an earlier
 * run did not learn whether they were made.  The journal is open.
 */
void handover_to(const char *provider);

/*
 * Wait for the batches of the journal, ms at most (-1: any), and read their
 * answers.  Dies with EX_TEMPFAIL when the time is over.
 */
void handover_from(long long ms);

/*
 * Take a call that is ready and that the journal has no answer to: it is put
 * into a batch, or gets its answer.  It is over then.
 */
void handover_call(struct call *c, uint64_t key);

/* The input has ended: what is not handed over yet is; what is over is noted. */
void handover_end(void);

#endif
