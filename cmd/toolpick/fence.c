#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fence.h"
#include "match.h"
#include "settings.h"

/* A tool that starts an agent: a certain one, or "" for any. */
static struct strs starters, starts;
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
	    && strtol(depth, NULL, 10) >= settings_int("agents.depth", 1);
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

void
fence_take(const char *name, const struct json *j)
{
	int run = json_get(j, 0, "run");
	char *agent;

	if (!json_is(j, json_get(j, run, "as"), "agent"))
		return;
	agent = json_dup(j, json_get(j, run, "agent"));
	strs_add(&starters, name);
	strs_add(&starts, agent != NULL ? agent : "");
	free(agent);
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
	for (i = 0; i < starters.n; i++) {
		agent = starts.v[i];
		t = toolselect_find(c, starters.v[i]);
		if (t == NULL)
			continue;
		if (isdeep)
			toolselect_forbid(c, t, "TURNPIPE_DEPTH is agents.depth");
		else if (globs.n == 0
		    || (*agent != '\0' && match_any(&globs, agent) == NULL))
			toolselect_forbid(c, t, "agents: names none");
	}
}

void
fence_put(struct buf *b, struct span s, const char *name,
    const struct toolselect *c, const struct json *config)
{
	static struct strs l;
	static struct buf run;
	static struct json j;
	size_t i;
	int k;

	if (strs_find(&starters, name) < 0
	    || json_parse(&j, s.p, s.n) < 0) {
		buf_span(b, s);
		return;
	}
	buf_reset(&run);
	emit_open(&run, '{');
	k = json_first(&j, json_get(&j, 0, "run"));
	for (; k >= 0; k = json_next(&j, k))
		if (!json_is(&j, k, "tools") && !json_is(&j, k, "agents"))
			emit_member(&run, &j, k);
	callable(config, &l);
	emit_strs(&run, "agents", &l);
	strs_reset(&l);
	for (i = 0; i < c->n; i++)
		if (c->v[i].allowed)
			strs_add(&l, c->v[i].name);
	emit_strs(&run, "tools", &l);
	emit_close(&run, '}');
	emit_object(b, &j, 0, "run", buf_view(&run));
}

void
fence_reset(void)
{
	strs_reset(&starters);
	strs_reset(&starts);
}
