#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lock.h"
#include "sandbox.h"
#include "signals.h"
#include "supervisor.h"

enum {
	SWEEP_MS = 10,	 /* between two looks at what is left */
	KILLED_MS = 1000 /* for what cannot be killed: not ours, or stuck */
};

static volatile sig_atomic_t kept, stopping, killing;
static unsigned leash; /* seconds from TERM to KILL */

static const int resets[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE,
	SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU };

/* We are alone, or the child would have been stopped. */
static void
expire(int sig)
{
	(void)sig;
	stopping = killing = 1;
	if (kept > 0)
		kill(-(pid_t)kept, SIGKILL);
}

/* Our parent is gone: the program and what it has started end too. */
static void
on_leash(int sig)
{
	(void)sig;
	stopping = 1;
	if (kept > 0)
		kill(-(pid_t)kept, SIGTERM);
	alarm(leash);
}

static void
on_stop(int sig)
{
	stopping = 1;
	if (sig == SUPERVISOR_KILL)
		killing = 1;
}

static void
say(int fd, enum word_what what, int value)
{
	struct word w;

	memset(&w, 0, sizeof(w));
	w.what = what;
	w.value = value;
	/* If toolrun is gone, there is no reader. */
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
	if (s->speak > 0 || s->asks > 0 || s->show > 0) {
		tell = fcntl(tell, F_DUPFD_CLOEXEC, 10);
		if (tell < 0 || (s->speak > 0 && dup2(s->speak, 3) < 0)
		    || (s->asks > 0 && dup2(s->asks, 9) < 0)
		    || (s->show > 0 && dup2(s->show, SHOW_FD) < 0))
			_exit(127);
	}
	argv[0] = (char *)s->path;
	argv[1] = NULL;
	if (sandbox_enter(s->programs, s->isagent) == 0)
		execve(s->argv != NULL ? s->argv[0] : s->path,
		    s->argv != NULL ? s->argv : argv, s->env);
	say(tell, WORD_ERRNO, errno);
	_exit(127);
}

/* The parent of the process of that pid; 0 if it is gone. */
static pid_t
parent_of(pid_t pid)
{
	char path[64], stat[512];
	const char *p = NULL;
	ssize_t n = -1;
	int fd, ppid;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	n = read(fd, stat, sizeof(stat) - 1);
	close(fd);
	if (n > 0) {
		stat[n] = '\0';
		p = strrchr(stat, ')'); /* the name before it may hold any */
	}
	if (p == NULL || sscanf(p + 1, " %*c %d", &ppid) != 1)
		return 0;
	return (pid_t)ppid;
}

/*
 * Send sig to each of our children but the program, and reap those that have
 * ended: PID 1 may not, and their group would stay.  Returns how many there
 * are.
 */
static int
kill_rest(int sig)
{
	struct dirent *e;
	DIR *dir = opendir("/proc");
	pid_t pid, self = getpid();
	int n = 0;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		pid = (pid_t)strtol(e->d_name, NULL, 10);
		if (pid <= 0 || pid == (pid_t)kept
		    || waitpid(pid, NULL, WNOHANG) > 0
		    || parent_of(pid) != self)
			continue;
		kill(pid, sig);
		n++;
	}
	if (dir != NULL)
		closedir(dir);
	return n;
}

/*
 * End what the program has left: a subreaper's orphans become its children,
 * whatever group or session they are in.  TERM, the grace, KILL.
 */
static void
end_rest(long long grace)
{
	static const struct timespec pause = {0, SWEEP_MS * 1000000L};
	long long ms;

	for (ms = 0; ms < grace + KILLED_MS; ms += SWEEP_MS) {
		if (killing && ms < grace)
			ms = grace;
		if (kill_rest(ms < grace ? SIGTERM : SIGKILL) == 0)
			return;
		nanosleep(&pause, NULL);
	}
}

/* Wait for the program; it stays a zombie, so its pid is of no other. */
static void
wait_program(pid_t pid)
{
	siginfo_t info;

	for (;;) {
		if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0) {
			if (errno != EINTR)
				_exit(0);
		} else if (info.si_pid == pid) {
			return;
		} else {
			waitpid(info.si_pid, NULL, 0);
		}
	}
}

_Noreturn void
supervisor(const struct proc_spec *s, const int io[3], int tell)
{
	int hold = lock_inherited();
	pid_t parent = getppid();
	int fd, status;
	pid_t pid;

	setsid();
#ifdef PR_SET_CHILD_SUBREAPER
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
	signals_handle(SUPERVISOR_STOP, on_stop);
	signals_handle(SUPERVISOR_KILL, on_stop);
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
	if (s->leashed) {
		leash = (unsigned)(s->grace / 1000);
		signals_handle(SUPERVISOR_LEASH, on_leash);
#ifdef PR_SET_PDEATHSIG
		prctl(PR_SET_PDEATHSIG, SUPERVISOR_LEASH);
#endif
		if (getppid() != parent)
			on_leash(SUPERVISOR_LEASH);
	}
	wait_program(pid);
	if (stopping || s->leashed)
		end_rest(s->grace);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			_exit(0);
	say(tell, WORD_STATUS, status);
	_exit(0);
}
