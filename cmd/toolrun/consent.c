#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "consent.h"
#include "diag.h"
#include "env.h"
#include "file.h"
#include "hook.h"
#include "out.h"
#include "permit.h"
#include "places.h"
#include "question.h"
#include "sandbox.h"
#include "settings.h"

enum { CONSENT_FILE = 1 << 20 };

static struct permit rules, plan;

static void
check(const struct strs *l, const char *where)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (permit_check(l->v[i]) < 0)
			die(EX_CONFIG, "%s: expected TOOL or TOOL(PATTERN), "
				       "not '%s'", where, l->v[i]);
}

/* What the user allowed for a session: a rule per line. */
static void
load_allowed(const char *path)
{
	struct buf b = { 0 };
	struct strs own = { 0 };
	char *line, *nl;
	size_t i;

	/* None yet is the usual case, and an unreadable one allows nothing. */
	if (path == NULL || file_read(path, &b, CONSENT_FILE) != FILE_OK)
		return;
	for (line = buf_cstr(&b); (nl = strchr(line, '\n')) != NULL;
	     line = nl + 1)
		if (nl > line)
			strs_addn(&own, line, (size_t)(nl - line));
	check(&own, path);
	for (i = 0; i < own.n; i++)
		strs_add(&rules.allow, own.v[i]);
	strs_free(&own);
	buf_free(&b);
}

static void
load(void)
{
	static struct buf name;
	const char *parent = env_get("TURNPIPE_PARENT");
	const char *end;

	settings_strs("toolrun.deny", &rules.deny);
	check(&rules.deny, "toolrun.deny");
	settings_strs("toolrun.ask", &rules.ask);
	check(&rules.ask, "toolrun.ask");
	settings_strs("toolrun.allow", &rules.allow);
	check(&rules.allow, "toolrun.allow");
	settings_strs("toolrun.allow_own", &rules.allow);
	check(&rules.allow, "toolrun.allow_own");
	settings_strs("toolrun.plan", &plan.allow);
	check(&plan.allow, "toolrun.plan");
	load_allowed(env_run(&name, "allow"));
	/* What the caller may do without asking, its agent may too. */
	if (parent == NULL || *parent != '/')
		return;
	end = strrchr(parent, '.');
	buf_reset(&name);
	buf_add(&name, parent, end != NULL && strcmp(end, ".jsonl") == 0
		? (size_t)(end - parent) : strlen(parent));
	buf_puts(&name, ".d/allow");
	load_allowed(buf_cstr(&name));
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

/* Denied because no question can be asked: for the model and the log. */
static enum consent
deny_unasked(const struct toolcall *c, struct places *p, struct buf *rule)
{
	if (p->outside.n > 0) {
		warn("%s: not run: consent could not be asked for: %s", c->name,
		    buf_cstr(&p->text));
		buf_reset(rule);
		buf_add(rule, p->text.p, p->text.n);
		return CONSENT_OUTSIDE;
	}
	warn("%s: not run: consent could not be asked for: -y or a rule of "
	     "toolrun.allow lets it run", c->name);
	return CONSENT_NOBODY;
}

/* The text before the rule, or before what could not be read, in a question. */
static const char *const reasons[] = {
	[PERMIT_ASK] = "not read: ",
	[PERMIT_ALLOW] = "",
	[PERMIT_ALLOW_PATHS] = "",
	[PERMIT_DENY] = "",
	[PERMIT_ASK_RULE] = "asked by the rule ",
	[PERMIT_UNCHECKED] = "can not be checked by the rule ",
};

static enum consent
ask(const struct toolcall *c, const struct permit_call *call,
    enum permit_verdict v, struct places *p, struct buf *rule)
{
	static struct buf text, typed;
	const char *env = getenv("TURNPIPE_ASK");
	struct strs exact = { 0 };
	struct buf why = { 0 };
	enum ask_answer a;
	size_t i;
	int always;

	if (env != NULL && strcmp(env, "0") == 0)
		return deny_unasked(c, p, rule);
	/* A rule that asks would go before one that allows. */
	always = v != PERMIT_ASK_RULE && v != PERMIT_UNCHECKED
	    && permit_exact(call, &exact) == 0;
	buf_reset(&text);
	question_call(&text, c, p);
	if (rule->n > 0)
		buf_printf(&text, "  %s%s\n", reasons[v], buf_cstr(rule));
	for (i = 0; always && i < exact.n; i++)
		buf_printf(&text, "  always: %s\n", exact.v[i]);
	buf_printf(&text, "%s: run it?", prog);
	out_flush();
	a = ask_tty(&text, always, env_run(&typed, "typed"), &why);
	if (a == ASK_ALWAYS)
		remember(&exact);
	strs_free(&exact);
	if (a == ASK_NOBODY) {
		buf_free(&why);
		return deny_unasked(c, p, rule);
	}
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

/* Does the call do more than a plan needs, and is a plan all that is wanted? */
static int
exceeds(const struct toolcall *c, const struct permit_call *call)
{
	const char *env = env_get("TURNPIPE_PLAN");
	enum permit_verdict v;

	if (env == NULL || strcmp(env, "0") == 0 || c->tool->isreadonly)
		return 0;
	v = permit_judge(&plan, call, NULL);
	return v != PERMIT_ALLOW && v != PERMIT_ALLOW_PATHS;
}

/*
 * What the user's program says: CONSENT_YES to go on as the rules have it,
 * with *yes set if it answers for the user.
 */
static enum consent
pass(const struct toolcall *c, int *yes, enum permit_verdict v,
    struct buf *rule)
{
	struct buf why = { 0 };
	enum consent r = CONSENT_YES;

	switch (hook_before(c, &why)) {
	case HOOK_PASS:
		/* What no rule can check is the user's to see. */
		*yes |= hook_decides() && v != PERMIT_UNCHECKED;
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

enum consent
consent_get(struct toolcall *c, int yes, struct buf *rule)
{
	static struct places places;
	static int loaded;
	struct permit_call call;
	enum permit_verdict v;
	enum consent r;
	char *command, *agent;
	size_t i;
	int inside;

	if (!loaded)
		load();
	loaded = 1;
	places_judge(&places, c);
	command = toolcall_command(c);
	agent = toolcall_agent(c);
	call.agent = agent;
	call.tool = c->name;
	call.command = command;
	call.paths = c->tool->paths.n > 0 ? &places.real : NULL;
	call.named = &places.named;
	v = permit_judge(&rules, &call, rule);
	/* A rule that allows all calls does not let in paths. */
	inside = places.outside.n == 0 || v == PERMIT_ALLOW_PATHS;
	if (v == PERMIT_DENY || (v == PERMIT_UNCHECKED && yes))
		r = CONSENT_RULE;
	else if (exceeds(c, &call))
		r = CONSENT_PLAN;
	else if (places.never)
		r = CONSENT_NEVER;
	else if ((r = pass(c, &yes, v, rule)) != CONSENT_YES)
		;
	else if (v == PERMIT_ASK_RULE || v == PERMIT_UNCHECKED)
		r = ask(c, &call, v, &places, rule);
	else if (yes || (inside && (v != PERMIT_ASK || c->tool->isreadonly
		     || (command != NULL && sandbox_allows()))))
		r = CONSENT_YES;
	else
		r = ask(c, &call, v, &places, rule);
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
