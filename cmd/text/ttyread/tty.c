#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "fd.h"
#include "signals.h"
#include "terminal.h"
#include "tty.h"

static const int met[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGTSTP,
    SIGCONT, SIGWINCH};
enum { MET = sizeof(met) / sizeof(*met) };

static volatile sig_atomic_t came[MET];
static struct termios saved;
static sigset_t before, waiting;
static tty_prepare *prepare;
static tty_redraw *redraw;
static int known; /* the modes are in saved */

static void
note_signal(int sig)
{
	int i;

	for (i = 0; i < MET; i++)
		if (met[i] == sig)
			came[i] = 1;
}

void
tty_begin(tty_prepare *p, tty_redraw *r)
{
	sigset_t set;
	int i;

	prepare = p;
	redraw = r;
	known = tcgetattr(STDIN_FILENO, &saved) == 0;
	sigemptyset(&set);
	for (i = 0; i < MET; i++)
		sigaddset(&set, met[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	waiting = before;
	for (i = 0; i < MET; i++) {
		sigdelset(&waiting, met[i]);
		signals_handle(met[i], note_signal);
	}
}

void
tty_end(void)
{
	if (prepare != NULL)
		prepare(0);
	if (known)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

void
tty_die(int sig)
{
	tty_end();
	signals_die(sig);
}

static void
go_on(void)
{
	if (prepare != NULL)
		prepare(1);
	if (redraw != NULL)
		redraw(0);
}

/* Stop the whole group (who 0) or this process. */
static void
stop(pid_t who)
{
	sigset_t set;

	tty_end();
	signals_handle(SIGTSTP, SIG_DFL);
	kill(who, SIGTSTP);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it stops */
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals_handle(SIGTSTP, note_signal);
	go_on();
}

void
tty_suspend(void)
{
	stop(0);
}

static void
act_on_signals(void)
{
	int i;

	for (i = 0; i < MET; i++) {
		if (!came[i])
			continue;
		came[i] = 0;
		switch (met[i]) {
		case SIGWINCH:
			if (redraw != NULL)
				redraw(1);
			break;
		case SIGTSTP:
			stop(getpid());
			break;
		case SIGCONT:
			go_on();
			break;
		default:
			tty_die(met[i]);
		}
	}
}

int
tty_byte(void)
{
	unsigned char c;
	fd_set in;
	ssize_t n;

	for (;;) {
		act_on_signals();
		FD_ZERO(&in);
		FD_SET(STDIN_FILENO, &in);
		if (pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, &waiting)
		    < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		n = read(STDIN_FILENO, &c, 1);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		return n == 1 ? c : -1;
	}
}

int
tty_waits(int ms)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};

	return poll(&in, 1, ms) > 0 && (in.revents & POLLIN);
}

int
tty_ahead(void)
{
	int n;

	return ioctl(STDIN_FILENO, FIONREAD, &n) == 0 ? n : 0;
}

/* Does a paste stand between codes? */
static void
mark_pastes(int on)
{
	if (terminal_moves(STDIN_FILENO))
		(void)fd_write(STDIN_FILENO, on ? "\033[?2004h" : "\033[?2004l",
		    8);
}

void
tty_keep(void)
{
	/* SIGTTOU: when the caller is gone another one has the terminal. */
	static const int keys[] = { SIGINT, SIGQUIT, SIGTSTP, SIGTTOU };
	struct termios quiet;
	sigset_t set;
	size_t i;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		signals_handle(keys[i], SIG_IGN);
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (tcgetattr(STDIN_FILENO, &saved) < 0)
		return;
	quiet = saved;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	quiet.c_lflag |= NOFLSH;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &quiet);
	mark_pastes(1);
	close(STDOUT_FILENO);
	sigwait(&set, &sig);
	mark_pastes(0);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

int
tty_run(const char *command, const char *arg)
{
	/* The message goes to standard output: not the editor. */
	const struct child s = { .fd = { 0, 2, 2 }, .mask = &before };
	char *argv[] = { "/bin/sh", "-c", (char *)command, "sh", (char *)arg,
		NULL };
	pid_t pid;
	int st;

	tty_end();
	if (child_start(&pid, &s, argv) < 0 || (st = child_wait(pid)) < 0)
		return -1;
	go_on();
	return st;
}
