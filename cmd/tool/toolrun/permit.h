#ifndef PERMIT_H
#define PERMIT_H

/*
 * Which tool calls may run without asking.  A rule is TOOL, or TOOL(WORDS)
 * for the commands of a tool's shell line, or TOOL(PATH) for the paths that
 * a tool is called with, or TOOL(NAME) for the agent that it starts.
 * toolrun(1), RULES.
 *
 * To allow a line, each command in it must be covered by a rule, and so must
 * each file that it is redirected to; one is enough to deny, or to ask.  A
 * line that is not read (split.h) is covered by no rule with words.
 */

#include "buf.h"
#include "permitrule.h"

enum permit_verdict {
	PERMIT_ASK,	  /* no rule covers it */
	PERMIT_ALLOW,
	PERMIT_ALLOW_PATHS, /* rules with a path cover each of its paths */
	PERMIT_DENY,
	PERMIT_ASK_RULE,  /* a rule asks */
	PERMIT_ASK_UNCHECKED, /* a rule that asks cannot be checked */
	PERMIT_UNCHECKED  /* a rule that denies cannot be checked */
};

/* A zeroed struct has no rules. */
struct permit {
	struct strs allow, ask, deny;
};

struct permit_call {
	const char *tool;
	const char *command;	  /* its shell line, or NULL */
	const struct strs *paths; /* where its path arguments lead: absolute,
				     links followed; NULL: it has none */
	const struct strs *named; /* the same as they are written; or NULL */
	const char *agent; /* that it starts, or NULL: TOOL(NAME) is a rule */
};

/*
 * Judge a call.  why, which may be NULL, gets the rule for PERMIT_DENY,
 * PERMIT_ASK_RULE and those that are unchecked, with what could not be
 * read; for PERMIT_ASK what could not be read, if that is the reason.
 */
enum permit_verdict permit_judge(const struct permit *p,
    const struct permit_call *c, struct buf *why);

/*
 * Why a rule of an allow list covers less of the tool than it seems to: it
 * names no command, or one of which nothing is known, with a star.  Static;
 * NULL for all others.
 */
const char *permit_vain(const char *rule, const char *tool);

/*
 * Append to l the rules that allow just this call, never the bare tool.  0,
 * or -1 with l as it was: no rule can say it.
 */
int permit_exact(const struct permit_call *c, struct strs *l);

#endif
