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
take_path(char **path, const struct rec *r, const char *key)
{
	const struct json *j = record_json(r);
	int at = json_get(j, 0, key);

	free(*path);
	*path = json_dup(j, at);
	if (*path == NULL || **path != '/')
		record_bad(r, at, "expected an absolute path");
}

void
ring_take(struct ring *g, const struct rec *r)
{
	const struct json *j = record_json(r);

	take_path(&g->session, r, "session");
	take_path(&g->run, r, "run");
	take_path(&g->cwd, r, "cwd");
	free(g->agent);
	g->agent = json_dup(j, json_get(j, 0, "agent"));
	g->deadline = 0;
	(void)json_int(j, json_get(j, 0, "deadline"), &g->deadline);
}

void
ring_enter(const struct rec *r)
{
	static struct ring ring;

	if (r->type != REC_SESSION || !ring_isset())
		return;
	ring_take(&ring, r);
	path_leave();
	if (chdir(ring.cwd) < 0)
		record_fault_sys(EX_NOINPUT, ring.cwd);
	else if (setenv("TURNPIPE_SESSION", ring.session, 1) < 0
	    || setenv("TURNPIPE_RUN", ring.run, 1) < 0
	    || setenv("PWD", ring.cwd, 1) < 0
	    || (ring.agent != NULL ? setenv("TURNPIPE_AGENT", ring.agent, 1)
				   : unsetenv("TURNPIPE_AGENT")) < 0)
		die_sys(EX_OSERR, "setenv");
}
