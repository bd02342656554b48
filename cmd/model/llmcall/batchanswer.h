#ifndef BATCHANSWER_H
#define BATCHANSWER_H

/*
 * The answers of a provider's batch service: {"id","custom_id","response",
 * "error"}, as OpenAI's Batch API has them.  llmcall(1), BATCH LINES.
 */

#include "call.h"

/*
 * Replace the records of a call that is over by one line.  key names the
 * line: the same request, the same name.
 */
void batchanswer_put(struct call *c, unsigned long long key);

#endif
