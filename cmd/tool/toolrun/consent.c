#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "ask.h"
#include "consent.h"
#include "diag.h"
#include "env.h"
#include "file.h"
#include "hook.h"
#include "later.h"
#include "out.h"
#include "permit.h"
#include "places.h"
#include "question.h"
#include "relay.h"
#include "sandbox.h"
#include "settings.h"
#include "show.h"
#include "terminal.h"
#include "warnonce.h"

enum {
	CONSENT_RULES = 8,	   /* that are shown, each with */
	CONSENT_RULE_COLUMNS = 200 /* it repeats what stands above it */
};

static struct permit rules, plan;
static struct strs origins; /* of rules.allow */

static void
load(void)
{
	static int loaded;

	if (loaded)
		return;
	loaded = 1;
	settings_strs("toolrun.deny", &rules.deny);
	permit_check_all(&rules.deny, "toolrun.deny");
	settings_strs("toolrun.ask", &rules.ask);
	permit_check_all(&rules.ask, "toolrun.ask");
	settings_strs("toolrun.plan", &plan.allow);
	permit_check_all(&plan.allow, "toolrun.plan");
	permit_allowed(&rules.allow, &origins, 1);
}

/* Name the rules for a tool's lines that look as if they allowed something. */
static void
warn_vain(const char *tool)
{
	static int warned;
	struct buf b = { 0 };
	const char *why;
	size_t i;

	for (i = 0; !warned && i < origins.n; i++) {
		why = permit_vain(rules.allow.v[i], tool);
		if (why == NULL)
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s: %s %s", origins.v[i], rules.allow.v[i], why);
		warnonce(buf_cstr(&b));
	}
	warned = 1;
	buf_free(&b);
}

/* Allow these from now on, also in later runs of this session. */
static void
remember(const struct strs *l)
{
	static struct buf name;
	struct buf b = { 0 };
	const char *path = env_run(&name, "allow");
	size_t i;

	for (i = 0; i < l->n; i++) {
		strs_add(&rules.allow, l->v[i]);
		/* A rule is a line there. */
		if (strchr(l->v[i], '\n') == NULL)
			buf_printf(&b, "%s\n", l->v[i]);
	}
	if (path != NULL && b.n > 0
	    && file_append(path, b.p, b.n, 0600) < 0)
		warn_sys("%s", path);
	buf_free(&b);
}

/*
 * No question can be asked: it waits, or the call is denied, for the model
 * and the log.
 */
static enum consent
leave_unasked(struct toolcall *c, struct places *p, const struct buf *question,
    const struct strs *exact, struct buf *rule)
{
	if (later_may(c)) {
		later_put(&c->mark, c, p, question, exact);
		if (c->deferred && later_same(c, p))
			buf_reset(&c->mark);
		return CONSENT_LATER;
	}
	if (p->outside.n > 0) {
		warn("%s: not run: consent could not be asked for: %s", c->name,
		    buf_cstr(&p->text));
		buf_reset(rule);
		buf_add(rule, p->text.p, p->text.n);
		return CONSENT_OUTSIDE;
	}
	warn("%s: not run: no terminal to ask on; allow it with -y, --permit "
	     "or toolrun.allow", c->name);
	return CONSENT_NOBODY;
}

/* The text before the rule, or before what could not be read, in a question. */
static const char *const reasons[] = {
	[PERMIT_ASK] = "not read: ",
	[PERMIT_ALLOW] = "",
	[PERMIT_ALLOW_PATHS] = "",
	[PERMIT_DENY] = "",
	[PERMIT_ASK_RULE] = "asked by the rule ",
	[PERMIT_ASK_UNCHECKED] = "cannot be checked by the rule ",
	[PERMIT_UNCHECKED] = "cannot be checked by the rule ",
};

static enum consent
ask(struct toolcall *c, const struct permit_call *call,
    enum permit_verdict v, struct places *p, struct buf *rule)
{
	static struct buf text, typed;
	const char *env = getenv("TURNPIPE_ASK");
	struct strs exact = { 0 };
	struct buf why = { 0 };
	enum ask_answer a;
	enum consent r;
	size_t i, asked;
	int always, unasked;

