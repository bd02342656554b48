#ifndef PERMITRULE_H
#define PERMITRULE_H

/* The rules that permit.h judges by: their form, and where they stand. */

#include "buf.h"

/* Is this a rule, TOOL or TOOL(PATTERN)?  0, or -1. */
int permit_check(const char *rule);

/* Dies with EX_CONFIG, which where begins, if one of the list is no rule. */
void permit_check_all(const struct strs *l, const char *where);

/*
 * Add the rules that allow: of the settings, of --permit, of what the user
 * allowed in this session and in that of its caller, and with own what the
 * program allows its own tools; to origins where each is from.
 */
void permit_allowed(struct strs *rules, struct strs *origins, int own);

#endif
