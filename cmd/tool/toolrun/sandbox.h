#ifndef SANDBOX_H
#define SANDBOX_H

/*
 * What a tool may do less than we: toolrun(1), Sandbox.  sandbox_setup reads
 * the settings; a call that runs programs (a shell line) gets the sandbox
 * that they name, any other one a domain that only keeps the environment of
 * its ancestors closed.
 */

#include "buf.h"

/*
 * Dies with EX_CONFIG at an invalid setting, and where a limit that is asked
 * for is not to be had, or would not hold itself.
 */
void sandbox_setup(void);

/* The sandbox of a shell line, for tp.sandbox; NULL without one. */
const char *sandbox_name(void);

/* May a shell line run in it unasked?  toolrun.sandboxed. */
int sandbox_allows(void);

/*
 * What to execute for the program path with programs set: NULL for path
 * itself, else a list of arguments, owned by us until the next call.
 */
char *const *sandbox_command(const char *path, int programs);

/*
 * In the child, last before it executes: limits, umask, sandbox, which an
 * agent has for its own tools.  0, or -1 and errno: then nothing may be
 * executed.
 */
int sandbox_enter(int programs, int isagent);

#endif
