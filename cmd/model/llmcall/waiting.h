#ifndef WAITING_H
#define WAITING_H

/*
 * A sign of life on standard error while nothing of an answer can be shown:
 * how long it takes, from half a second on.  Only on a terminal that takes
 * escape sequences, and only where TURNPIPE_SHOW asks for it.
 */

/* Look whether that is so; without it nothing is ever shown. */
void waiting_open(void);

/* A call begins; of a call that is tried again nothing is begun anew. */
void waiting_begin(void);

/* The model's first byte came, but no text yet. */
void waiting_thinks(void);

/* Text is shown, or the call is over: it is erased, and stays away. */
void waiting_end(void);

/* Something else is printed: it is erased, and comes again. */
void waiting_clear(void);

/* Print what is due; when it is to be called again (clock_ms). */
long long waiting_tick(long long now);

#endif
