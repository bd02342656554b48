#ifndef CHOICE_H
#define CHOICE_H

/*
 * Which of the tools at hand are offered in a turn, step by step: what is
 * denied, what the message calls for, how many, what must be there.  Each
 * step only marks; the tools stay as they came.
 */

#include <stddef.h>

#include "buf.h"

enum choice_rank { CHOICE_PLAIN, CHOICE_CALLED, CHOICE_CORE };

struct choice_tool {
	char *name; /* owned */
	size_t at, n; /* its record, in the text of the choice */
	double score;
	enum choice_rank rank;
	int allowed;
	int on;
	int required;
};

/* Owns all; a zeroed struct is empty. */
struct choice {
	struct choice_tool *v;
	size_t n, cap;
	struct buf text;
	int verbose; /* warn of each tool that is left out */
};

/* Take a copy of a record; name becomes the choice's. */
void choice_add(struct choice *c, char *name, struct span s, double score);

/* Leave out those that fit a pattern of deny. */
void choice_deny(struct choice *c, const struct strs *deny);
/* Leave out those that fit no pattern of allow. */
void choice_allow(struct choice *c, const struct strs *allow);

/* At least that rank for those that fit a pattern. */
void choice_rank(
    struct choice *c, const struct strs *patterns, enum choice_rank rank);

/* Leave out those of plain rank. */
void choice_called(struct choice *c);

/*
 * Leave out what goes over max: by rank, score, name.  Those of the core
 * stay, be they more than max.
 */
void choice_cap(struct choice *c, size_t max);

/*
 * Take in again those that fit the pattern and are allowed; with require
 * they must also be called before the turn may end.  Number of those found;
 * a pattern that only tools fit which are not allowed finds -1.
 */
long choice_force(struct choice *c, const char *pattern, int require);

/* The best score of those that are on; 0 if none has one. */
double choice_best(const struct choice *c);

void choice_reset(struct choice *c);

#endif
