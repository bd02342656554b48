#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "clock.h"

enum { CAPTURE_CHUNK = 16384 };

extern char **environ;

static int
spawn(struct capture *c, char *const argv[], char *const env[], int out,
    int errors)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	sigset_t dfl;
	int r;

	sigemptyset(&dfl);
	sigaddset(&dfl, SIGPIPE);
	if ((r = posix_spawn_file_actions_init(&fa)) != 0)
		return r;
	if ((r = posix_spawnattr_init(&at)) != 0) {
		posix_spawn_file_actions_destroy(&fa);
		return r;
	}
	if ((r = posix_spawn_file_actions_addopen(
		 &fa, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) == 0
	    && (r = posix_spawn_file_actions_adddup2(
		    &fa, out, STDOUT_FILENO)) == 0
	    && (r = errors ? posix_spawn_file_actions_adddup2(
				 &fa, out, STDERR_FILENO)
			   : posix_spawn_file_actions_addopen(&fa,
				 STDERR_FILENO, "/dev/null", O_WRONLY, 0))
		== 0
	    && (r = posix_spawnattr_setsigdefault(&at, &dfl)) == 0
	    && (r = posix_spawnattr_setflags(&at, POSIX_SPAWN_SETSIGDEF
		    | (c->isgroup ? POSIX_SPAWN_SETPGROUP : 0))) == 0)
		r = posix_spawnp(&c->pid, argv[0], &fa, &at, argv,
		    env != NULL ? env : environ);
	posix_spawnattr_destroy(&at);
	posix_spawn_file_actions_destroy(&fa);
	return r;
}

int
capture_start(
    struct capture *c, char *const argv[], char *const env[], int errors)
{
	int fd[2], r;

	c->state = CAPTURE_NONE;
	buf_reset(&c->out);
	if (pipe(fd) < 0)
		return -1;
	/* Above the three, or the child's would be overwritten. */
	if (fcntl(fd[0], F_SETFD, FD_CLOEXEC) < 0
	    || fcntl(fd[1], F_SETFD, FD_CLOEXEC) < 0 || fd[0] <= 2
	    || fd[1] <= 2) {
		r = EBADF;
	} else {
		r = spawn(c, argv, env, fd[1], errors);
	}
	close(fd[1]);
	if (r != 0) {
		close(fd[0]);
		errno = r;
		return -1;
	}
	c->fd = fd[0];
	c->state = CAPTURE_RUNS;
	return 0;
}

static void
give_up(struct capture *c)
{
	kill(c->isgroup ? -c->pid : c->pid, SIGKILL);
	close(c->fd);
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		;
	c->state = CAPTURE_GIVENUP;
}

/* It said all: mostly it is gone at once, but it need not be. */
static void
finish(struct capture *c, long long until)
{
	struct timespec nap = {0, 50000};

	while (waitpid(c->pid, &c->status, WNOHANG) == 0) {
		if (clock_ms() > until) {
			give_up(c);
			return;
		}
		(void)nanosleep(&nap, NULL);
		if (nap.tv_nsec < 5000000)
			nap.tv_nsec *= 2;
	}
	close(c->fd);
	c->state = CAPTURE_DONE;
}

static void
take(struct capture *c, long long until)
{
	ssize_t r;

	buf_room(&c->out, CAPTURE_CHUNK);
	r = read(c->fd, c->out.p + c->out.n, CAPTURE_CHUNK);
	if (r < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (r > 0)
		c->out.n += (size_t)r;
	if (r < 0 || c->out.n > CAPTURE_MAX)
		give_up(c);
	else if (r == 0)
		finish(c, until);
}

void
capture_wait(struct capture *c, size_t n, long long ms)
{
	static struct pollfd *p;
	static size_t cap;
	long long left, until = clock_ms() + ms;
	size_t i, runs;
	int r;

	while (cap < n)
		grow(&p, &cap, cap, sizeof(*p));
	for (;;) {
		for (i = runs = 0; i < n; i++) {
			p[i].fd = c[i].state == CAPTURE_RUNS ? c[i].fd : -1;
			p[i].events = POLLIN;
			p[i].revents = 0;
			runs += p[i].fd >= 0;
		}
		if (runs == 0)
			break;
		/* What is there by then is taken. */
		left = until - clock_ms();
		r = poll(p, (nfds_t)n, left > 0 ? (int)left : 0);
		if ((r < 0 && errno != EINTR) || (r == 0 && left <= 0))
			break;
		for (i = 0; r > 0 && i < n; i++)
			if (p[i].revents != 0)
				take(&c[i], until);
	}
	for (i = 0; i < n; i++)
		if (c[i].state == CAPTURE_RUNS)
			give_up(&c[i]);
}
