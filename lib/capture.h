#ifndef CAPTURE_H
#define CAPTURE_H

/*
 * Short questions to other programs ("git status"): started side by side,
 * their output read, given up together when the time is over.  No input; for
 * what may run long there is proc.
 */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum { CAPTURE_MAX = 1 << 22 }; /* bytes of output */

enum capture_state {
	CAPTURE_NONE,	/* not started, or the program is not there */
	CAPTURE_RUNS,
	CAPTURE_DONE,	/* out and status are all there */
	CAPTURE_GIVENUP /* too slow or too much */
};

/* A zeroed struct is ready. */
struct capture {
	struct buf out;
	enum capture_state state;
	int status; /* as waitpid gives it */
	pid_t pid;
	int fd;
	int isgroup; /* set by the caller: it has a process group of its own,
			all of which is ended when it is given up; it cannot
			ask at the terminal */
};

/*
 * Start argv[0], found along PATH, with this environment (NULL: ours);
 * errors says whether its standard error is taken with the output or thrown
 * away.  0, or -1 and errno.
 */
int capture_start(struct capture *c, char *const argv[], char *const env[],
    int errors);

/* Wait for all n, at most ms milliseconds; those that run then are killed. */
void capture_wait(struct capture *c, size_t n, long long ms);

#endif
