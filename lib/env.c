#include <stdlib.h>

#include "env.h"

const char *
env_get(const char *name)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? s : NULL;
}

const char *
env_run(struct buf *b, const char *name)
{
	const char *dir = env_get("TURNPIPE_RUN");

	if (dir == NULL)
		return NULL;
	buf_reset(b);
	buf_printf(b, "%s/%s", dir, name);
	return buf_cstr(b);
}
