#ifndef BUDGET_H
#define BUDGET_H

/*
 * What fits: the engines that choose among the sections of a prompt under a
 * budget of tokens.  They know nothing of the texts.  turnpipe-layout(5).
 */

#include <stddef.h>

enum phase {
	PHASE_CONSTRAINT,
	PHASE_TASK,
	PHASE_MEMORY,
	PHASE_TOOLS,
	PHASE_HISTORY,
	PHASE_USER,
	PHASE_N
};

extern const char *const phase_names[PHASE_N + 1]; /* ends with NULL */

/* The phase of that name; PHASE_TASK for an unknown one. */
int phase_find(const char *name, size_t n);

struct part {
	const char *id;
	int phase;
	double score; /* priority x weight x multiplier */
	int sticky;   /* stays whatever the budget */
	size_t tokens;
	size_t order; /* where the prompt has it */
	size_t tie;   /* budget_reserve takes the lower of equal scores */
	int reserve;  /* index into the reserves, or -1 */
	int group;    /* index into the groups, or -1 */
	int kept;     /* the answer */
};

/*
 * The engine of the Ivy document.  Stickies stay; then phase by phase, the
 * higher score first, the lower id (by bytes) of two equal ones.  What does
 * not fit is left out and the walk goes on; the first of all is let in
 * whatever its size, unless strict.  Sorts v as the prompt has it: stickies
 * first.  The tokens of all that is kept.
 */
size_t budget_ivy(struct part *v, size_t n, size_t max);

/*
 * Stickies stay; then each reserve admits its own up to that many tokens;
 * then the rest by score, over all phases; never more than max, but for
 * stickies.  groups[i] is what a group's wrapper costs, paid by its first
 * member: set to 0 then.  Leaves v in the order of the prompt.
 */
size_t budget_reserve(struct part *v, size_t n, size_t max,
    const size_t *reserves, size_t nreserves, size_t *groups);

#endif
