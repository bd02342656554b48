#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"

enum {
	FILE_CHUNK = 4096,  /* for files that do not know their size */
	FILE_READ = 1 << 30 /* some systems read no more at once */
};

static enum file_result
read_all(int fd, struct buf *b, size_t max, size_t hint)
{
	size_t got = 0, want;
	ssize_t r;

	/* One byte past the cap shows a file that grows while it is read. */
	for (;;) {
		want = hint > got ? hint - got : FILE_CHUNK;
		if (max != SIZE_MAX && want > max - got + 1)
			want = max - got + 1;
		buf_room(b, want);
		r = read(fd, b->p + b->n, want < FILE_READ ? want : FILE_READ);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return FILE_ERRNO;
		if (r == 0)
			return FILE_OK;
		got += (size_t)r;
		b->n += (size_t)r;
		if (got > max)
			return FILE_LARGE;
		/* All that it had, and no more although there was room. */
		if (got + 1 == hint && (size_t)r < want)
			return FILE_OK;
	}
}

void
file_note(const char *what, const char *name)
{
	static struct buf b;
	const char *to = env_get("TURNPIPE_MADE");
	char *dir = NULL;

	if (to == NULL)
		return;
	if (*name != '/' && strcmp(what, "file") == 0)
		dir = realpath(".", NULL);
	buf_reset(&b);
	buf_printf(&b, "%s\t%s\t%s%s%s\n", prog, what, dir != NULL ? dir : "",
	    dir != NULL ? "/" : "", name);
	free(dir);
	if (file_append(to, b.p, b.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "append to %s", to);
}

enum file_result
file_read(const char *path, struct buf *b, size_t max)
{
	enum file_result res;
	struct stat st;
	size_t start = b->n;
	int fd;

	fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0) /* ENXIO: a socket cannot be opened */
		return errno == ENXIO ? FILE_IRREGULAR : FILE_ERRNO;
	if (fstat(fd, &st) < 0)
		res = FILE_ERRNO;
	else if (!S_ISREG(st.st_mode))
		res = FILE_IRREGULAR;
	else if (st.st_size > 0 && (uintmax_t)st.st_size > max)
		res = FILE_LARGE;
	else
		res = read_all(fd, b, max,
		    st.st_size > 0 ? (size_t)st.st_size + 1 : 0);
	fd_drop(fd);
	if (res != FILE_OK)
		b->n = start;
	else
		file_note("file", path);
	return res;
}

int
file_map(int fd, struct span *text)
{
	struct stat st;
	void *p;

	*text = (struct span){ "", 0 };
	if (fstat(fd, &st) < 0)
		return -1;
	if (st.st_size == 0)
		return 0;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	*text = (struct span){ p, (size_t)st.st_size };
	return 0;
}

void
file_unmap(struct span text)
{
	if (text.n > 0)
		munmap((void *)(size_t)text.p, text.n);
}

const char *
file_why(enum file_result r)
{
	switch (r) {
	case FILE_OK:
		return "no fault";
	case FILE_ERRNO:
		return strerror(errno);
	case FILE_IRREGULAR:
		return "not a regular file";
	case FILE_LARGE:
		return "file too large";
	}
	return "unknown fault";
}

static int unsynced; /* for the whole of one file_put */

/* Make the new name in this directory last. */
static int
sync_dir(const char *dir)
{
	int fd, r;

	fd = fd_open(dir, O_RDONLY | O_DIRECTORY, 0);
	/* One may write in a directory that one may not read. */
	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	r = fd_sync(fd);
	if (r < 0 && errno == EINVAL) /* a file system that has no such thing */
		r = 0;
	fd_drop(fd);
	return r;
}

