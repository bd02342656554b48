#ifndef WATERMARK_H
#define WATERMARK_H

/*
 * How far a session was read for facts: the number of a record, in the file
 * facts.mark of its run directory.  A request's id says which session is
 * asked about and how far, and comes back on all that a call answers: so the
 * mark moves when an answer was taken, and a call that failed is made again.
 * The file's second number counts failed attempts.
 */

#include "buf.h"

/* The mark of a session, 0 if there is none. */
long long watermark_read(const char *session);

/* Append the id of a request about a session up to record n. */
void watermark_id(struct buf *b, const char *session, long long n);

/* The session of an id and how far it was asked about; NULL if not ours. */
const char *watermark_session(const char *id, long long *n);

/*
 * The answer to the request of this id was taken.  An id that is not ours
 * means nothing.  Dies if the mark cannot be written.
 */
void watermark_take(const char *id);

/* The answer was of no use.  The second such one counts as taken. */
void watermark_miss(const char *id);

#endif
