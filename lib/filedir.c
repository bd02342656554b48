#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"

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
