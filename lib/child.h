#ifndef CHILD_H
#define CHILD_H

/*
 * Starting a program.  It has our working directory and umask, SIGPIPE and
 * SIGXFSZ at their defaults, and of our descriptors those that are not
 * close-on-exec.  A script needs its #! line.  Two fork by themselves, since posix_spawn has no session, limit
 * or sandbox and cannot report on them: toolhold's servers and toolrun's
 * supervisor.  histfit -A, toolrun -j and toolhold fork to go on in their own
 * code; no program is started there.
 */

#include <signal.h>
#include <sys/types.h>

#include "buf.h"

enum { CHILD_NULL = -1 }; /* /dev/null */

struct child {
	int fd[3];	      /* what its 0, 1 and 2 are, set in this order as
				 a shell does: a last 1 is 2>&1; borrowed */
	int isgroup;	      /* it leads a process group of its own */
	char *const *env;     /* NULL: ours */
	const sigset_t *mask; /* signals that it blocks; NULL: as we do */
};

/*
 * The program of that name in the absolute directories of PATH, in place of
 * what b holds; 0 if there is none, and b is empty.
 */
int child_path(struct buf *b, const char *name);

/* argv[0] is found along PATH.  0, or -1 and errno: none was started. */
int child_start(pid_t *pid, const struct child *c, char *const *argv);

/* This process becomes argv; dies of EX_NOPERM or EX_NOINPUT if it cannot. */
_Noreturn void child_become(char *const *argv);

/* Die of errno, which child_start has set, in the same way. */
_Noreturn void child_fail(const char *name);

/* The same, its output (fd[1], set here) a pipe; *fd is our end. */
int child_read(pid_t *pid, struct child *c, char *const *argv, int *fd);

/* Wait until it ends: the status as waitpid gives it, or -1 and errno. */
int child_wait(pid_t pid);

#endif
