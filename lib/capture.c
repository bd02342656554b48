#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "child.h"
#include "clock.h"

enum { CAPTURE_CHUNK = 16384 };

int
capture_start(
    struct capture *c, char *const argv[], char *const env[], int errors)
{
	struct child s = {
		.fd = { CHILD_NULL, 1, errors ? 1 : CHILD_NULL },
		.isgroup = c->isgroup,
		.env = env
	};

	c->state = CAPTURE_NONE;
	buf_reset(&c->out);
	if (child_read(&c->pid, &s, argv, &c->fd) < 0)
		return -1;
	c->state = CAPTURE_RUNS;
	return 0;
}

static void
give_up(struct capture *c)
{
	kill(c->isgroup ? -c->pid : c->pid, SIGKILL);
	close(c->fd);
	c->status = child_wait(c->pid);
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
read_block(struct capture *c, long long until)
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
		/* Without time left, read what is ready. */
		left = until - clock_ms();
		r = poll(p, (nfds_t)n, left > 0 ? (int)left : 0);
		if ((r < 0 && errno != EINTR) || (r == 0 && left <= 0))
			break;
		for (i = 0; r > 0 && i < n; i++)
			if (p[i].revents != 0)
				read_block(&c[i], until);
	}
	for (i = 0; i < n; i++)
		if (c[i].state == CAPTURE_RUNS)
			give_up(&c[i]);
}
