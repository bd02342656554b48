#ifndef PROGRESS_H
#define PROGRESS_H

/*
 * One line on a terminal's standard error that says how far a batch is;
 * rewritten in place, taken away before anything else is said there, gone
 * at the end.  In a log it is a line a minute.
 */

#include <stddef.h>
#include <time.h>

#include "buf.h"
#include "journal.h"

/*
 * Show it, if standard error is a terminal that can do that and standard
 * output is not; if standard error is no such terminal and log is set, write
 * it once a minute.  Returns the number of lines to come, taken from standard
 * input if that is a file; else 0.
 */
size_t progress_open(int log);

/* A line of input was read: a request, or something else. */
void progress_line(int request);

/*
 * A call is over, with this status; found: without having been made now.
 * Tokens -1 and dollars NAN where they are not known.
 */
void progress_done(int code, int found, long long prompt,
    long long completion, double dollars);

/*
 * Show it anew if it is time, with the number of calls under way; clock_ms
 * when it will be time again, or LLONG_MAX.
 */
long long progress_tick(long long now, size_t flight);

/* Take its line away, so that another can be printed; it comes again. */
void progress_clear(void);

/* Append a line that says how far a journal is. */
void progress_status(struct buf *b, const struct journal_status *st,
    time_t now);

/* Take it away for good. */
void progress_close(void);

#endif
