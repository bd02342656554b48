#ifndef BATCH_H
#define BATCH_H

/*
 * A call of batch: calls of other tools in one.  Each is a job of its own,
 * with the id of the call, a slash and its number; their results are one.
 */

#include "job.h"
#include "toolcall.h"

enum { BATCH_MAX = 5 }; /* calls in one */

/*
 * Put its calls into parts, which is empty.  0, or -1 with a result that
 * says why not in why.
 */
int batch_open(
    const struct toolcall *c, struct toolcalls *parts, struct buf *why);

/*
 * The result of j from those of its n parts, which are done; frees these.
 * What the parts say is at most max bytes: of those that have more than an
 * equal share of it the middle is left out.
 */
void batch_gather(struct job *j, struct job *parts, size_t n, size_t max);

#endif
