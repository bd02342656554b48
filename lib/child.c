#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "env.h"
#include "fd.h"

extern char **environ;

int
child_path(struct buf *b, const char *name)
{
	const char *s = env_get("PATH");
	struct stat st;
	size_t n;

	for (; s != NULL && *s != '\0'; s += n + (s[n] == ':')) {
		n = strcspn(s, ":");
		buf_reset(b);
		buf_add(b, s, n);
		buf_printf(b, "/%s", name);
		if (*s == '/' && stat(buf_cstr(b), &st) == 0
		    && S_ISREG(st.st_mode) && access(b->p, X_OK) == 0)
			return 1;
	}
	buf_reset(b);
	return 0;
}

static int
set_files(posix_spawn_file_actions_t *fa, const int fd[3])
{
	int i, r = 0;

	for (i = 0; i < 3 && r == 0; i++)
		if (fd[i] == CHILD_NULL)
			r = posix_spawn_file_actions_addopen(fa, i,
			    "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
		else if (fd[i] != i)
			r = posix_spawn_file_actions_adddup2(fa, fd[i], i);
	return r;
}

static int
set_attributes(posix_spawnattr_t *at, const struct child *c)
{
	int r, flags = POSIX_SPAWN_SETSIGDEF;
	sigset_t dfl;

	sigemptyset(&dfl);
	sigaddset(&dfl, SIGPIPE);
	sigaddset(&dfl, SIGXFSZ);
	if (c->isgroup)
		flags |= POSIX_SPAWN_SETPGROUP;
	if (c->mask != NULL)
		flags |= POSIX_SPAWN_SETSIGMASK;
	if ((r = posix_spawnattr_setsigdefault(at, &dfl)) == 0
	    && (c->mask == NULL
		|| (r = posix_spawnattr_setsigmask(at, c->mask)) == 0))
		r = posix_spawnattr_setflags(at, (short)flags);
	return r;
}

/* What has no "#!" is a shell script, as execvp(3) has it. */
static int
start_script(pid_t *pid, const posix_spawn_file_actions_t *fa,
    const posix_spawnattr_t *at, char *const *argv, char *const *env)
{
	struct buf path = {NULL, 0, 0};
	size_t n;
	char **v;
	int r;

	if (strchr(argv[0], '/') != NULL)
		buf_puts(&path, argv[0]);
	else if (!child_path(&path, argv[0]))
		return ENOEXEC;
	for (n = 1; argv[n] != NULL; n++)
		continue;
	v = xmalloc((n + 2) * sizeof(*v));
	v[0] = "/bin/sh";
	v[1] = buf_cstr(&path);
	memcpy(v + 2, argv + 1, n * sizeof(*v));
	r = posix_spawn(pid, v[0], fa, at, v, env);
	free(v);
	buf_free(&path);
	return r;
}

int
child_start(pid_t *pid, const struct child *c, char *const *argv)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	char *const *env = c->env != NULL ? c->env : environ;
	int r;

	if ((r = posix_spawn_file_actions_init(&fa)) == 0) {
		if ((r = posix_spawnattr_init(&at)) == 0) {
			if ((r = set_files(&fa, c->fd)) == 0
			    && (r = set_attributes(&at, c)) == 0)
				r = posix_spawnp(pid, argv[0], &fa, &at, argv, env);
			if (r == ENOEXEC)
				r = start_script(pid, &fa, &at, argv, env);
			posix_spawnattr_destroy(&at);
		}
		posix_spawn_file_actions_destroy(&fa);
	}
	errno = r;
	return r == 0 ? 0 : -1;
}

void
child_fail(const char *name)
{
	die_sys(errno == EACCES ? EX_NOPERM
		: errno == ENOENT ? EX_NOINPUT : EX_OSERR, "%s", name);
}

void
child_become(char *const *argv)
{
	execvp(argv[0], argv);
	child_fail(argv[0]);
}

int
child_read(pid_t *pid, struct child *c, char *const *argv, int *fd)
{
	int p[2], high[2], i, r = -1;

	if (pipe(p) < 0)
		return -1;
	/* Above the three, or the child's would be overwritten. */
	for (i = 0; i < 2; i++) {
		high[i] = fcntl(p[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		fd_drop(p[i]);
	}
	c->fd[1] = high[1];
	if (high[0] >= 0 && high[1] >= 0)
		r = child_start(pid, c, argv);
	fd_drop(high[1]);
	if (r < 0)
		fd_drop(high[0]);
	*fd = high[0];
	return r;
}

int
child_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}
