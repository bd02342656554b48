#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "mcplist.h"

enum { BLOCK = 65536 };

extern char **environ;

static int
start(pid_t *pid, char **argv, int out)
{
	posix_spawn_file_actions_t a;
	int r;

	if ((r = posix_spawn_file_actions_init(&a)) != 0)
		return r;
	if ((r = posix_spawn_file_actions_addopen(&a, 0, "/dev/null",
		 O_RDONLY, 0)) == 0
	    && (r = posix_spawn_file_actions_adddup2(&a, out, 1)) == 0)
		r = posix_spawnp(pid, argv[0], &a, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&a);
	return r;
}

void
mcplist(struct buf *b, const char *file, const struct strs *servers)
{
	struct strs argv = { 0 };
	int fd[2], r, status = 0;
	ssize_t n = 0;
	size_t i;
	pid_t pid;

	strs_add(&argv, "toolhold");
	strs_add(&argv, "-l");
	if (file != NULL) {
		strs_add(&argv, "-M");
		strs_add(&argv, file);
	}
	strs_add(&argv, "--");
	for (i = 0; servers != NULL && i < servers->n; i++)
		strs_add(&argv, servers->v[i]);
	if (pipe(fd) < 0)
		die_sys(EX_OSERR, "pipe");
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	r = start(&pid, strs_vector(&argv), fd[1]);
	fd_close(fd[1]);
	strs_free(&argv);
	if (r != 0) {
		errno = r;
		warn_sys("toolhold");
		fd_close(fd[0]);
		return;
	}
	do {
		buf_room(b, BLOCK);
		n = read(fd[0], b->p + b->n, BLOCK);
		if (n > 0)
			b->n += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	fd_close(fd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Its last line may not be whole. */
	if (status != 0)
		while (b->n > 0 && b->p[b->n - 1] != '\n')
			b->n--;
}
