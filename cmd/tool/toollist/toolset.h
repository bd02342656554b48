#ifndef TOOLSET_H
#define TOOLSET_H

/*
 * The tools that directories hold: programs with a schema beside them, NAME
 * and NAME.json.  turnpipe-tools(5).
 */

#include <stddef.h>

#include "buf.h"

struct toolset_tool {
	char *name;
	int with; /* the enum rec_type that it is of use with, 0: any */
	int isbatch; /* run.as is batch */
	struct buf record;
};

/* Owns all; a zeroed struct is empty. */
struct toolset {
	struct toolset_tool *v;
	size_t n;
	size_t cap;
};

/*
 * Append the tools of dirs and then of tools/ in the search path, sorted by
 * name; the first of a name wins.  One that is amiss is left out with a
 * warning on stderr; verbose reports also those left out as they should.
 */
void toolset_find(
    struct toolset *set, const struct strs *dirs, int verbose);

/* Is there a tool of this name? */
int toolset_has(const struct toolset *set, const char *name);

void toolset_reset(struct toolset *set);

#endif
