#ifndef SESSIONREAD_H
#define SESSIONREAD_H

/*
 * A session read back from its end: what no summary stands for, as far as
 * somebody wants it, and what the records between the messages tell.
 */

#include <time.h>

#include "chat.h"
#include "session.h"
#include "statefacts.h"
#include "tail.h"
#include "window.h"

/* How much of it no summary stands for, as far as was read. */
struct sessionread_fresh {
	long long messages, turns;
	long long tokens; /* old results as fit shortens them */
	long long chars;  /* bytes said by user and model */
};

/* Zeroed but for the first two, it is ready. */
struct sessionread {
	struct chat *chat;
	struct statefacts *statefacts;
	struct session_count count;
	struct tail tail;
	struct sessionread_fresh fresh;
	long long through; /* what the last summary stands for, 0: nothing */
	time_t folded;	   /* its time, 0 for none */
};

/* The settings of histfit: what is not set in f (< 0), and the names. */
void sessionread_limits(struct window *f);
void sessionread_names(struct statefacts_names *names);

/*
 * Open the file and count it.  0 if there is none: a session without
 * messages.  A torn last line is told and skipped.
 */
int sessionread_open(struct sessionread *p, const char *path);

/*
 * Read back to what the last summary stands for, or as far as the limits of
 * f want.  Where a turn is cut it is read to its beginning.
 */
void sessionread_load(struct sessionread *p, const struct window *f);

/*
 * Repair and shorten, with the texts of share/.  What a skill says stays as
 * long as its message: who loaded it goes by it.
 */
void sessionread_view(struct sessionread *p, const struct window *f,
    const struct statefacts_names *names);

#endif
