#ifndef LAYOUT_H
#define LAYOUT_H

/*
 * A layout: the place of each section in the prompt and the text around
 * it.  Read once per process from share/layouts/NAME.yaml;
 * turnpipe-layout(5).
 */

#include <stddef.h>

#include "budget.h"
#include "buf.h"

enum engine { ENGINE_RESERVE, ENGINE_IVY };

enum where {
	WHERE_DEFAULT,	/* as the layout says for volatile sections */
	WHERE_SYSTEM,	/* in the system message */
	WHERE_TRAILING, /* in the one message after all others */
	WHERE_MESSAGE	/* a message of its own there */
};

/* One section, or one group of them.  Strings are NULL where nothing is. */
struct place {
	char *id;      /* KIND or a whole id; NULL in a group */
	char *tag;
	char *attr;    /* "NAME" or "NAME=FIELD" */
	char *heading;
	char *wrap;
	char *joiner;
	char *before;
	char *role;
	char *file;
	char *unless;  /* kinds, blanks between, that replace it */
	int when;      /* token of a condition over tools, or -1 */
	double priority, weight;
	long long reserve; /* tokens; 0: none */
	int phase;
	int sticky;
	int order; /* an instruction of the program's, never cut */
	int last; /* of equal ones, the later is kept */
	int where;
	int group; /* index of its group, or -1 */
};

struct layout {
	char *name;
	int engine;
	int dflt;	 /* WHERE_SYSTEM or WHERE_TRAILING, if volatile */
	long long budget; /* tokens */
	char *joiner;
	size_t reserve[PHASE_N];
	struct place rest;     /* what is not listed */
	struct place trailing; /* the message after all others */
	struct strs ignore;    /* kinds that this layout has no use for */
	struct strs escape; /* tags that no result or input may write */
	struct place *v;
	size_t n, cap;
};

/*
 * Load by name, or by path if there is a '/' in it, into a zeroed struct;
 * dies with EX_NOINPUT if it is missing, EX_CONFIG if it cannot be
 * understood.
 */
void layout_load(struct layout *l, const char *name);

/* Index of a section's place: that of its id, else of its kind, or -1. */
int layout_find(const struct layout *l, const char *id);

/*
 * Does the place's condition hold, and its group's, with the tools of these
 * names on offer?
 */
int layout_when(const struct layout *l, const struct place *p,
    const struct strs *tools);

int layout_ignores(const struct layout *l, const char *id);

/* Length of the kind in an id, KIND or KIND:WHAT. */
size_t layout_kind(const char *id);

#endif
