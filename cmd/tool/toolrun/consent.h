#ifndef CONSENT_H
#define CONSENT_H

/*
 * May this call run?  Rules of the settings (toolrun.allow, toolrun.deny),
 * what the user allowed for the session ($TURNPIPE_RUN/allow, a rule per
 * line), the tool's own readonly, yes to all, and last the user at the
 * terminal, unless TURNPIPE_ASK is 0.
 * In plan mode (TURNPIPE_PLAN) only read-only tools run, and what the rules
 * of toolrun.plan cover.
 * Where toolrun.ask_later says so, a question that no user answers waits
 * (later.h).
 * A path that leads out of the roots (roots.h) needs the user's word, or yes
 * to all; c keeps what was agreed to.
 */

#include "buf.h"
#include "toolcall.h"

enum consent {
	CONSENT_YES,
	CONSENT_RULE,	/* no: a rule; named in rule */
	CONSENT_USER,	/* no: the user said so */
	CONSENT_REASON, /* no: the user said why, in rule */
	CONSENT_NOBODY, /* no: no user to ask */
	CONSENT_OUTSIDE, /* no: no user to ask about the paths in rule */
	CONSENT_NEVER,	/* no: the path in rule is never let in */
	CONSENT_PLAN,	/* no: the user wants a plan, and this does more */
	CONSENT_LATER,	/* not yet: the call stays open, its mark is set */
	CONSENT_GATE,	/* no: the user's program said so, in rule */
	CONSENT_INTERRUPTED
};

/*
 * The call has been checked.  yes: run all that no rule denies.  Dies with
 * EX_CONFIG at an invalid rule.
 */
enum consent consent_get(struct toolcall *c, int yes, struct buf *rule);

/*
 * Does a rule of the user, put into rule, deny the tool of the call, whatever
 * its arguments are?
 */
int consent_denies(const struct toolcall *c, struct buf *rule);

#endif
