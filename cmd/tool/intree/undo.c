#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "clock.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "undo.h"

enum { BLOCK = 65536 };

static int
copy(int from, const char *to)
{
	static char block[BLOCK];
	off_t at = 0;
	ssize_t n;
	int fd = fd_open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		return -1;
	/* COMMAND's position in it is its own. */
	while ((n = pread(from, block, sizeof(block), at)) > 0) {
		if (fd_write(fd, block, (size_t)n) < 0) {
			fd_drop(fd);
			return -1;
		}
		at += n;
	}
	if (n < 0 || fd_sync(fd) < 0) {
		fd_drop(fd);
		return -1;
	}
	return fd_close(fd);
}

/* Lines of the log, which is locked: the number of the last one. */
static long
count(int fd)
{
	static char block[BLOCK];
	off_t at = 0;
	ssize_t i, n;
	long lines = 0;

	while ((n = pread(fd, block, sizeof(block), at)) > 0) {
		for (i = 0; i < n; i++)
			lines += block[i] == '\n';
		at += n;
	}
	return n < 0 ? -1 : lines;
}

static void
entry(struct buf *b, long n, const char *path, const struct stat *was,
    const struct stat *now)
{
	struct buf t = {0};
	char s[64];

	clock_utc(&t, clock_now());
	emit_open(b, '{');
	emit_pairi(b, "n", n);
	emit_pair(b, "time", buf_cstr(&t));
	emit_pair(b, "tool", env_get("LLM_TOOL_NAME"));
	emit_pair(b, "path", path);
	emit_pairb(b, "old", was != NULL);
	if (was != NULL) {
		snprintf(s, sizeof(s), "%o", (unsigned)was->st_mode & 0777);
		emit_pair(b, "mode", s);
	}
	emit_pairi(b, "ino", (long long)now->st_ino);
	emit_pairi(b, "size", (long long)now->st_size);
	snprintf(s, sizeof(s), "%lld.%09ld", (long long)now->st_mtim.tv_sec,
	    now->st_mtim.tv_nsec);
	emit_pair(b, "mtime", s);
	emit_close(b, '}');
	buf_putc(b, '\n');
	buf_free(&t);
}

int
undo_keep(int old, const char *path, const struct stat *was,
    const struct stat *now)
{
	static struct buf b, name;
	int fd, r = -1;
	long n;

	if (env_run(&name, "undo/log") == NULL)
		return 0;
	if (file_mkparent(buf_cstr(&name)) < 0)
		return -1;
	fd = fd_open(buf_cstr(&name), O_RDWR | O_APPEND | O_CREAT, 0600);
	if (fd < 0)
		return -1;
	if (fd_lock(fd, LOCK_EX) == 0 && (n = count(fd)) >= 0) {
		entry(&b, ++n, path, old < 0 ? NULL : was, now);
		(void)env_run(&name, "undo/");
		buf_printf(&name, "%ld", n);
		if (old < 0 || copy(old, buf_cstr(&name)) == 0)
			r = fd_write(fd, b.p, b.n);
	}
	if (r < 0)
		fd_drop(fd);
	else
		r = fd_close(fd);
	return r;
}
