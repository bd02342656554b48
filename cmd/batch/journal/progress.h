#ifndef PROGRESS_H
#define PROGRESS_H

/*
 * One line on a terminal's standard error that says how far a batch is;
 * rewritten in place, taken away before anything else is said there, gone
 * at the end.  In a log it is a line a minute.
 */

#include <stddef.h>

#include "buf.h"

/*
 * Show it, if standard error is a terminal that can do that and standard
 * output is not; if standard error is no such terminal and log is set, write
 * it once a minute.  So many lines of input come; 0: not known.
 */
void progress_open(size_t lines, int log);

/* Is it rewritten in place, so that no other line may go there? */
int progress_moves(void);

/* Is fd a terminal that can rewrite a line?  Rewrite it; b is emptied. */
int progress_can(int fd);
void progress_put(int fd, struct buf *b);

/* A line of input was read: a request, or something else. */
void progress_line(int request);

/*
 * A request is answered, with this status; found: without having been asked
 * now.  Tokens -1 and dollars NAN where they are not known.
 */
void progress_done(int code, int found, long long tokens, double dollars);

/*
 * Show it anew if it is time, with the number of calls under way; clock_ms
 * when it will be time again, or LLONG_MAX.
 */
long long progress_tick(long long now, size_t flight);

/* Take its line away, so that another can be printed; it comes again. */
void progress_clear(void);

/* Append a number of tokens, and seconds, as its line has them. */
void progress_number(struct buf *b, double v);
void progress_time(struct buf *b, double s);

/* Take it away for good. */
void progress_close(void);

#endif
