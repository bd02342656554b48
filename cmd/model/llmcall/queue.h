#ifndef QUEUE_H
#define QUEUE_H

/*
 * The calls of a process: begun as there is room and leave (concurrency.h,
 * ratelimit.h), written in their place (order.h).
 */

#include <stddef.h>

#include "order.h"
#include "record.h"

struct queue_options {
	size_t jobs; /* calls at a time */
	int whole;   /* no call before its conversation's end has come */
	int journal; /* journal(1) asks: its ids, and marks for it */
};
extern struct queue_options queue_options;

/* Is there room for another record of input? */
int queue_room(void);

/* Anything not written yet? */
int queue_busy(void);

/* Calls under way, or about to be. */
size_t queue_open(void);

/*
 * Take a request, or a REC_UNTYPED that is a batch line.  A conversation
 * may have many.
 */
void queue_request(const struct rec *r);

/*
 * A conversation is at its end (ok), or has failed: its requests that were
 * held are begun, or dropped.
 */
void queue_close(int ok);

/*
 * Begin what can begin, and work until something happened: an answer, input
 * on descriptor in (-1: not wanted) or on stop; 1 if input can be read.
 */
int queue_work(int in);

/*
 * If a signal came (signals.h), break off what is under way, write all that can
 * be written, and die of it.
 */
void queue_interrupt(void);

/* The input ended in a fault: wait for what is under way, drop what is held. */
void queue_drain(void);

/*
 * The exit status: that of the first call whose failure is not final, else of
 * the first that failed.
 */
int queue_status(void);
void queue_fail(int code);

#endif
