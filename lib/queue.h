#ifndef QUEUE_H
#define QUEUE_H

/*
 * The calls of a process and what passes by them: input order is output
 * order, however many calls are under way.
 */

#include <stddef.h>

#include "record.h"

struct queue_options {
	size_t jobs; /* calls at a time */
	int whole;   /* no call before its conversation's end has come */
};
extern struct queue_options queue_options;

/* Is there room for another record of input? */
int queue_room(void);

/* Anything not written yet? */
int queue_busy(void);

/* Calls under way. */
size_t queue_open(void);

/* Pass a record on, behind the answers that are still out. */
void queue_pass(const struct rec *r);

/* Take a request. */
void queue_request(const struct rec *r);

/*
 * A conversation is at its end (ok), or has failed: its requests are begun,
 * or dropped.
 */
void queue_close(int ok);

/* Put a record of our own, with its newline, in its place. */
void queue_put(const struct buf *b);

/*
 * Begin what can begin, and work until something happened: an answer, input
 * on descriptor in (-1: not wanted) or on stop; 1 if input can be read.
 */
int queue_work(int in);

/* Break off what is under way, and write all that can be written. */
void queue_interrupt(void);

/* The exit status: that of the first call that failed. */
int queue_status(void);
void queue_fail(int code);

#endif
