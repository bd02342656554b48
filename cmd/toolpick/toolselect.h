#ifndef TOOLSELECT_H
#define TOOLSELECT_H

/*
 * Which of the tools at hand are offered in a turn, step by step: what is
 * denied, what the message calls for, how many, what must be there.  Each
 * step only marks; the tools stay as they came.
 */

#include <stddef.h>

#include "buf.h"

enum toolselect_rank { TOOLSELECT_PLAIN, TOOLSELECT_CALLED, TOOLSELECT_CORE };

struct toolselect_tool {
	char *name; /* owned */
	size_t at, n; /* its record, in the text of the choice */
	double score;
	enum toolselect_rank rank;
	int allowed;
	int on;
	int required;
};

/* Owns all; a zeroed struct is empty. */
struct toolselect {
	struct toolselect_tool *v;
	size_t n, cap;
	struct buf text;
	int verbose; /* warn of each tool that is left out */
};

/* Take a copy of a record; name becomes the choice's. */
void toolselect_add(
    struct toolselect *c, char *name, struct span s, double score);

/* Leave out those that fit a pattern of deny. */
void toolselect_deny(struct toolselect *c, const struct strs *deny);
/* Leave out those that fit no pattern of allow. */
void toolselect_allow(struct toolselect *c, const struct strs *allow);

/* At least that rank for those that fit a pattern. */
void toolselect_rank(struct toolselect *c, const struct strs *patterns,
    enum toolselect_rank rank);

/* Leave out those of plain rank. */
void toolselect_called(struct toolselect *c);

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
long toolselect_force(struct toolselect *c, const char *pattern, int require);

/* The best score of those that are on; 0 if none has one. */
double toolselect_best(const struct toolselect *c);

void toolselect_reset(struct toolselect *c);

#endif
