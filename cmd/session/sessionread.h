#ifndef SESSIONREAD_H
#define SESSIONREAD_H

/*
 * A session read back from its end: the messages that no summary replaces, as
 * far as the limits want, and the facts in the records between them.
 */

#include <time.h>

#include "chat.h"
#include "session.h"
#include "statefacts.h"
#include "tail.h"
#include "window.h"

/* How much of it no summary replaces, as far as was read. */
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
	long long through; /* the last summary replaces up to here, or 0 */
	time_t folded;	   /* its time, 0 for none */
	int refused; /* what the model did not answer goes (class message) */
};

/* The settings of histfit. */
void sessionread_limits(struct window *f);
void sessionread_names(struct statefacts_names *names);

/*
 * Open the file and count it.  0 if it is missing: a session without
 * messages.  A torn last line is skipped with a warning.
 */
int sessionread_open(struct sessionread *p, const char *path);

/*
 * Read back to the messages that the last summary replaces, or as far as the
 * limits of f want.  A turn that is cut is read to its beginning.
 */
void sessionread_load(struct sessionread *p, const struct window *f);

/*
 * Make the view and shorten it, with the text of share/.  A skill's text stays as
 * long as its message, because the model works by it.
 */
void sessionread_view(struct sessionread *p, const struct window *f,
    const struct statefacts_names *names);

#endif
