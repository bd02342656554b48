#ifndef RULE_H
#define RULE_H

/*
 * Rules: what is said to the model when certain tools are on offer.  They
 * are the files rules/NAME.yaml of the search path, in the order of their
 * names; rules/groups.yaml names groups of tools.  turnpipe-rules(5).
 */

#include "buf.h"

/*
 * Read them all, in place of those read before.  What is wrong with one
 * dies (EX_CONFIG).
 */
void rule_load(void);

/*
 * Append as "- " lines what the rules say in this profile where the tools
 * of these names are on offer.  first: this is a session's first turn.
 */
void rule_say(
    struct buf *b, const struct strs *names, const char *profile, int first);

#endif
