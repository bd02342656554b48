#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fence.h"
#include "match.h"
#include "settings.h"

static struct strs inside;
static int isset, isdeep;

void
fence_set(void)
{
	const char *tools = getenv("TURNPIPE_TOOLS");
	const char *depth = env_get("TURNPIPE_DEPTH");

	isset = tools != NULL;
	if (isset)
		strs_split(&inside, tools);
	if (depth != NULL
	    && (strlen(depth) > 4 || strspn(depth, "0123456789") != strlen(depth)))
		die(EX_USAGE, "TURNPIPE_DEPTH: expected a number, got '%s'",
		    depth);
	isdeep = depth != NULL
	    && strtol(depth, NULL, 10) >= settings_int("agents.depth");
}

int
fence_isset(void)
{
	return isset;
}

int
fence_lets(const char *name)
{
	return !isset || strs_find(&inside, name) >= 0;
}

char *
fence_starts(const struct json *j)
{
	int run = json_get(j, 0, "run");
	char *agent;

	if (!json_is(j, json_get(j, run, "as"), "agent"))
		return NULL;
	agent = json_dup(j, json_get(j, run, "agent"));
	return agent != NULL ? agent : xstrdup("");
}

/* Whom the configuration lets it call. */
static void
callable(const struct json *config, struct strs *l)
{
	strs_reset(l);
	(void)json_strs(config, json_get(config, 0, "agents"), l);
}

void
fence_apply(struct toolselect *c, const struct json *config)
{
	static struct strs globs;
	struct toolselect_tool *t;
	const char *agent;
	size_t i;

	for (i = 0; isset && i < c->n; i++)
		if (!fence_lets(c->v[i].name))
			toolselect_forbid(c, &c->v[i], "outside TURNPIPE_TOOLS");
	callable(config, &globs);
	for (t = c->v; t < c->v + c->n; t++) {
		agent = t->starts;
		if (agent == NULL)
			continue;
		if (isdeep)
			toolselect_forbid(c, t, "TURNPIPE_DEPTH is agents.depth");
		else if (globs.n == 0
		    || (*agent != '\0' && match_any(&globs, agent) == NULL))
			toolselect_forbid(c, t, globs.n == 0
				? "the agent's list 'agents' is empty"
				: "not in the agent's list 'agents'");
	}
}

/* The members that a tool's run gets, as text. */
static void
members(struct buf *b, const struct toolselect *c, const struct json *config)
{
	static struct strs l;
	size_t i;

	buf_reset(b);
	callable(config, &l);
	emit_strs(b, "agents", &l);
	strs_reset(&l);
	for (i = 0; i < c->n; i++)
		if (c->v[i].allowed)
			strs_add(&l, c->v[i].name);
	emit_strs(b, "tools", &l);
}

void
fence_put(struct buf *b, struct span s, const struct toolselect_tool *t,
    const struct toolselect *c, const struct json *config)
{
	static struct buf run, more;
	static struct json j;
	int k;

	if (t->starts == NULL) {
		buf_span(b, s);
		return;
	}
	/* It came through the gate once, so this does not fail. */
	(void)json_parse(&j, s.p, s.n);
	members(&more, c, config);
	buf_reset(&run);
	emit_open(&run, '{');
	k = json_first(&j, json_get(&j, 0, "run"));
	for (; k >= 0; k = json_next(&j, k))
		if (!json_is(&j, k, "tools") && !json_is(&j, k, "agents"))
			emit_member(&run, &j, k);
	emit_span(&run, buf_view(&more));
	emit_close(&run, '}');
	emit_object(b, &j, 0, "run", buf_view(&run));
}
