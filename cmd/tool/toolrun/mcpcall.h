#ifndef MCPCALL_H
#define MCPCALL_H

/* A call of an MCP server's tool: toolhold -c, which has the server. */

#include "proc.h"
#include "tool.h"

/*
 * Set path, argv and env of s.  It is no tool but ours: it has our whole
 * environment, with the token of the run (toolhold(1)) and what the
 * server's configuration names in ${}.
 */
void mcpcall(struct proc_spec *s, const struct tool *t);

#endif
