#ifndef BATCHLINE_H
#define BATCHLINE_H

/*
 * The lines of a provider's batch service: {"custom_id","method","url",
 * "body"} in, {"id","custom_id","response","error"} out, as OpenAI's Batch
 * API has them.  llmcall(1), BATCH LINES.
 */

#include "call.h"
#include "record.h"

/*
 * Die at the place if object at of r, a request, has no messages or a model
 * without a name: it would go out as another question.
 */
void batchline_check(const struct rec *r, int at);

/*
 * The request record made of a REC_UNTYPED, appended to b; its
 * custom_id becomes the id.  Dies at the place if it is no such line.
 */
void batchline_request(struct buf *b, const struct rec *r);

/*
 * Replace the records of a call that is over by one line.  key names the
 * line: the same request, the same name.
 */
void batchline_answer(struct call *c, unsigned long long key);

#endif
