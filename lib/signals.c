#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "signals.h"

static volatile sig_atomic_t caught, times, direct, passed, once;
static int fds[2] = {-1, -1};

/*
 * A parent that is signalled passes the signal on.  When a terminal signalled
 * both, these are one signal, whichever comes first.
 */
static void
note(int sig, siginfo_t *from, void *unused)
{
	int err = errno;

	(void)unused;
	if (from->si_code != SI_USER || from->si_pid != getppid())
		direct++;
	else
		passed++;
	if (direct <= times && passed <= times)
		return;
	if (caught == 0)
		caught = sig;
	times++;
	if (once && times > 1) {
		signal(sig, SIG_DFL);
		raise(sig); /* it is held until we return */
	}
	if (write(fds[1], "", 1) < 0)
		errno = err; /* full: it can be read already */
	errno = err;
}

int
signals_fd(void)
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
signals_arm(int how)
{
	static int now = -1;
	struct sigaction sa, was;

	if (how == now)
		return;
	now = how;
	if (how != SIGNALS_AT_ONCE)
		signals_fd();
	memset(&sa, 0, sizeof(sa));
	/* What comes at once is noted in the order in which it came. */
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGINT);
	sigaddset(&sa.sa_mask, SIGTERM);
	sigaddset(&sa.sa_mask, SIGALRM);
	sigaddset(&sa.sa_mask, SIGHUP);
	if (how == SIGNALS_AT_ONCE) {
		sa.sa_handler = SIG_DFL;
	} else {
		sa.sa_sigaction = note;
		sa.sa_flags = SA_SIGINFO;
	}
	once = how == SIGNALS_ONCE;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	/* nohup(1) stays what it is. */
	if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
}

void
signals_forget(void)
{
	if (fds[0] >= 0) {
		close(fds[0]);
		close(fds[1]);
	}
	fds[0] = fds[1] = -1;
	caught = times = direct = passed = 0;
	signals_arm(SIGNALS_AT_ONCE);
}

int
signals_caught(void)
{
	return caught;
}

int
signals_times(void)
{
	return times;
}

void
signals_default(int sig)
{
	sigset_t set;

	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void
signals_die(int sig)
{
	signals_default(sig);
	raise(sig);
	_exit(128 + sig);
}

void
signals_handle(int sig, void (*f)(int))
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = f;
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}
