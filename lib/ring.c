#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "env.h"
#include "path.h"
#include "ring.h"

const char *
ring_dir(void)
{
	return env_get("TURNPIPE_RING");
}

int
ring_isset(void)
{
	return ring_dir() != NULL;
}

static void
take_path(char **path, const struct rec *r, const char *key, int needed)
{
	const struct json *j = record_json(r);
	int at = json_get(j, 0, key);

	free(*path);
	*path = json_dup(j, at);
	if (*path == NULL ? at >= 0 || needed : **path != '/')
		record_bad(r, at, "expected an absolute path");
}

void
ring_take(struct ring *g, const struct rec *r)
{
	const struct json *j = record_json(r);

	take_path(&g->session, r, "session", 1);
	take_path(&g->run, r, "run", 1);
	take_path(&g->cwd, r, "cwd", 0);
	free(g->agent);
	g->agent = json_dup(j, json_get(j, 0, "agent"));
	g->deadline = 0;
	(void)json_int(j, json_get(j, 0, "deadline"), &g->deadline);
}

int
ring_go(const struct ring *g)
{
	if (chdir(g->cwd) < 0)
		return -1;
	if (setenv("TURNPIPE_SESSION", g->session, 1) < 0
	    || setenv("TURNPIPE_RUN", g->run, 1) < 0
	    || setenv("PWD", g->cwd, 1) < 0
	    || (g->agent != NULL ? setenv("TURNPIPE_AGENT", g->agent, 1)
				 : unsetenv("TURNPIPE_AGENT")) < 0)
		die_sys(EX_OSERR, "setenv");
	return 0;
}

void
ring_enter(const struct rec *r)
{
	static struct ring ring;

	if (r->type != REC_SESSION || !ring_isset())
		return;
	ring_take(&ring, r);
	if (ring.cwd == NULL) {
		record_drop(); /* its error comes next */
		return;
	}
	path_leave();
	if (ring_go(&ring) < 0)
		record_fault_sys(EX_NOINPUT, ring.cwd);
}