	unasked = env != NULL && strcmp(env, "0") == 0;
	if (unasked && !later_may(c))
		return leave_unasked(c, p, NULL, NULL, rule);
	/* A rule that asks would go before one that allows. */
	always = v != PERMIT_ASK_RULE && v != PERMIT_ASK_UNCHECKED
	    && v != PERMIT_UNCHECKED && permit_exact(call, &exact) == 0;
	buf_reset(&text);
	question_call(&text, c, p);
	if (c->tool->isagent)
		agent_show(&text, c);
	if (rule->n > 0)
		buf_printf(&text, "  %s%s\n", reasons[v], buf_cstr(rule));
	asked = text.n;
	for (i = 0; always && i < exact.n && i < CONSENT_RULES; i++) {
		buf_puts(&text, "  always: ");
		terminal_fit(&text, exact.v[i], strlen(exact.v[i]),
		    CONSENT_RULE_COLUMNS);
		buf_putc(&text, '\n');
	}
	if (always && exact.n > CONSENT_RULES)
		buf_printf(&text, "  always: and %zu more, each as it stands "
			   "above\n", exact.n - CONSENT_RULES);
	buf_puts(&text, "run it?");
	out_flush();
	show_break();
	a = ASK_NOBODY;
	if (!unasked)
		a = relay_ask(&text, always, env_run(&typed, "typed"), NULL,
		    &why);
	c->shown = a != ASK_NOBODY;
	if (a == ASK_ALWAYS)
		remember(&exact);
	if (a == ASK_NOBODY) {
		buf_free(&why);
		text.n = asked;
		r = leave_unasked(c, p, &text, always ? &exact : NULL, rule);
		strs_free(&exact);
		return r;
	}
	strs_free(&exact);
	buf_reset(rule);
	buf_span(rule, buf_view(&why));
	buf_free(&why);
	switch (a) {
	case ASK_NO:
		return rule->n > 0 ? CONSENT_REASON : CONSENT_USER;
	case ASK_INTERRUPTED:
		return CONSENT_INTERRUPTED;
	default:
		return CONSENT_YES;
	}
}

/*
 * Does it start an agent whose tools would all run without a question?  The
 * agent's own calls are judged again, each for itself.
 */
static int
agent_is_free(const struct toolcall *c, const struct permit *p)
{
	static struct strs names;
	struct permit_call call = { 0 };
	const struct tool *t;
	enum permit_verdict v;
	size_t i;

	if (!c->tool->isagent || agent_tools(&names, c) < 0)
		return 0;
	for (i = 0; i < names.n; i++) {
		call.tool = names.v[i];
		t = tools_find(c->offer, call.tool);
		v = permit_judge(p, &call, NULL);
		if (v != PERMIT_ALLOW
		    && (v != PERMIT_ASK || t == NULL || !t->isreadonly))
			return 0;
	}
	return 1;
}

/* Does the call do more than a plan needs, and is a plan all that is wanted? */
static int
not_allowed_in_plan(const struct toolcall *c, const struct permit_call *call)
{
	const char *env = env_get("TURNPIPE_PLAN");
	enum permit_verdict v;

	if (env == NULL || strcmp(env, "0") == 0 || c->tool->isreadonly)
		return 0;
	v = permit_judge(&plan, call, NULL);
	return v != PERMIT_ALLOW && v != PERMIT_ALLOW_PATHS
	    && !agent_is_free(c, &plan);
}

/* What the user's program says: CONSENT_YES to go on, *yes as the user's. */
static enum consent
ask_gate(const struct toolcall *c, int *yes, struct buf *rule)
{
	struct buf why = { 0 };
	enum consent r = CONSENT_YES;

	switch (hook_before(c, &why)) {
	case HOOK_PASS:
		*yes = hook_decides();
		break;
	case HOOK_NO:
	case HOOK_BAD:
		buf_reset(rule);
		buf_span(rule, buf_view(&why));
		r = CONSENT_GATE;
		break;
	case HOOK_INTERRUPTED:
		r = CONSENT_INTERRUPTED;
		break;
	case HOOK_NONE:
		break;
	}
	buf_free(&why);
	return r;
}

/* Does its line run in a sandbox that takes the place of a question? */
static int
sandbox_replaces_question(const struct toolcall *c, const char *command)
{
	/* An MCP server runs its calls itself, outside of any sandbox. */
	return command != NULL && c->tool->exec != NULL && sandbox_allows();
}

/* What the user has answered to a call that was put off. */
static enum consent
find_answer(struct toolcall *c, const struct places *p, struct buf *rule)
{
	const char *reason;

	switch (later_find(c->id, &reason)) {
	case LATER_NO:
		buf_reset(rule);
		buf_puts(rule, reason);
		return *reason != '\0' ? CONSENT_REASON : CONSENT_USER;
	case LATER_OPEN:
		warn("'%s' is still open", c->id);
		return CONSENT_LATER;
	case LATER_YES:
		break;
	}
	if (later_same(c, p))
		return CONSENT_YES;
	warn("%s: its path leads elsewhere now: 'turnpipe -c' asks again",
	    c->id);
	return CONSENT_LATER;
}

