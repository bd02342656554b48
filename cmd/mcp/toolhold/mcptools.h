#ifndef MCPTOOLS_H
#define MCPTOOLS_H

/* Tool records of what servers list. */

#include "json.h"

/*
 * Put the records of the list of a server at i of j (hold.h): a section of
 * its instructions, and a tool for each element, in the order of the list.
 * Its name is SERVER_TOOL, at most 64 of
 * [A-Za-z0-9_-]; a name that there was already, and what is no tool, is left
 * out with a warning.
 */
void mcptools_put(const struct json *j, int i, const char *server);

/*
 * The object of KEY=VALUE arguments, as the types of the tool's schema (a
 * token of j, or -1) have them; dies with EX_USAGE at one that is wrong.
 */
void mcptools_arguments(struct buf *b, const struct json *j, int schema,
    char *const *args);

#endif
