#ifndef TOOLSELECT_H
#define TOOLSELECT_H

/*
 * Which of the tools at hand are offered in a turn, step by step: what is
 * denied, what the message calls for, how many, what must be there.  Each
 * step only marks, and says why; the tools stay as they came.
 */

#include <stddef.h>

#include "buf.h"

enum toolselect_rank { TOOLSELECT_PLAIN, TOOLSELECT_CALLED, TOOLSELECT_CORE };

struct toolselect_tool {
	char *name; /* owned */
	size_t own; /* where in it its server's own name of it begins */
	char *starts; /* owned; the agent, "" for any; NULL if it starts none */
	size_t at, n; /* its record, in the text of the choice */
	size_t words, nwords; /* what it is found by, in words */
	double score;
	enum toolselect_rank rank;
	int scored; /* the record brought the score */
	int allowed;
	int on;
	int required;
	int kept;  /* its schema stays, however many there are */
	char *why; /* owned; what put it in or out, where that is asked for */
};

/* Owns all; a zeroed struct is empty. */
struct toolselect {
	struct toolselect_tool *v;
	size_t n, cap;
	struct buf text, words;
	size_t *slot, slots; /* index + 1, by hash of the name */
	int verbose; /* keep the reasons */
};

/* The tool of this name, or NULL. */
struct toolselect_tool *toolselect_find(const struct toolselect *c, const char *name);

/*
 * Take a copy of a record; name, which there is not yet, becomes the
 * choice's.  The new tool, good until the next one.
 */
struct toolselect_tool *toolselect_add(struct toolselect *c, char *name, struct span s);

/* Leave out those that fit a pattern of deny. */
void toolselect_deny(struct toolselect *c, const struct strs *deny);
void toolselect_hide(struct toolselect *c, const struct strs *hidden);
/* It never comes back, for this reason. */
void toolselect_forbid(struct toolselect *c, struct toolselect_tool *t, const char *why);
/* Leave out those that fit no pattern of allow. */
void toolselect_allow(struct toolselect *c, const struct strs *allow);

/*
 * At least that rank for those that fit a pattern.  why is the reason, as
 * "core"; by, which may be NULL, has for each pattern the text after it.
 */
void toolselect_rank(struct toolselect *c, const struct strs *patterns,
    const char *why, const struct strs *by, enum toolselect_rank rank);

/*
 * Call for those that score best: best of them, if they score at all, and
 * those of at least least (0: none), top in all (0: no limit).  The core
 * does not count.  Number of those called for.
 */
size_t toolselect_best(struct toolselect *c, size_t best, double least, size_t top);

/*
 * Leave out tools of the plain rank that fit a glob of asked, but no glob of
 * routed, each of which has its reason in by.
 */
void toolselect_ask(struct toolselect *c, const struct strs *asked,
    const struct strs *routed, const struct strs *by);

/* Leave out those of plain rank, for this reason. */
void toolselect_called(struct toolselect *c, const char *why);

/*
 * Leave out what goes over max: by rank, score, name.  Those of the core
 * stay, be they more than max.
 */
void toolselect_cap(struct toolselect *c, size_t max);

/*
 * Take in again those that fit the pattern and are allowed; with require
 * they must also be called before the turn may end.  Number of those found;
 * a pattern that only tools fit which are not allowed finds -1.
 */
long toolselect_force(struct toolselect *c, const char *pattern, int require,
    const char *why);

/* Leave one out. */
void toolselect_drop(struct toolselect *c, struct toolselect_tool *t, const char *why);

/*
 * Those that are on, by rank, score, name; owned by us, good until the next
 * call.
 */
struct toolselect_tool **toolselect_order(struct toolselect *c, size_t *n);

/* The best score of those that are on; 0 if none has one. */
double toolselect_top(const struct toolselect *c);

/* For the next conversation. */
void toolselect_reset(struct toolselect *c);

#endif