/* What is known of a call. */
enum { DENIED = 1, UNCHECKED = 2, ASKED = 4, DOUBTED = 8, BEYOND = 16,
	NEVER = 32, ANSWERED = 64, BOXED = 128, YES = 256, FREE = 512,
	HIDDEN = 1024 };

/* Beside the results. */
enum { GATE = -1, ASK = -2 };

/* The first that holds; toolrun(1) has them in these words. */
static const struct {
	int all, none, then;
} decisions[] = {
	{ DENIED, 0, CONSENT_RULE }, /* a rule denies it: no */
	/* a rule that denies cannot be checked, and -y is given: no */
	{ UNCHECKED | YES, ANSWERED | BOXED, CONSENT_RULE },
	{ BEYOND, 0, CONSENT_PLAN }, /* it does more than a plan needs: no */
	{ NEVER, 0, CONSENT_NEVER }, /* it would write what is ours: no */
	{ 0, 0, GATE },		     /* the gate denies it: no */
	{ ANSWERED, 0, CONSENT_YES }, /* --allow answers its question: yes */
	{ BOXED, ASKED, CONSENT_YES }, /* its sandbox is the answer: yes */
	{ ASKED, 0, ASK },	       /* a rule asks: the user is asked */
	{ DOUBTED, 0, ASK }, /* a rule cannot be checked: the user is asked */
	/* -y is given, or the gate decides, and no path is hidden: yes */
	{ YES, HIDDEN, CONSENT_YES },
	/* a rule allows it or it reads only, and no path leads out: yes */
	{ FREE, 0, CONSENT_YES },
	{ 0, 0, ASK } /* else: the user is asked */
};

enum consent
consent_get(struct toolcall *c, int yes, struct buf *rule)
{
	static struct places places;
	struct permit_call call;
	enum permit_verdict v;
	enum consent r;
	char *command, *agent;
	size_t i;
	int inside, agreed, facts, then = 0;

	load();
	places_judge(&places, c);
	agreed = later_answered();
	if (agreed && (r = find_answer(c, &places, rule)) != CONSENT_YES)
		return r;
	command = toolcall_command(c);
	if (command != NULL)
		warn_vain(c->name);
	agent = toolcall_agent(c);
	call.agent = agent;
	call.tool = c->name;
	call.command = command;
	call.paths = c->tool->paths.n > 0 ? &places.real : NULL;
	call.named = &places.named;
	v = permit_judge(&rules, &call, rule);
	/* A rule that allows all calls does not let in paths. */
	inside = places.outside.n == 0 || v == PERMIT_ALLOW_PATHS;
	facts = (v == PERMIT_DENY) * DENIED
	    | (v == PERMIT_UNCHECKED) * (UNCHECKED | DOUBTED)
	    | (v == PERMIT_ASK_RULE) * ASKED
	    | (v == PERMIT_ASK_UNCHECKED) * DOUBTED
	    | not_allowed_in_plan(c, &call) * BEYOND | places.never * NEVER
	    | agreed * ANSWERED
	    | (inside && sandbox_replaces_question(c, command)) * BOXED
	    | (yes != 0) * YES | (!inside && places.hidden) * HIDDEN
	    | (inside && (v != PERMIT_ASK || c->tool->isreadonly
		|| agent_is_free(c, &rules))) * FREE;
	for (i = 0, r = CONSENT_YES; r == CONSENT_YES; i++) {
		then = decisions[i].then;
		if ((facts & decisions[i].all) != decisions[i].all
		    || (facts & decisions[i].none) != 0)
			continue;
		if (then != GATE)
			break;
		yes = 0;
		r = ask_gate(c, &yes, rule);
		/* The user sees what no rule can check, even after a yes. */
		facts |= yes && v != PERMIT_UNCHECKED ? YES : 0;
	}
	if (r == CONSENT_YES)
		r = then == ASK ? ask(c, &call, v, &places, rule)
				: (enum consent)then;
	if (r == CONSENT_NEVER) {
		buf_reset(rule);
		buf_add(rule, places.text.p, places.text.n);
	}
	for (i = 0; r == CONSENT_YES && i < places.outside.n; i++)
		strs_add(&c->agreed, places.outside.v[i]);
	free(command);
	free(agent);
	return r;
}

int
consent_denies(const struct toolcall *c, struct buf *rule)
{
	struct permit_call call = { c->name, NULL, NULL, NULL, NULL };

	load();
	return permit_judge(&rules, &call, rule) == PERMIT_DENY;
}
