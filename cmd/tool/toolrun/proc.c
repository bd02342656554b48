#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "fd.h"
#include "proc.h"
#include "signals.h"

enum {
	PROC_BLOCK = 65536,
	PROC_DRAIN = 200,  /* ms: reading on when the child has ended */
	PROC_TICK = 20	   /* ms: looking whether a group is gone */
};

static struct proc *running;
static volatile sig_atomic_t feeding;

/* Our output is not read any more: the children must not go on. */
static void
on_sigpipe(int sig)
{
	struct proc *p;

	if (feeding)
		return;
	for (p = running; p != NULL; p = p->next)
		if (p->pid > 0) {
			kill(p->supervisor, SUPERVISOR_STOP);
			kill(-p->pid, SIGTERM);
		}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
leave(void)
{
	struct proc *p;

	for (p = running; p != NULL; p = p->next)
		proc_stop(p, p->spec.grace);
	while (running != NULL)
		proc_wait();
}

void
proc_init(void)
{
	sigset_t none;
	int fd;

	for (fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			die_sys(EX_OSERR, "/dev/null");
	for (fd = 3; fd < SUPERVISOR_FDS; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	/* A shell starts a command before & with SIGINT ignored. */
	signals_arm(SIGNALS_AT_ONCE);
	signals_handle(SIGPIPE, on_sigpipe);
	signals_handle(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	atexit(leave);
}

static void
shut(struct proc *p, int i)
{
	if (p->fd[i] >= 0)
		close(p->fd[i]);
	p->fd[i] = -1;
}

/* Off the list; its keeper is about to end, or has. */
static void
unlist(struct proc *p)
{
	struct proc **q;
	int i;

	for (q = &running; *q != NULL; q = &(*q)->next)
		if (*q == p) {
			*q = p->next;
			break;
		}
	for (i = 0; i < 4; i++)
		shut(p, i);
	while (p->supervisor > 0 && waitpid(p->supervisor, NULL, 0) < 0
	    && errno == EINTR)
		;
	p->done = 1;
}

/*
 * The keeper's next word; 0 when it has not come, or not all of it, -1 when
 * the keeper is gone, or cannot be heard any more (lost).
 */
static int
read_word(struct proc *p, struct word *w)
{
	ssize_t r = read(p->fd[3], (char *)&p->word + p->nword,
	    sizeof(p->word) - p->nword);

	if (r > 0)
		p->nword += (size_t)r;
	if (p->nword == sizeof(p->word)) {
		*w = p->word;
		p->nword = 0;
		return 1;
	}
	if (r > 0 || (r < 0 && (errno == EAGAIN || errno == EINTR)))
		return 0;
	if (r < 0)
		p->lost = errno;
	return -1;
}

void
proc_start(struct proc *p, const struct proc_spec *spec, proc_data *data,
    void *arg)
{
	struct pollfd pfd;
	struct word w;
	int theirs[4];
	int i, r;

	memset(p, 0, sizeof(*p));
	p->spec = *spec;
	p->data = data;
	p->arg = arg;
	if (fd_pipes(p->fd, theirs, 4) < 0) {
		p->err = errno;
		p->done = 1;
		return;
	}
	p->supervisor = fork();
	if (p->supervisor == 0)
		supervisor(spec, theirs, theirs[3]);
	if (p->supervisor < 0)
		p->err = errno;
	for (i = 0; i < 4; i++)
		close(theirs[i]);
	if (p->supervisor < 0) {
		unlist(p);
		return;
	}
	p->next = running;
	running = p;
	/* The first word comes at once, and without a pid none can be
	 * stopped. */
	pfd.fd = p->fd[3];
	pfd.events = POLLIN;
	while ((r = read_word(p, &w)) == 0)
		poll(&pfd, 1, -1);
	if (r < 0 || w.what != WORD_PID) {
		if (r > 0) {
			p->err = w.value;
		} else { /* it may run by now, and is to end */
			p->lost = p->lost != 0 ? p->lost : ECHILD;
			kill(p->supervisor, SIGALRM);
		}
		unlist(p);
		return;
	}
	p->pid = w.value;
	if (spec->timeout > 0)
		p->deadline = clock_ms() + spec->timeout;
	if (spec->nin == 0)
		shut(p, 0);
}

static void
feed(struct proc *p)
{
	ssize_t w;

	feeding = 1;
	w = write(p->fd[0], p->spec.in + p->fed, p->spec.nin - p->fed);
	feeding = 0;
	if (w > 0)
		p->fed += (size_t)w;
	/* A child need not read its input. */
	if ((w < 0 && errno != EAGAIN && errno != EINTR)
	    || p->fed == p->spec.nin)
		shut(p, 0);
}

/* Read what is there.  1 if there may be more. */
static int
collect(struct proc *p, int i)
{
	static char block[PROC_BLOCK];
	ssize_t r;

	if (p->fd[i] < 0)
		return 0;
	r = read(p->fd[i], block, sizeof(block));
	if (r > 0)
		p->data(i, block, (size_t)r, p->arg);
	if (r < 0 && errno != EAGAIN && errno != EINTR)
		p->lost = errno;
	if (r == 0 || p->lost != 0)
		shut(p, i);
	return r > 0;
}

void
proc_stop(struct proc *p, long long grace)
{
	long long at = clock_ms() + grace;

	if (p->done)
		return;
	if (p->killat == 0 && p->pid > 0) {
		kill(p->supervisor, SUPERVISOR_STOP);
		kill(-p->pid, SIGTERM);
	}
	if (p->killat == 0 || at < p->killat)
		p->killat = at;
}

static int
emptied(const struct proc *p)
{
	return kill(-p->pid, 0) < 0 && errno == ESRCH;
}

/* Handle the keeper's words and the time limits. */
static void
advance(struct proc *p, long long now)
{
	struct word w;
	int i, r;

	while (!p->over && (r = read_word(p, &w)) != 0) {
		if (r < 0) {
			/* The keeper was killed, and has no successor. */
			p->status = SIGKILL;
			kill(-p->pid, SIGKILL);
			p->over = 1;
		} else if (w.what == WORD_STATUS) {
			p->status = w.value;
			p->over = 1;
		} else if (w.what == WORD_ERRNO) {
			p->err = w.value;
		}
	}
	if (!p->over && p->deadline > 0 && now >= p->deadline
	    && p->killat == 0) {
		p->timedout = 1;
		proc_stop(p, p->spec.grace);
	}
	if (p->killat > 0 && now >= p->killat && !p->killed) {
		kill(p->supervisor, SUPERVISOR_KILL);
		kill(-p->pid, SIGKILL);
		p->killed = 1;
	}
	/* One that is being stopped is done when its group is gone. */
	if (!p->over || (p->killat > 0 && !p->killed && !emptied(p)))
		return;
	/* Its output is in the pipe; other holders of the pipe may write on. */
	for (i = 1; i < 3; i++)
		while (collect(p, i) && clock_ms() < now + PROC_DRAIN)
			;
	unlist(p);
}

void
proc_wait(void)
{
	static struct pollfd v[5 * PROC_MANY + 1];
	static struct proc *whose[5 * PROC_MANY + 1];
	static int which[5 * PROC_MANY + 1];
	struct proc *p, *next;
	long long at, now, wait = -1;
	char byte[16];
	nfds_t i, n = 1;
	int k;

	if (running == NULL)
		return;
	v[0].fd = signals_fd();
	v[0].events = POLLIN;
	now = clock_ms();
	for (p = running; p != NULL && n + 5 <= 5 * PROC_MANY + 1; p = p->next) {
		for (k = 0; k < 4; k++) {
			if (p->fd[k] < 0 || (k == 3 && p->over))
				continue;
			v[n].fd = p->fd[k];
			v[n].events = k == 0 ? POLLOUT : POLLIN;
			whose[n] = p;
			which[n++] = k;
		}
		if (p->heard > 0 && p->killat == 0) {
			v[n].fd = p->heard;
			v[n].events = POLLIN;
			whose[n] = p;
			which[n++] = 4;
		}
		at = p->killat > 0 ? p->killat : p->deadline;
		if (p->over)
			at = now + PROC_TICK;
		if (at > 0 && !p->killed && (wait < 0 || at - now < wait))
			wait = at > now ? at - now : 0;
	}
	if (poll(v, n, wait > 60000 ? 60000 : (int)wait) > 0) {
		while (v[0].revents && read(v[0].fd, byte, sizeof(byte)) > 0)
			;
		for (i = 1; i < n; i++) {
			if (v[i].revents == 0)
				continue;
			if (which[i] == 0)
				feed(whose[i]);
			else if (which[i] < 3)
				collect(whose[i], which[i]);
			else if (which[i] == 4)
				whose[i]->data(PROC_HEARD, NULL, 0,
				    whose[i]->arg);
		}
	}
	now = clock_ms();
	for (p = running; p != NULL; p = next) {
		next = p->next;
		advance(p, now);
	}
}
