#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"

int
fd_open(const char *path, int flags, mode_t mode)
{
	int fd, high;

	do
		fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	/* Started with 2>&-: what we say must not end up in this file. */
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	fd_drop(fd);
	return high;
}

int
fd_write(int fd, const void *p, size_t n)
{
	const char *s = p;
	ssize_t w;

	while (n > 0) {
		w = write(fd, s, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		s += w;
		n -= (size_t)w;
	}
	return 0;
}

int
fd_pipes(int *ours, int *theirs, int n)
{
	int p[2], i;

	for (i = 0; i < n; i++) {
		if (pipe(p) < 0) {
			while (i-- > 0) {
				fd_drop(ours[i]);
				fd_drop(theirs[i]);
			}
			return -1;
		}
		ours[i] = p[i == 0];
		theirs[i] = p[i != 0];
		fcntl(p[0], F_SETFD, FD_CLOEXEC);
		fcntl(p[1], F_SETFD, FD_CLOEXEC);
		fcntl(ours[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

int
fd_sync(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r < 0 && errno == EINTR);
	return r;
}

int
fd_lock(int fd, int how)
{
	int r;

	do
		r = flock(fd, how);
	while (r < 0 && errno == EINTR);
	return r;
}

int
fd_close(int fd)
{
	/* After EINTR the descriptor is gone: it must not be closed again. */
	return close(fd) < 0 && errno != EINTR ? -1 : 0;
}

void
fd_drop(int fd)
{
	int err = errno;

	close(fd);
	errno = err;
}

void
fd_random(struct buf *b, size_t n)
{
	unsigned char rnd[32];
	ssize_t r;
	size_t i, got = 0;
	int fd = fd_open("/dev/urandom", O_RDONLY, 0);

	if (fd < 0 || n / 2 > sizeof(rnd))
		die_sys(EX_OSERR, "/dev/urandom");
	while (got < n / 2) {
		r = read(fd, rnd + got, n / 2 - got);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			die_sys(EX_OSERR, "/dev/urandom");
		got += (size_t)r;
	}
	fd_drop(fd);
	for (i = 0; i < n / 2; i++)
		buf_printf(b, "%02x", rnd[i]);
}
