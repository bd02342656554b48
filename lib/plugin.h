#ifndef PLUGIN_H
#define PLUGIN_H

/*
 * Plugins of the work tree: directories with a manifest, .plugin/plugin.json or
 * .claude-plugin/plugin.json; the root itself, and those in .agents/plugins.
 * One is used only after the user's word (trust.h) about its manifest, its
 * servers and its hooks.  Its hooks are never run.
 */

#include "buf.h"

/*
 * Append the directories of those that the user agreed to, sorted.  The others
 * are reported, once in a session, and so is what is not run.
 */
void plugin_dirs(struct strs *l);

/*
 * Ask about each that the user has not agreed to.  0 if there is no plugin, -1
 * after a no, else 1.
 */
int plugin_ask(void);

#endif
