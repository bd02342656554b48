#ifndef COMPACT_H
#define COMPACT_H

/*
 * When a conversation is folded into a summary, and how much of it: whole
 * turns, the oldest first; of the running turn only if it alone is too much,
 * and then whole groups of calls and results.
 */

#include "chat.h"
#include "sessionread.h"

struct compact {
	/* It is folded where one of these is passed; 0 for no limit. */
	long long context;  /* tokens of a request, sections and tools too */
	long long tokens;   /* of messages that are in no summary */
	long long messages; /* the number of these */
	long long turns;    /* of so many, if they have more bytes than: */
	long long chars;
	/* The part that stays as it is. */
	double keep;	     /* how much of a limit */
	long long keep_turns; /* at most, if folded for turns; 0: any */
	int groups;	     /* of the running turn, at least */
	long long least; /* tokens that are worth a summary, if context is */
	int force;	 /* whether a limit is passed or not */
};

/* The settings: all but context and force. */
void compact_settings(struct compact *f);

/*
 * Set f->context for the window of the settings, or of the model that the
 * usage record (p may be NULL) names, or the settings do.
 */
void compact_window(struct compact *f, struct span usage);

/*
 * Tokens of context at which to fold, for a window and the longest answer
 * (0: not known): a share of the window, but never so late that the answer
 * and an error of the estimate have no room.  A tiny window keeps a quarter.
 */
long long compact_limit(long long window, long long answer, double share);

/*
 * Is a limit passed?  used: tokens of the context.  Takes back in f what does
 * not matter for the one that is.
 */
int compact_due(
    struct compact *f, const struct sessionread_fresh *fresh, long long used);

/*
 * The item of the view before which all from start on is folded, but for the
 * message that began the running turn; start if nothing is.  fixed: tokens
 * of the context that are no messages.
 */
size_t compact_cut(const struct compact *f, const struct chat *c, size_t start,
    long long fixed);

#endif
