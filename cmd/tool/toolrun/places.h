#ifndef PLACES_H
#define PLACES_H

/*
 * Where a call's path arguments lead, of a tool whose record names them
 * (paths): roots.h.
 */

#include "toolcall.h"

struct places {
	struct strs real;    /* of all, absolute, links followed */
	struct strs named;   /* of all, absolute, as they are written */
	struct strs outside; /* paths that need the user's word, no links */
	struct buf text;     /* "PATH: why", one a line, of all these */
	int hidden;	     /* of these, one hidden or a hard link */
	int never;	     /* one that is not to be had at all; text says it */
};

/* Fill p, in place of what it holds. */
void places_judge(struct places *p, const struct toolcall *c);

/* Hand on to the tool what the user agreed to: TURNPIPE_AGREED. */
void places_agreed(struct strs *env, const struct toolcall *c);

#endif
