#ifndef FENCE_H
#define FENCE_H

/*
 * What an agent's tools are limited to by the one that gave it work:
 * TURNPIPE_TOOLS, names with commas between.  And whether tools that start
 * agents are offered: the configuration's agents: name one, and
 * TURNPIPE_DEPTH is not at agents.depth.
 */

#include "json.h"
#include "toolselect.h"

/* Read the environment; what cannot be understood dies (EX_USAGE). */
void fence_set(void);

/* Is there one? */
int fence_isset(void);

/* Is a tool of this name inside it? */
int fence_lets(const char *name);

/* By a tool's record, the agent that it starts: see toolselect.h. */
char *fence_starts(const struct json *j);

/* Leave out what is outside, and what would start an agent that may not be. */
void fence_apply(struct toolselect *c, const struct json *config);

/*
 * Append the record s of a tool; one that starts agents gets run.tools, the
 * names of all tools that are allowed here, and run.agents.
 */
void fence_put(struct buf *b, struct span s, const struct toolselect_tool *t,
    const struct toolselect *c, const struct json *config);

#endif
