#ifndef STOP_H
#define STOP_H

/*
 * SIGINT and SIGTERM, met at a place of our choosing: what sh starts with &
 * inherits SIGINT ignored, so both are set here in any case.
 */

/*
 * From now on both end the process at once, or, while armed, are only
 * noted.
 */
void stop_arm(int armed);

/* The signal that came, or 0. */
int stop_signal(void);

/* A descriptor that can be read once one came. */
int stop_fd(void);

/* Die of that signal. */
_Noreturn void stop_die(int sig);

#endif
