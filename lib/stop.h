#ifndef STOP_H
#define STOP_H

/*
 * SIGINT, SIGTERM and SIGHUP, met at a place of our choosing: what sh starts
 * with & inherits SIGINT ignored, so the first two are set here in any case.
 */

/*
 * From now on they end the process at once, or, while armed, are only
 * noted; the second of a kind ends it, whatever it waits for.
 */
void stop_arm(int armed);

/* The signal that came, or 0. */
int stop_signal(void);

/* A descriptor that can be read once one came. */
int stop_fd(void);

/* Die of that signal. */
_Noreturn void stop_die(int sig);

#endif
