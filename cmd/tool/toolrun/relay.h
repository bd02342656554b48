#ifndef RELAY_H
#define RELAY_H

/*
 * Questions of an agent, which has no terminal, to its caller's toolrun, which
 * may have one: over a socket that is descriptor RELAY_FD of the agent.  The
 * caller asks one after another, for its agents and for itself, and says which
 * agent it is that asks; or it has a caller of its own and asks that one.
 */

#include "ask.h"
#include "buf.h"
#include "toolcall.h"

enum { RELAY_FD = 9 };

/*
 * For an agent that is about to start: our end in *ours, and the agent's; -1
 * where no terminal can be reached.  Both above RELAY_FD.
 */
int relay_open(int *ours);

/*
 * Something came from the agent that the call has started: ask what it asks,
 * and answer.  -1 when the agent is gone.
 */
int relay_hear(int ours, const struct toolcall *c);

/*
 * Ask by way of our caller, or at the terminal: ask_tty.  A question longer
 * than a message of the socket cannot be asked by way of a caller.
 */
enum ask_answer relay_ask(const struct buf *text, int always,
    const char *typed, const struct ask_source *from, struct buf *why);

#endif
