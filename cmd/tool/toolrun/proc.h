#ifndef PROC_H
#define PROC_H

/*
 * Run programs with limits: a session and process group of its own, stdin
 * from memory, stdout and stderr read as they come, a timeout, and a stop
 * that reaches the whole group: TERM, some grace, KILL.  At most PROC_MANY
 * at once.
 */

#include <stddef.h>
#include <sys/types.h>

#include "supervisor.h"

enum { PROC_MANY = 16 };

/*
 * Bytes that came on descriptor from (1 or 2); or with from PROC_HEARD and
 * none of them: the descriptor heard of the proc can be read.
 */
typedef void proc_data(int from, const char *p, size_t n, void *arg);

enum { PROC_HEARD = 3 };

struct proc {
	int done;
	int status;   /* as waitpid gives it, when done and err is 0 */
	int err;      /* errno of what kept it from starting */
	int lost;     /* errno of a read from it that failed: it may have done
			 more than is known */
	int timedout; /* it was stopped for that */
	pid_t pid;    /* the leader of its group; good until done */
	int heard;    /* one more descriptor to wait for, the caller's to set
			 once it is started, and to close; 0: none */
	proc_data *data;
	void *arg;
	/* The rest is proc.c's. */
	struct proc_spec spec;
	pid_t supervisor;
	int fd[4]; /* stdin, stdout, stderr, the keeper's word; -1 closed */
	struct word word; /* of which nword bytes have come */
	size_t nword;
	size_t fed;
	long long deadline, killat;
	int over;   /* the child has ended */
	int killed; /* its group was sent KILL */
	struct proc *next;
};

/*
 * Prepare this process: descriptors 0 to 2 open, others not inherited by
 * children, signals as they come in a shell's foreground.  Once, before
 * anything else opens a file.
 */
void proc_init(void);

/* Start it; what fails shows as done with err set. */
void proc_start(struct proc *p, const struct proc_spec *spec,
    proc_data *data, void *arg);

/*
 * Wait until something happens to one that runs, or a signal is noted, and
 * do what is to be done.  At once where none runs.
 */
void proc_wait(void);

/* TERM to the group, KILL after the grace (now, with it 0). */
void proc_stop(struct proc *p, long long grace);

#endif
