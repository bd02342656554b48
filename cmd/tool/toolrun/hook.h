#ifndef HOOK_H
#define HOOK_H

/*
 * The user's programs beside the rules: toolrun.gate before a call and
 * toolrun.after behind it, shell commands that get the call as one JSON line
 * in the field names of other agents' hooks.  toolrun(1), GATE.
 */

#include "buf.h"
#include "toolcall.h"

enum hook_answer {
	HOOK_NONE, /* there is no such program */
	HOOK_PASS, /* status 0 */
	HOOK_NO,   /* status 2; why is what it said on standard error */
	HOOK_BAD,  /* anything else; why says what, and it was reported */
	HOOK_INTERRUPTED /* a signal came */
};

/* Read the settings.  Dies with EX_CONFIG at one that cannot be used. */
void hook_setup(void);

/* The call is checked, and no rule denies it. */
enum hook_answer hook_before(const struct toolcall *c, struct buf *why);

/* Does HOOK_PASS stand for the user's yes? */
int hook_decides(void);

/* It ran, with that result. */
enum hook_answer hook_after(
    const struct toolcall *c, const struct buf *result, struct buf *why);

#endif
