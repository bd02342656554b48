#ifndef PROJECTKIND_H
#define PROJECTKIND_H

/*
 * What the files in a work tree's root and in the working directory say of
 * the project, by the table markers.yaml: turnpipe-markers(5).  Table and
 * files are looked at once per process, and again after projectkind_reset.
 */

#include "buf.h"

/*
 * Append what was found in a category ("languages"), in the table's order;
 * NULL means all of them, without saying a name twice.  1; 0 if the
 * table has no such category.
 */
int projectkind_find(struct strs *l, const char *category);

/*
 * Ask the programs of the table that the project uses for their versions,
 * at most ms milliseconds in all: "gcc 12.2.0" each, in the table's order.
 * What is not installed is left out; what did not answer is reported.
 */
void projectkind_versions(struct strs *l, long long ms);

void projectkind_reset(void);

#endif
