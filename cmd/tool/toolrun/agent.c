#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "agent.h"
#include "capture.h"
#include "file.h"
#include "match.h"
#include "path.h"
#include "pool.h"
#include "resulttext.h"
#include "settings.h"
#include "toolenv.h"

enum { DEFINITION_MS = 10000 };

extern char **environ;

static pid_t driver;
static int runs; /* an agent */

void
agent_init(void)
{
	driver = getppid();
}

/* The driver is gone: an agent does not go on, a tool does. */
static void
end_agent(int sig)
{
	(void)sig;
	if (runs)
		(void)raise(SIGTERM);
}

void
agent_pooled(void)
{
	signal(POOL_ORPHANED, end_agent);
}

size_t
agent_most(void)
{
	return settings_count("agents.children");
}

/* Does the program stand in tools/ of a directory of the search path? */
static int
is_ours(const char *exec)
{
	static struct buf dir, at;
	const struct strs *dirs = path_dirs();
	size_t i;

	buf_reset(&dir);
	file_dir(&dir, exec);
	for (i = 0; i < dirs->n; i++) {
		file_join(&at, dirs->v[i], "tools");
		if (strcmp(buf_cstr(&at), buf_cstr(&dir)) == 0)
			return 1;
	}
	return 0;
}

static void
list(struct buf *b, const struct strs *l)
{
	size_t i;

	buf_reset(b);
	for (i = 0; i < l->n; i++)
		buf_printf(b, "%s%s", i > 0 ? "," : "", l->v[i]);
}

int
agent_check(const struct toolcall *c, struct buf *why)
{
	static struct buf names;
	char *agent = toolcall_agent(c);
	const char *pairs[] = { "name", agent, "names", NULL, NULL };
	const char *key = NULL;

	list(&names, &c->tool->agents);
	pairs[3] = buf_cstr(&names);
	if (!is_ours(c->tool->exec))
		key = "agent_place";
	else if (agent == NULL || match_any(&c->tool->agents, agent) == NULL)
		key = "agent_unknown";
	if (agent == NULL)
		pairs[1] = "";
	if (key != NULL)
		resulttext(why, key, pairs);
	free(agent);
	return key == NULL ? 0 : -1;
}

/*
 * A list of its definition, as agentload(1) prints it.  1, 0 if it has none,
 * or -1: it cannot be read.
 */
static int
definition(const char *agent, const char *key, struct strs *l)
{
	char *const argv[] = { "agentload", "-g", (char *)key, "-a",
		(char *)agent, NULL };
	struct capture c = { 0 };
	char *line, *nl;
	int r;

	strs_reset(l);
	if (capture_start(&c, argv, NULL, 0) < 0)
		return -1;
	capture_wait(&c, 1, DEFINITION_MS);
	r = c.state != CAPTURE_DONE || !WIFEXITED(c.status)
		|| WEXITSTATUS(c.status) > 1 ? -1
					     : WEXITSTATUS(c.status) == 0;
	for (line = buf_cstr(&c.out); r > 0
	     && (nl = strchr(line, '\n')) != NULL; line = nl + 1)
		if (nl > line)
			strs_addn(l, line, (size_t)(nl - line));
	buf_free(&c.out);
	return r;
}

int
agent_tools(struct strs *l, const struct toolcall *c)
{
	struct strs tools = { 0 }, deny = { 0 };
	const struct strs *fence = &c->tool->fence;
	char *agent = toolcall_agent(c);
	size_t i;
	int has = agent != NULL ? definition(agent, "tools", &tools) : -1;
	int denies = has >= 0 ? definition(agent, "tools_deny", &deny) : -1;

	strs_reset(l);
	for (i = 0; denies >= 0 && i < fence->n; i++)
		if ((has == 0 || match_any(&tools, fence->v[i]) != NULL)
		    && match_any(&deny, fence->v[i]) == NULL)
			strs_add(l, fence->v[i]);
	strs_free(&tools);
	strs_free(&deny);
	free(agent);
	return denies < 0 ? -1 : 0;
}

void
agent_show(struct buf *b, const struct toolcall *c)
{
	struct strs tools = { 0 };
	size_t i;

	buf_puts(b, "  its tools, at most: ");
	if (agent_tools(&tools, c) < 0)
		buf_puts(b, "not known: its definition cannot be read");
	else if (tools.n == 0)
		buf_puts(b, "none");
	for (i = 0; i < tools.n; i++)
		buf_printf(b, "%s%s", i > 0 ? ", " : "", tools.v[i]);
	buf_putc(b, '\n');
	strs_free(&tools);
}

void
agent_env(struct strs *env, const struct tool *t)
{
	static struct buf b, names;
	char **e;

	for (e = environ; *e != NULL; e++)
		if (toolenv_goes(*e, TOOLENV_AGENT)
		    && strncmp(*e, "LLM_", 4) != 0
		    && strncmp(*e, "ARG_", 4) != 0)
			strs_add(env, *e);
	list(&names, &t->fence);
	buf_reset(&b);
	buf_printf(&b, "TURNPIPE_TOOLS=%s", buf_cstr(&names));
	strs_add(env, buf_cstr(&b));
}

void
agent_limits(struct proc_spec *s)
{
	s->timeout = 1000
	    * (settings_int("agents.seconds")
		+ settings_int("agents.last_seconds"));
	s->grace = 1000 * settings_int("agents.grace");
	s->leashed = 1;
	runs = 1;
	/* An agent does not go on when the driver is gone, as a tool does. */
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != driver)
		raise(SIGTERM);
#endif
}
