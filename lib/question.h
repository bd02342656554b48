#ifndef QUESTION_H
#define QUESTION_H

/* What we ask a model beside a turn: one message of the user's. */

#include "buf.h"

/*
 * Put the request and the end of its conversation.  id NULL for none, as
 * model if nobody names one.
 */
void question_put(const struct buf *id, const char *model,
    const struct buf *text);

#endif
