#include <errno.h>
#include <poll.h>
#include <sys/resource.h>

#include "buf.h"
#include "diag.h"
#include "sockets.h"

enum {
	WATCHED = 2,
	OTHERS = 32 /* files that are no sockets of ours */
};

static struct pollfd *fds; /* the caller's two, then the others */
static size_t nfds, cap;

static void
begin(void)
{
	if (nfds > 0)
		return;
	grow(&fds, &cap, WATCHED, sizeof(*fds));
	nfds = WATCHED;
}

size_t
sockets_room(size_t n)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur == RLIM_INFINITY
	    || r.rlim_cur >= n + OTHERS)
		return n;
	r.rlim_cur = n + OTHERS;
	if (r.rlim_max != RLIM_INFINITY && r.rlim_max < r.rlim_cur)
		r.rlim_cur = r.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &r) < 0)
		getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_cur >= n + OTHERS)
		return n;
	return r.rlim_cur > OTHERS ? (size_t)r.rlim_cur - OTHERS : 1;
}

size_t
sockets_add(int fd)
{
	begin();
	grow(&fds, &cap, nfds, sizeof(*fds));
	fds[nfds].fd = fd;
	fds[nfds].events = fds[nfds].revents = 0;
	return nfds++;
}

void
sockets_want(size_t place, int events)
{
	fds[place].events = (short)events;
}

int
sockets_drop(size_t place)
{
	if (place < WATCHED || place >= nfds)
		return -1;
	fds[place] = fds[--nfds];
	return place < nfds ? fds[place].fd : -1;
}

static void
tell(void (*ready)(int fd, int events))
{
	static struct pollfd *v;
	static size_t vcap;
	size_t i, n = 0;

	/* Collected first, since ready may change the array. */
	for (i = WATCHED; i < nfds; i++)
		if (fds[i].revents != 0) {
			grow(&v, &vcap, n, sizeof(*v));
			v[n++] = fds[i];
			fds[i].revents = 0;
		}
	for (i = 0; i < n; i++)
		ready(v[i].fd, v[i].revents);
}

int
sockets_poll(int a, int b, int ms, void (*ready)(int fd, int events))
{
	int mask = 0;

	begin();
	fds[0].fd = a;
	fds[1].fd = b;
	fds[0].events = fds[1].events = POLLIN;
	fds[0].revents = fds[1].revents = 0;
	if (poll(fds, (nfds_t)nfds, ms) < 0) {
		if (errno != EINTR)
			die_sys(EX_OSERR, "poll");
		return -1;
	}
	if (a >= 0 && fds[0].revents != 0)
		mask |= 1;
	if (b >= 0 && fds[1].revents != 0)
		mask |= 2;
	tell(ready);
	return mask;
}