/* Devices and pipes cannot be replaced: /dev/full, /dev/stdout. */
static int
write_through(const char *path, const void *p, size_t n)
{
	int fd, fl;

	/* Without waiting for a reader of a FIFO, but for room in it. */
	fd = fd_open(path, O_WRONLY | O_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if ((fl = fcntl(fd, F_GETFL)) < 0
	    || fcntl(fd, F_SETFL, fl & ~O_NONBLOCK) < 0
	    || fd_write(fd, p, n) < 0) {
		fd_drop(fd);
		return -1;
	}
	return fd_close(fd);
}

/*
 * A new file beside the one it is to become; its name to tmp.  Not mkstemp:
 * so the kernel applies the umask to mode.
 */
static int
open_beside(struct buf *tmp, const char *dir, mode_t mode)
{
	unsigned i;
	int fd;

	for (i = 0;; i++) {
		buf_reset(tmp);
		buf_printf(tmp, "%s/.turnpipe-%ld-%u", dir, (long)getpid(), i);
		fd = fd_open(
		    buf_cstr(tmp), O_WRONLY | O_CREAT | O_EXCL, mode);
		if (fd >= 0 || errno != EEXIST || i == 1000)
			return fd;
	}
}

static int
fill(int fd, const struct stat *old, const void *p, size_t n)
{
	if (fd_write(fd, p, n) < 0)
		return -1;
	if (old != NULL) {
		if ((old->st_uid != geteuid() || old->st_gid != getegid())
		    && fchown(fd, old->st_uid, old->st_gid) < 0)
			return -1;
		if (fchmod(fd, old->st_mode & 07777) < 0)
			return -1;
	}
	return unsynced ? 0 : fd_sync(fd);
}

static int
replace(const char *path, const struct stat *old, const void *p, size_t n,
    mode_t mode)
{
	static struct buf dir, tmp;
	int err, fd, r;

	buf_reset(&dir);
	file_dir(&dir, path);
	fd = open_beside(&tmp, buf_cstr(&dir), old != NULL ? 0600 : mode);
	if (fd < 0)
		return -1;
	if ((r = fill(fd, old, p, n)) < 0)
		fd_drop(fd);
	else
		r = fd_close(fd);
	if (r == 0 && rename(buf_cstr(&tmp), path) == 0)
		return unsynced ? 0 : sync_dir(buf_cstr(&dir));
	err = errno;
	unlink(buf_cstr(&tmp));
	errno = err;
	return -1;
}

/* The name that the links at path lead to, in b. */
static int
follow(struct buf *b, const char *path)
{
	static struct buf dir;
	char to[FILE_CHUNK];
	ssize_t n;
	int i;

	buf_reset(b);
	buf_puts(b, path);
	for (i = 0; i < 40; i++) {
		n = readlink(buf_cstr(b), to, sizeof(to));
		if (n < 0)
			return errno == EINVAL ? 0 : -1;
		if ((size_t)n == sizeof(to))
			break;
		buf_reset(&dir);
		if (to[0] != '/')
			file_dir(&dir, buf_cstr(b));
		buf_reset(b);
		buf_add(b, dir.p, dir.n);
		if (to[0] != '/')
			buf_putc(b, '/');
		buf_add(b, to, (size_t)n);
	}
	errno = ELOOP;
	return -1;
}

int
file_write(const char *path, const void *p, size_t n, mode_t mode)
{
	static struct buf real;
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno != ENOENT)
			return -1;
		/* A link to nowhere is a mistake, not a new file. */
		if (lstat(path, &st) < 0)
			return replace(path, NULL, p, n, mode);
		errno = ENOENT;
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (!S_ISREG(st.st_mode))
		return write_through(path, p, n);
	if (follow(&real, path) < 0)
		return -1;
	return replace(buf_cstr(&real), &st, p, n, mode);
}

int
file_put(const char *path, const void *p, size_t n, mode_t mode)
{
	int r;

	unsynced = 1;
	r = file_write(path, p, n, mode);
	unsynced = 0;
	return r;
}

