#ifndef LOCK_H
#define LOCK_H

/*
 * A lock is an flock(2) on a file that is never removed.  A process that
 * inherits the descriptor holds it too, until the last of them is gone.
 */

#include "buf.h"

/*
 * Take the lock on path (created 0600), waiting at most ms milliseconds;
 * -1 waits without end.  The descriptor; -1 and errno, EWOULDBLOCK when it
 * stayed taken.  The descriptor is close-on-exec.
 */
int lock_take(const char *path, long long ms);

/* The descriptor of a lock that is inherited, as agentpool(1) names it in
 * TURNPIPE_LOCK_FD; -1 if there is none. */
int lock_inherited(void);

/* Does a process hold the lock on path that we do not share it with? */
int lock_others(const char *path);

/* Write "PID@HOST WHAT" into the lock's file, for others to name the holder. */
void lock_sign(int fd, const char *what);

/*
 * The holder's pid and what it is, as lock_sign left it; 0 if unknown.  What
 * is on another host has a pid below 0, of which nothing else can be known.
 */
long lock_holder(const char *path, struct buf *what);

#endif
