#ifndef ENV_H
#define ENV_H

/* The environment, in which a variable that is empty is not there. */

#include "buf.h"

/* NULL where it is not there. */
const char *env_get(const char *name);

/*
 * The path of a file in the run directory, TURNPIPE_RUN, in place of what b
 * holds.  NULL where there is no such directory.
 */
const char *env_run(struct buf *b, const char *name);

#endif
