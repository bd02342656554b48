#include <stdlib.h>

#include "env.h"
#include "ring.h"

int
ring_isset(void)
{
	return env_get("TURNPIPE_RING") != NULL;
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
	g->deadline = 0;
	(void)json_int(j, json_get(j, 0, "deadline"), &g->deadline);
}
