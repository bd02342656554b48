#ifndef BOX_H
#define BOX_H

/*
 * A fresh directory to test in, and functions run in a child, so that what
 * they do to environment, statics and exit status can be looked at.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct box_end {
	int status; /* exit status; 128 + n for signal n */
	char out[4096];
	char err[4096];
};

static char box_dir[2000];

static inline void
box_need(int cond, const char *what)
{
	if (cond)
		return;
	perror(what);
	exit(2);
}

/* Make the directory, go there; box_dir names it. */
static inline void
box_enter(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(box_dir, sizeof(box_dir), "%s/turn pipe-XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	box_need(mkdtemp(box_dir) != NULL, box_dir);
	box_need(chdir(box_dir) == 0, box_dir);
	/* Its name without links, as getcwd tells it. */
	box_need(getcwd(box_dir, sizeof(box_dir)) != NULL, "getcwd");
}

/* Run a line of sh, which must succeed. */
static inline void
box_sh(const char *line)
{
	box_need(system(line) == 0, line);
}

static inline void
box_leave(void)
{
	char line[sizeof(box_dir) + 100];

	box_need(chdir("/") == 0, "/");
	snprintf(line, sizeof(line), "rm -rf '%s'", box_dir);
	box_sh(line);
}

static inline void
box_slurp(FILE *f, char *s, size_t size)
{
	size_t n;

	rewind(f);
	n = fread(s, 1, size - 1, f);
	s[n] = '\0';
	fclose(f);
}

/* Run fn(arg) in a child until it returns (status 0) or exits. */
static inline void
box_run(struct box_end *e, void (*fn)(const void *), const void *arg)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int st;
	pid_t pid;

	box_need(out != NULL && err != NULL, "tmpfile");
	pid = fork();
	box_need(pid >= 0, "fork");
	if (pid == 0) {
		box_need(dup2(fileno(out), STDOUT_FILENO) >= 0
			&& dup2(fileno(err), STDERR_FILENO) >= 0,
		    "dup2");
		fn(arg);
		exit(0);
	}
	box_need(waitpid(pid, &st, 0) == pid, "waitpid");
	e->status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
	box_slurp(out, e->out, sizeof(e->out));
	box_slurp(err, e->err, sizeof(e->err));
}

/* This environment and no other: "NAME=value" up to the first NULL. */
static inline void
box_env(const char *const *vars)
{
	static char *none[] = {NULL};
	char name[100];
	size_t n;

	environ = none;
	for (; *vars != NULL; vars++) {
		n = strcspn(*vars, "=");
		snprintf(name, sizeof(name), "%.*s", (int)n, *vars);
		box_need(setenv(name, *vars + n + 1, 1) == 0, *vars);
	}
}

#endif
