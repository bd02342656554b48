#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcpcall.h"

static const char command[] = "toolhold";

extern char **environ;

/* Its path along PATH; where it is in none, what cannot be executed. */
static const char *
find(void)
{
	static struct buf b;
	const char *s = getenv("PATH");
	size_t n;

	for (; s != NULL && *s != '\0'; s += n + (s[n] == ':')) {
		n = strcspn(s, ":");
		if (n == 0 || *s != '/')
			continue;
		buf_reset(&b);
		buf_add(&b, s, n);
		buf_putc(&b, '/');
		buf_puts(&b, command);
		if (access(buf_cstr(&b), X_OK) == 0)
			return buf_cstr(&b);
	}
	return command;
}

void
mcpcall(struct proc_spec *s, const struct tool *t)
{
	static struct strs argv, env;
	size_t i;

	strs_reset(&argv);
	strs_reset(&env);
	strs_add(&argv, find());
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
