#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "lock.h"
#include "out.h"
#include "signals.h"
#include "sink.h"

static char *const *command;
static pid_t pid;

static const int ignored[] = { SIGHUP, SIGINT, SIGTERM, SIGALRM };

static _Noreturn void
become(int in, int tell)
{
	int lock = lock_inherited();
	size_t i;

	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signals_handle(ignored[i], SIG_IGN);
	signals_handle(SIGPIPE, SIG_DFL);
	if (lock >= 0)
		fcntl(lock, F_SETFD, 0);
	if (dup2(in, STDIN_FILENO) >= 0)
		execvp(command[0], command);
	/* Nobody to tell: then nobody waits either. */
	if (write(tell, &errno, sizeof(errno)) < 0)
		_exit(EX_OSERR);
	_exit(EX_NOINPUT);
}

/* Wait for it; what waitpid(2) says. */
static int
end(void)
{
	pid_t p = pid;
	int status;

	pid = 0;
	while (waitpid(p, &status, 0) < 0)
		if (errno != EINTR)
			die_sys(EX_OSERR, "%s", command[0]);
	return status;
}

static void
start(void)
{
	int p[2], told[2];
	int i, err;
	ssize_t n;

	if (pipe(p) < 0 || pipe(told) < 0)
		die_sys(EX_OSERR, "pipe");
	for (i = 0; i < 2; i++) {
		fcntl(p[i], F_SETFD, FD_CLOEXEC);
		fcntl(told[i], F_SETFD, FD_CLOEXEC);
	}
	pid = fork();
	if (pid < 0)
		die_sys(EX_OSERR, "fork");
	if (pid == 0)
		become(p[0], told[1]);
	close(p[0]);
	close(told[1]);
	/* Shut by exec(2), or else it has failed. */
	do
		n = read(told[0], &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(err)) {
		end();
		errno = err;
		die_sys(err == EACCES ? EX_NOPERM : EX_NOINPUT, "%s",
		    command[0]);
	}
	close(told[0]);
	if (dup2(p[1], STDOUT_FILENO) < 0)
		die_sys(EX_OSERR, "dup2");
	close(p[1]);
}

/* Its status says more than ours, also where its end was ours. */
static void
leave(void)
{
	int st;

	close(STDOUT_FILENO);
	st = sink_end();
	if (st != 0)
		_exit(st);
}

void
sink_to(char *const *argv)
{
	command = argv;
	out_before(start);
	atexit(leave);
}

int
sink_isset(void)
{
	return command != NULL;
}

int
sink_end(void)
{
	int status;

	if (pid <= 0)
		return 0;
	/* Who is told that we have ended may begin with what comes next. */
	signals_arm(SIGNALS_ASKED);
	status = end();
	if (signals_caught() != 0)
		signals_die(signals_caught());
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}
