#ifndef MCPCACHE_H
#define MCPCACHE_H

/*
 * Lists of tools under $XDG_CACHE_HOME/turnpipe/mcp, one file per server and
 * what was configured of it, so that a list starts no server.
 */

#include "server.h"

/* Take the list of s from its file if it is there and still good.  0, or -1. */
int mcpcache_get(struct server *s);

/* Keep the list of s; what cannot be kept is asked for again. */
void mcpcache_put(const struct server *s);

/* Is the list that s has still good? */
int mcpcache_isgood(const struct server *s);

#endif
