#ifndef WATERMARK_H
#define WATERMARK_H

/*
 * How far a session was read for facts: the number of a record, kept in
 * facts.mark of the run directory (TURNPIPE_RUN).  Asking notes how far the
 * question reaches, taking an answer makes that the mark: a call that failed
 * is asked again.  Without a run directory nothing is kept.
 */

/* The mark, 0 if there is none. */
long long watermark_read(void);

/* A question reaches up to record n.  Dies if that can not be kept. */
void watermark_ask(long long n);

/* The answer to the last question was taken. */
void watermark_take(void);

#endif
