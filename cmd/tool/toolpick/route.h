#ifndef ROUTE_H
#define ROUTE_H

/*
 * Routes: which tools a message calls for, by the words in it.  They are
 * the files routes/NAME.yaml of the search path.  turnpipe-tools(5).
 */

#include <stddef.h>

#include "buf.h"

/*
 * The tools of a server are a group: a route of its name, and of the words in
 * that, unless a file leads to some of them.
 * route_forget ends that.
 */
void route_server(const char *server);
void route_forget(void);

/*
 * Append the tool patterns of each route that one of its words, as keyword.h
 * finds them, is in what was said, and to by, for each pattern, the route's
 * name.  Number of such routes.  Reads the files
 * at the first call; what is wrong with one dies (EX_CONFIG).
 */
size_t route_match(
    struct strs *patterns, struct strs *by, struct span said);

#endif
