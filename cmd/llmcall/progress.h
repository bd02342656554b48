#ifndef PROGRESS_H
#define PROGRESS_H

/*
 * One line on a terminal's standard error that says how far a batch is;
 * rewritten in place, taken away before anything else is said there, gone
 * at the end.
 */

/*
 * Show it, if standard error is a terminal that can do that and standard
 * output is not.  The number of requests to come is taken from the lines of
 * standard input, if that is a file.
 */
void progress_open(void);

/* A line of input was read: a request, or something else. */
void progress_line(int request);

/*
 * A call is over, with this status; found: without having been made now.
 * Tokens -1 and dollars NAN where they are not known.
 */
void progress_done(int code, int found, long long prompt,
    long long completion, double dollars);

/* Show it anew if it is time; clock_ms when it will be, or LLONG_MAX. */
long long progress_tick(long long now);

/* Take its line away, so that another can be printed; it comes again. */
void progress_clear(void);

/* Take it away for good. */
void progress_close(void);

#endif
