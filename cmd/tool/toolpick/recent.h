#ifndef RECENT_H
#define RECENT_H

/* The tools that the last turns of a conversation called, and loaded. */

#include <stddef.h>

#include "buf.h"
#include "record.h"

/* A tool that was called, and in which turn. */
struct recent_call {
	char *name;
	size_t turn;
};

/* Owns all; a zeroed struct has seen nothing. */
struct recent {
	struct recent_call *v;
	size_t n, cap;
	size_t turn; /* messages of the user so far */
	struct strs loaded; /* by results of load_tools, in this turn */
	/* Lists of globs by results of the last step, an empty string behind
	   each: only tools that fit one of each list may be called. */
	struct strs only;
};

/* Take note of a message. */
void recent_note(struct recent *r, const struct rec *message);

/*
 * Append the names of the tools called in the last turns, each once, the
 * last one first, at most max (0: all).
 */
void recent_tools(const struct recent *r, long long turns, size_t max,
    struct strs *l);

/* The list that keeps a tool from being called, into b; or 0. */
int recent_bars(const struct recent *r, const char *name, struct buf *b);

void recent_reset(struct recent *r);

#endif
