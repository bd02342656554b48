#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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
