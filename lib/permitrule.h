#ifndef PERMITRULE_H
#define PERMITRULE_H

/* The form of the rules that permit.h judges by. */

/* Is this a rule, TOOL or TOOL(PATTERN)?  0, or -1. */
int permit_check(const char *rule);

#endif
