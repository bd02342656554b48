#define _GNU_SOURCE /* O_PATH, syscall */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "beneath.h"
#include "buf.h"
#include "fd.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum { DIRECTORY = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

int beneath_walk_only;

#ifdef SYS_openat2
/* linux/openat2.h, which older headers lack. */
enum {
	NO_MAGICLINKS = 0x02,
	NO_SYMLINKS = 0x04,
	BENEATH = 0x08
};

static int
at_once(int top, const char *rel)
{
	struct {
		unsigned long long flags, mode, resolve;
	} how = {DIRECTORY, 0, NO_MAGICLINKS | NO_SYMLINKS | BENEATH};

	if (beneath_walk_only) {
		errno = ENOSYS;
		return -1;
	}
	return (int)syscall(SYS_openat2, top, rel, &how, sizeof(how));
}
#else
static int
at_once(int top, const char *rel)
{
	(void)top;
	(void)rel;
	errno = ENOSYS;
	return -1;
}
#endif

/* Name by name, none of them followed; top is closed. */
static int
walk(int top, const char *rel, int make)
{
	char *name;
	size_t n;
	int fd;

	for (; top >= 0 && *rel != '\0'; rel += n + (rel[n] == '/')) {
		n = strcspn(rel, "/");
		if (n == 0)
			continue;
		name = xstrndup(rel, n);
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
			errno = EINVAL;
			fd = -1;
		} else {
			fd = openat(top, name, DIRECTORY);
		}
		if (fd < 0 && errno == ENOENT && make
		    && (mkdirat(top, name, 0777) == 0 || errno == EEXIST))
			fd = openat(top, name, DIRECTORY);
		free(name);
		fd_drop(top);
		top = fd;
	}
	return top;
}

int
beneath_dir(const char *path, size_t n, int make)
{
	int top = open("/", DIRECTORY), fd;
	char *rel;

	if (top < 0)
		return -1;
	while (n > 0 && *path == '/') {
		path++;
		n--;
	}
	if (n == 0)
		return top;
	rel = xstrndup(path, n);
	fd = at_once(top, rel);
	/* A filter of system calls says EPERM where the kernel says ENOSYS. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL
		|| (errno == ENOENT && make)))
		fd = walk(top, rel, make);
	else
		fd_drop(top);
	free(rel);
	return fd;
}
