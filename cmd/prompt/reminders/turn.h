#ifndef TURN_H
#define TURN_H

/*
 * The running turn as the messages of a conversation show it: those after
 * the user's last one.  Messages are looked at as they pass; only the
 * results of the last step are kept.
 */

#include <stddef.h>
#include <time.h>

#include "buf.h"
#include "record.h"

struct turn {
	int seen;	/* were there messages at all? */
	long long calls; /* results of the turn, */
	long long good; /* and those that are no errors */
	long long step_calls, step_good; /* of its last step */
	long long misses; /* whole answers without a call */
	time_t begun;	/* when the user wrote; -1 if unknown */
};

void turn_take(const struct rec *r);

/* What was taken so far; owned by us, good until the next take or reset. */
const struct turn *turn_now(void);

/* Append what the last results' tools say of themselves, in lines. */
void turn_context(struct buf *b);

void turn_reset(void);

#endif
