#ifndef SHOW_H
#define SHOW_H

/*
 * What a user at a terminal sees of the calls: a line for each as it starts,
 * to which its end is added, or, where others were shown since, a line of its
 * own.  On standard error or, in an agent that another toolrun has started,
 * on the descriptor that TURNPIPE_SHOW_FD names.  TURNPIPE_SHOW says how
 * much (terminal_show); without a terminal there is nothing.
 */

#include "job.h"

void show_setup(void);

/* The terminal that an agent is to show its calls on; -1 for none. */
int show_fd(void);

/* A call that may run is about to start: before anything is changed by it. */
void show_start(struct job *j);

/* It is done, or was refused.  Once for each: the second time does nothing. */
void show_end(struct job *j);

/* A signal came, so perhaps ^C stands behind the open line. */
void show_stop(void);

/* Something else is printed: what is open ends its line. */
void show_break(void);

#endif