/* Write at the end of the locked file: all of it, or nothing. */
static int
append(int fd, const struct stat *st, const void *p, size_t n)
{
	static struct buf repaired;
	ssize_t r = 0;
	char last = '\n';
	int err;

	if (S_ISREG(st->st_mode) && st->st_size > 0)
		do
			r = pread(fd, &last, 1, st->st_size - 1);
		while (r < 0 && errno == EINTR);
	if (r < 0)
		return -1;
	if (last != '\n') {
		buf_reset(&repaired);
		buf_putc(&repaired, '\n');
		buf_add(&repaired, p, n);
		p = repaired.p;
		n = repaired.n;
	}
	if (fd_write(fd, p, n) == 0)
		return 0;
	/* A disk nearly full may have taken a part: no half line stays. */
	err = errno;
	if (S_ISREG(st->st_mode) && ftruncate(fd, st->st_size) < 0)
		return -1;
	errno = err;
	return -1;
}

int
file_append(const char *path, const void *p, size_t n, mode_t mode)
{
	struct stat now, st;
	int fd;

	for (;;) {
		fd = fd_open(path, O_RDWR | O_APPEND | O_CREAT, mode);
		if (fd < 0)
			return -1;
		if (fd_lock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
			break;
		if (S_ISFIFO(st.st_mode)) { /* what is left in it is lost */
			errno = ESPIPE;
			break;
		}
		/* While we waited, the file may have been replaced. */
		if (st.st_nlink == 0
		    && (stat(path, &now) < 0 || now.st_ino != st.st_ino
			|| now.st_dev != st.st_dev)) {
			close(fd);
			continue;
		}
		if (append(fd, &st, p, n) < 0)
			break;
		return fd_close(fd);
	}
	fd_drop(fd);
	return -1;
}

int
file_unnamed(void)
{
	static struct buf b;
	const char *dir = env_get("TMPDIR");
	int fd, high;

	buf_reset(&b);
	buf_printf(&b, "%s/turnpipe.XXXXXX", dir != NULL ? dir : "/tmp");
	fd = mkstemp(buf_cstr(&b));
	if (fd < 0)
		return -1;
	(void)unlink(b.p);
	/* Out of the way of those that a program's start sets. */
	high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	close(fd);
	return high;
}

int
file_spool(struct span s)
{
	int fd = file_unnamed();

	if (fd >= 0
	    && (fd_write(fd, s.p, s.n) < 0 || lseek(fd, 0, SEEK_SET) < 0)) {
		fd_drop(fd);
		return -1;
	}
	return fd;
}

int
file_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev
	    && x.st_ino == y.st_ino;
}

const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

void
file_dir(struct buf *b, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n == 0) {
		buf_putc(b, '.');
		return;
	}
	while (n > 1 && path[n - 1] == '/')
		n--;
	buf_add(b, path, n);
}

void
file_join(struct buf *b, const char *dir, const char *name)
{
	buf_reset(b);
	buf_puts(b, dir);
	if (b->n > 0 && b->p[b->n - 1] != '/')
		buf_putc(b, '/');
	buf_puts(b, name);
}

static int
make_dir(const char *path)
{
	struct stat st;

	if (mkdir(path, 0700) == 0)
		return 0;
	if (errno != EEXIST || stat(path, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return 0;
	errno = ENOTDIR;
	return -1;
}

/* path is cut at its slashes on the way, and whole again afterwards. */
static int
make_dirs(char *path)
{
	size_t cut = strlen(path);
	int r;

	if (make_dir(path) == 0)
		return 0;
	if (errno != ENOENT)
		return -1;
	while (cut > 0 && path[cut - 1] != '/')
		cut--;
	while (cut > 0 && path[cut - 1] == '/')
		cut--;
	if (cut == 0)
		return -1;
	path[cut] = '\0';
	r = make_dirs(path);
	path[cut] = '/';
	return r < 0 ? -1 : make_dir(path);
}

int
file_mkdirs(const char *path)
{
	static struct buf copy;

	buf_reset(&copy);
	buf_puts(&copy, path);
	while (copy.n > 1 && copy.p[copy.n - 1] == '/')
		copy.n--;
	return make_dirs(buf_cstr(&copy));
}

int
file_mkparent(const char *path)
{
	static struct buf dir;

	buf_reset(&dir);
	file_dir(&dir, path);
	return make_dirs(buf_cstr(&dir));
}
