#ifndef TOOLGROUP_H
#define TOOLGROUP_H

/*
 * A condition's leaf over the names of the tools on offer: NAME, a glob, or
 * "@GROUP" as rules/groups.yaml of the search path defines it.
 * turnpipe-rules(5).
 */

#include "buf.h"

/*
 * How many of the names the text fits; -1 if it is a group that
 * rules/groups.yaml does not define.  The file is read at the first call for
 * a group, once per process; dies (EX_CONFIG) if it is malformed.
 */
int toolgroup_count(const char *text, const struct strs *names);

#endif
