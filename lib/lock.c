#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "fd.h"
#include "file.h"
#include "lock.h"

enum {
	LOCK_NAP = 50, /* milliseconds between two tries, at most */
	LOCK_HOST = 256,
	LOCK_TEXT = 1000
};

/* flock(2) knows no time limit: try, and sleep between. */
static int
lock_within(int fd, long long ms)
{
	struct timespec ts = {0};
	long long end = ms > 0 ? clock_ms() + ms : 0, left, nap = 1;

	for (;;) {
		if (flock(fd, ms < 0 ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK || ms <= 0)
			return -1;
		left = end - clock_ms();
		if (left <= 0) {
			errno = EWOULDBLOCK;
			return -1;
		}
		ts.tv_nsec = (nap < left ? nap : left) * 1000000L;
		nanosleep(&ts, NULL);
		nap = nap * 2 < LOCK_NAP ? nap * 2 : LOCK_NAP;
	}
}

int
lock_take(const char *path, long long ms)
{
	int fd;

	fd = fd_open(path, O_RDWR | O_CREAT, 0600);
	if (fd >= 0 && lock_within(fd, ms) < 0) {
		fd_drop(fd);
		return -1;
	}
	return fd;
}

int
lock_inherited(void)
{
	const char *s = getenv("TURNPIPE_LOCK_FD");
	int fd = s != NULL ? atoi(s) : -1;

	return fd > STDERR_FILENO ? fd : -1;
}

int
lock_others(const char *path)
{
	struct stat theirs, ours;
	int fd = lock_inherited(), r;

	/* Locking it once more works for those alone that hold it. */
	if (fd >= 0 && stat(path, &theirs) == 0 && fstat(fd, &ours) == 0
	    && theirs.st_ino == ours.st_ino && theirs.st_dev == ours.st_dev
	    && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	fd = fd_open(path, O_RDONLY, 0);
	if (fd < 0)
		return 0;
	r = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	fd_drop(fd);
	return r;
}

static const char *
host(void)
{
	static char name[LOCK_HOST];

	if (gethostname(name, sizeof(name) - 1) < 0)
		*name = '\0';
	name[strcspn(name, " \n")] = '\0';
	return name;
}

void
lock_sign(int fd, const char *what)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "%ld@%s %.*s\n", (long)getpid(), host(),
	    (int)strcspn(what, "\r\n"), what);
	/* A lock that cannot be signed is held all the same. */
	if (ftruncate(fd, 0) < 0
	    || pwrite(fd, b.p, b.n, 0) != (ssize_t)b.n)
		return;
}

long
lock_holder(const char *path, struct buf *what)
{
	static struct buf b;
	char *s, *end;
	size_t n = 0;
	long pid;

	buf_reset(&b);
	if (file_read(path, &b, LOCK_TEXT) != FILE_OK)
		return 0;
	s = buf_cstr(&b);
	if (!isdigit((unsigned char)*s))
		return 0;
	errno = 0;
	pid = strtol(s, &end, 10);
	if (errno == 0 && *end == '@')
		n = strcspn(end, " \n");
	if (errno != 0 || end[n] != ' ')
		return 0;
	s = end + n + 1;
	buf_add(what, s, strcspn(s, "\n"));
	if (n == 0 || (strlen(host()) == n - 1 && strncmp(end + 1, host(), n - 1) == 0))
		return pid;
	buf_printf(what, ", on the host %.*s", (int)n - 1, end + 1);
	return -pid;
}
