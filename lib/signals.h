#ifndef SIGNALS_H
#define SIGNALS_H

/*
 * SIGINT, SIGTERM, SIGHUP and SIGALRM (of agentpool -t), met at a chosen
 * place: a command that sh starts with & inherits SIGINT ignored, so the first
 * two are set here in any case.
 */

enum {
	SIGNALS_AT_ONCE, /* they end the process */
	SIGNALS_ONCE,    /* noted; the second ends it, whatever it does */
	SIGNALS_ASKED    /* noted, all of them */
};

/* The handling from now on. */
void signals_arm(int how);

/* In a fork that goes on by itself: none came, and they end it. */
void signals_forget(void);

/* The first signal that was noted, or 0; and how many were. */
int signals_caught(void);
int signals_times(void);

/* A descriptor that can be read once one came. */
int signals_fd(void);

/* Die of that signal. */
_Noreturn void signals_die(int sig);

/* Its default action, and no block, whatever was inherited. */
void signals_default(int sig);

/* Set the handler of a signal; no other one is held meanwhile. */
void signals_handle(int sig, void (*f)(int));

#endif
