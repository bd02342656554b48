#ifndef PERMIT_H
#define PERMIT_H

/*
 * Which tool calls may run without asking.  A rule is a glob (fnmatch(3))
 * over tool names, or NAME(PATTERN): a glob over the commands in the shell
 * line that such a tool is called with, as "shell(git status*)".  Each
 * command is compared as its words with single blanks between, quotes taken
 * off; writing into a file is the command "> FILE".
 *
 * To allow a line, every command in it must match a rule; to deny it, one
 * is enough, with assignments, directories and wrappers (env, sudo, xargs)
 * in front of its name or without.  A line that can not be read, or that
 * decides only when it runs what to run, is never allowed by a pattern, and
 * is denied where a pattern denies.
 */

#include "buf.h"
#include "permitrule.h"

enum permit_verdict { PERMIT_ASK, PERMIT_ALLOW, PERMIT_DENY };

/* A zeroed struct has no rules. */
struct permit {
	struct strs allow;
	struct strs deny;
};

/*
 * Judge a call.  command is the shell line among its arguments, NULL if it
 * has none.  why, which may be NULL, gets the rule that denies it, or what
 * could not be read.
 */
enum permit_verdict permit_judge(const struct permit *p, const char *tool,
    const char *command, struct buf *why);

/*
 * Append to l the rules that allow just this call.  0, or -1 if there are
 * none: a line that no pattern can allow.
 */
int permit_exact(const char *tool, const char *command, struct strs *l);

#endif
