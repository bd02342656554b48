#ifndef ANSWERER_H
#define ANSWERER_H

/*
 * The command that answers: started when there is something to give, and
 * again when it ended early.  Nothing here waits for it but answerer_end.
 */

#include <poll.h>
#include <stddef.h>

#include "buf.h"

/* What it is; env_set is called before each start. */
void answerer_set(char **argv, void (*env_set)(void));

/* Is it running? */
int answerer_isopen(void);

/* Start it; dies if it cannot be. */
void answerer_start(void);

/* What waits to be written: lines are appended; its bytes. */
struct buf *answerer_input(void);
size_t answerer_waiting(void);

/* Does it take more?  Not after this: it gets no more than what waits. */
int answerer_takes(void);
void answerer_close(void);

/* What to poll for it: *n more, at most three. */
void answerer_poll(struct pollfd *p, int *n);

/*
 * Write and read what can be.  Each whole line goes to take; 0 when its output
 * has come to its end.
 */
int answerer_move(void (*take)(const char *s, size_t n));

/* Its output has ended: what waits is dropped; its status, as a shell has it. */
int answerer_end(void);

/* Pass a signal on. */
void answerer_kill(int sig);

#endif
