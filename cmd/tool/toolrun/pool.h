#ifndef POOL_H
#define POOL_H

/*
 * Several conversations at once, each in a child that begins as we are.  Input
 * is read on while they work and waits in memory; what a child writes goes out
 * in one piece, with the end of its conversation, in the order in which they
 * are done; of one at a time, each record as it comes.
 */

#include <signal.h>
#include <stddef.h>

/* What the children get when our parent dies, where the system knows that. */
enum { POOL_ORPHANED = SIGUSR1 };

/*
 * In the child: serve a conversation, n bytes of checked records without its
 * end, and return the exit status.  whole: it had an end.  A null byte is the
 * last that it writes: what came before is all.
 */
typedef int pool_serve(const char *p, size_t n, int whole);

/*
 * Serve standard input, most conversations at a time.  tell is called with the
 * status of each.  On SIGINT, SIGTERM, SIGHUP and SIGALRM the children get the
 * signal, what they write goes out, and we die of it.
 */
void pool_run(size_t most, pool_serve *serve, void (*tell)(int status));

#endif
