#include <string.h>

#include "child.h"
#include "mcpcall.h"

extern char **environ;

void
mcpcall(struct proc_spec *s, const struct tool *t)
{
	static struct strs argv, env;
	static struct buf b;
	size_t i;

	strs_reset(&argv);
	strs_reset(&env);
	/* Where it is in none, never one of the work tree. */
	strs_add(&argv, child_path(&b, "toolhold") ? b.p : "/toolhold");
	strs_add(&argv, "-c");
	strs_add(&argv, "--");
	strs_add(&argv, t->server);
	strs_add(&argv, t->original);
	strs_add(&argv, "-");
	for (i = 0; environ[i] != NULL; i++)
		if (strncmp(environ[i], "TURNPIPE_LOCK_FD=", 17) != 0)
			strs_add(&env, environ[i]);
	s->path = argv.v[0];
	s->argv = strs_vector(&argv);
	s->env = strs_vector(&env);
}
