#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "stop.h"

static volatile sig_atomic_t caught;
static int fds[2] = {-1, -1};

static void
note(int sig)
{
	int err = errno;

	caught = sig;
	if (write(fds[1], "", 1) < 0)
		caught = sig; /* full: it can be read already */
	errno = err;
}

int
stop_fd(void)
{
	int i;

	if (fds[0] < 0) {
		if (pipe(fds) < 0)
			die_sys(EX_OSERR, "pipe");
		for (i = 0; i < 2; i++) {
			fcntl(fds[i], F_SETFD, FD_CLOEXEC);
			fcntl(fds[i], F_SETFL, O_NONBLOCK);
		}
	}
	return fds[0];
}

void
stop_arm(int armed)
{
	static int now = -1;
	struct sigaction sa, was;

	if (armed == now)
		return;
	now = armed;
	if (armed)
		stop_fd();
	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = armed ? note : SIG_DFL;
	sa.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* nohup(1) stays what it is. */
	if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
}

int
stop_signal(void)
{
	return caught;
}

void
stop_die(int sig)
{
	sigset_t set;

	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}
