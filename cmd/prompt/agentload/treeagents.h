#ifndef TREEAGENTS_H
#define TREEAGENTS_H

/*
 * Agents of the work tree, that a team shares by git: NAME.md in
 * .agents/agents, .claude/agents, .opencode/agent and .opencode/agents of its
 * root, and in agents of each plugin that the user agreed to (plugin.h).  They
 * are used only after the user's word (trust.h) about all of them.
 */

#include "buf.h"

/*
 * The files that the user agreed to, in the order of the directories, by
 * name; of one name the first one counts.  Others are reported once in a
 * session, unless the user refused them.  Owned by us, good until they are
 * forgotten: a conversation of a ring has a work tree of its own.
 */
const struct strs *treeagents_files(void);
void treeagents_forget(void);

/*
 * Show them and ask at the terminal.  1 for yes, 0 for no; dies with
 * EX_NOINPUT where there are none, EX_NOPERM without a terminal.
 */
int treeagents_ask(void);

#endif
