#ifndef RING_H
#define RING_H

/*
 * A stream of many sessions, which the driver's ring makes: the session record
 * at the head of a conversation says whose it is.  Only there: by hand such a
 * record steers nothing.
 */

#include "record.h"

/* TURNPIPE_RING: does this process belong to a ring? */
int ring_isset(void);

/* Of a session record; a zeroed struct is ready.  Strings are owned. */
struct ring {
	char *session, *run, *cwd; /* absolute paths */
	long long deadline;	   /* clock_ms; 0 for none */
};

/* Take one in place of the last; a path that is not absolute dies. */
void ring_take(struct ring *g, const struct rec *r);

#endif
