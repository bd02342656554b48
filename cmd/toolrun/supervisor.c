#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lock.h"
#include "signals.h"
#include "supervisor.h"

static volatile sig_atomic_t kept;

static const int resets[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE,
	SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU };

/* We are alone, or the child would have been stopped. */
static void
expire(int sig)
{
	(void)sig;
	if (kept > 0)
		kill(-(pid_t)kept, SIGKILL);
}

static void
say(int fd, int what, int value)
{
	struct word w;

	memset(&w, 0, sizeof(w));
	w.what = what;
	w.value = value;
	/* If we are gone, there is nobody to tell. */
	if (write(fd, &w, sizeof(w)) < 0)
		return;
}

static _Noreturn void
child(const struct proc_spec *s, const int io[3], int tell)
{
	char *argv[2];
	size_t i;
	int fd;

	for (i = 0; i < sizeof(resets) / sizeof(*resets); i++)
		signals_handle(resets[i], SIG_DFL);
	setsid();
	say(tell, WORD_PID, (int)getpid());
	for (fd = 0; fd < 3; fd++)
		if (dup2(io[fd], fd) < 0)
			_exit(127);
	argv[0] = (char *)s->path;
	argv[1] = NULL;
	execve(s->path, argv, s->env);
	say(tell, WORD_ERRNO, errno);
	_exit(127);
}

_Noreturn void
supervisor(const struct proc_spec *s, const int io[3], int tell)
{
	int hold = lock_inherited();
	int fd, status;
	pid_t pid;

	setsid();
	signals_handle(SIGINT, SIG_IGN);
	signals_handle(SIGTERM, SIG_IGN);
	signals_handle(SIGHUP, SIG_IGN);
	signals_handle(SIGPIPE, SIG_IGN);
	pid = fork();
	if (pid == 0)
		child(s, io, tell);
	if (pid < 0) {
		say(tell, WORD_ERRNO, errno);
		_exit(0);
	}
	kept = pid;
	signals_handle(SIGALRM, expire);
	if (s->timeout > 0)
		alarm((unsigned)((s->timeout + s->grace) / 1000 + 2));
	for (fd = 0; fd < SUPERVISOR_FDS; fd++)
		if (fd != tell && fd != hold)
			close(fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			_exit(0);
	say(tell, WORD_STATUS, status);
	_exit(0);
}
