#ifndef RING_H
#define RING_H

/*
 * A stream of many sessions, which the driver's ring makes: the session record
 * at the head of a conversation says whose it is.  Only there: by hand such a
 * record steers nothing.
 */

#include "record.h"

/* TURNPIPE_RING, the directory of the sessions; NULL: there is no ring. */
const char *ring_dir(void);
int ring_isset(void);

/* Of a session record; a zeroed struct is ready.  Strings are owned. */
struct ring {
	char *session, *run, *cwd; /* absolute paths; cwd may be NULL: */
				   /* it cannot be entered */
	char *agent;		   /* NULL for the one of the settings */
	long long deadline;	   /* clock_up_ms; 0 for none */
};

/* Take one in place of the last; a path that is not absolute dies. */
void ring_take(struct ring *g, const struct rec *r);

/*
 * Go to cwd, which is not NULL; TURNPIPE_SESSION, TURNPIPE_RUN, TURNPIPE_AGENT
 * and PWD are set.  0, or -1 and errno.
 */
int ring_go(const struct ring *g);

/*
 * For a filter, which has one conversation at a time: of a session record, in a
 * ring, go where it says; any other record does nothing.  A directory that
 * cannot be entered is a fault of the conversation (record_fault_sys).
 */
void ring_enter(const struct rec *r);

#endif
