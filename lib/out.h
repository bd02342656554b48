#ifndef OUT_H
#define OUT_H

/*
 * Standard output: whole records, gathered into blocks of 16 kB, every
 * write error met.  Dies with EX_IOERR (74) when stdout cannot be written;
 * SIGPIPE stays what it is, so "| head" ends a command silently.  To a
 * terminal goes what terminal_clean() leaves of it.
 */

#include <stddef.h>

#include "buf.h"

/* Set before all else: the command itself says what the terminal is to obey. */
extern int out_plain;

/*
 * For those that watch other descriptors too: while it is set, what standard
 * output does not take at once stays here, and out_waits says so.  Only for
 * what is no terminal.
 */
extern int out_polled;
int out_waits(void);

/* Append bytes; they are copied. */
void out_add(const void *p, size_t n);

/*
 * Append bytes without a copy: they must stay where they are until the next
 * out_flush.  Adjacent ones are joined.
 */
void out_pass(const char *p, size_t n);

/* Append b and a newline as one record, and empty b. */
void out_record(struct buf *b);

/* Did a write to standard output fail?  Then nothing more can go there. */
int out_failed(void);

/* Write what is there; out_polled: of it, what is taken at once. */
void out_flush(void);

/*
 * Flush and close stdout, so that errors which only close(2) reports are
 * seen too.  The last call of every main.
 */
void out_end(void);

#endif
