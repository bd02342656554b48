#ifndef BATCHLINE_H
#define BATCHLINE_H

/*
 * The requests of a provider's batch service: {"custom_id","method","url",
 * "body"}, as OpenAI's Batch API has them.  llmcall(1), BATCH LINES.
 */

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

#endif
