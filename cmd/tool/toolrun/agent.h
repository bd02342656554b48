#ifndef AGENT_H
#define AGENT_H

/*
 * Calls of tools that start an agent: "run": "agent" of turnpipe-tools(5).
 * Such a tool gets the keys of the environment and the fence, and is one of
 * the search path, never one that lies in a work tree by chance.
 */

#include "buf.h"
#include "proc.h"
#include "toolcall.h"

/* Call first: notes the parent process, with which agents end. */
void agent_init(void);

/* In a child of pool_run, which hears of the driver's death by a signal. */
void agent_pooled(void);

/* Agents that may run side by side: agents.children. */
size_t agent_most(void);

/* May it start?  0, or -1 with the result that says why not. */
int agent_check(const struct toolcall *c, struct buf *why);

/*
 * The tools that its definition and our fence leave the agent, in place of
 * what l holds; those that are there at its turn may be fewer.  0, or -1:
 * its definition cannot be read.
 */
int agent_tools(struct strs *l, const struct toolcall *c);

/* For a question: append a line with these. */
void agent_show(struct buf *b, const struct toolcall *c);

/* The whole environment but the lock, and the fence. */
void agent_env(struct strs *env, const struct tool *t);

/* Its limits, and that it ends when we are gone. */
void agent_limits(struct proc_spec *s);

#endif
