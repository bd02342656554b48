#ifndef SUPERVISOR_H
#define SUPERVISOR_H

/*
 * The small process between us and a program that we run (proc.h).  It
 * outlives us: it holds the descriptor that TURNPIPE_LOCK_FD names until
 * the program has ended, and ends that at its timeout if we are gone.  A
 * program that is stopped, or whose time is up, takes along all that descends
 * from it, where the system shows that (Linux: prctl(2), proc(5)); what a
 * program leaves in the background when it ends by itself lives on.  Neither
 * the program nor what it leaves in the background has the descriptor.
 */

#include <signal.h>
#include <stddef.h>

enum {
	SHOW_FD = 5,	     /* of an agent: show.h */
	SUPERVISOR_FDS = 256 /* descriptors below this are closed */
};

/*
 * What it is sent: the program is being stopped, so end what it leaves (sent
 * before the program's own signal); and use KILL for that from now on.
 */
enum { SUPERVISOR_STOP = SIGUSR1, SUPERVISOR_KILL = SIGUSR2,
	SUPERVISOR_LEASH = SIGTERM };

/* The program to run. */
struct proc_spec {
	const char *path; /* absolute */
	char *const *argv; /* NULL: the path alone */
	int programs;	/* it runs programs: sandbox.h */
	int isagent;	/* its tools have a sandbox of their own */
	int speak;	/* becomes its descriptor 3; 0: none */
	int asks;	/* becomes its descriptor 9: relay.h; 0: none */
	int show;	/* becomes its SHOW_FD; 10 or more, 0: none */
	char *const *env; /* NULL at its end */
	const char *in;   /* stdin; must stay until it is done */
	size_t nin;
	long long timeout; /* milliseconds; 0: none */
	long long grace;   /* from TERM to KILL, milliseconds */
	int leashed;	   /* ended when we are gone, where the system says so,
			      and leaves nothing in the background */
};

/* A message of the keeper: less than PIPE_BUF, so it comes whole. */
struct word {
	enum word_what { WORD_PID, WORD_ERRNO, WORD_STATUS } what;
	int value;
};

/*
 * Be the keeper, in a process just forked: run spec with these descriptors
 * as 0 to 2, in a session of its own.  Writes its pid to tell, or errno; then
 * errno if it cannot be executed, and the status that waitpid gave.
 */
_Noreturn void supervisor(const struct proc_spec *spec, const int io[3], int tell);

#endif
