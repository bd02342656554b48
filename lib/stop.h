#ifndef STOP_H
#define STOP_H

/*
 * SIGINT, SIGTERM and SIGHUP, met at a place of our choosing: what sh starts
 * with & inherits SIGINT ignored, so the first two are set here in any case.
 */

enum {
	STOP_AT_ONCE, /* they end the process */
	STOP_ONCE,    /* noted; the second ends it, whatever it does */
	STOP_ASKED    /* noted, all of them */
};

/* What is done from now on. */
void stop_arm(int how);

/* The first signal that was noted, or 0; and how many were. */
int stop_signal(void);
int stop_times(void);

/* A descriptor that can be read once one came. */
int stop_fd(void);

/* Die of that signal. */
_Noreturn void stop_die(int sig);

/* Its default action, and no block, whatever was inherited. */
void stop_default(int sig);

/* Set what is done with a signal; no other one is held meanwhile. */
void stop_handle(int sig, void (*f)(int));

#endif
