#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fd.h"
#include "file.h"
#include "truncate.h"
#include "utf8.h"

enum { CLIP_NAMES = 1000 }; /* FILE, FILE.2, ... before we give up */

void
truncate_start(struct truncate *c, size_t max, const char *path, size_t filemax)
{
	memset(c, 0, sizeof(*c));
	c->max = max;
	c->filemax = filemax;
	c->fd = -1;
	if (path != NULL)
		buf_puts(&c->path, path);
}

/* A new file: an earlier result of that name may still be read. */
static void
create(struct truncate *c)
{
	size_t n = c->path.n;
	int i;

	if (file_mkparent(buf_cstr(&c->path)) < 0)
		c->err = errno;
	for (i = 2; c->err == 0 && c->fd < 0; i++) {
		c->fd = fd_open(buf_cstr(&c->path),
		    O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (c->fd >= 0)
			break;
		if (errno != EEXIST || i > CLIP_NAMES)
			c->err = errno;
		c->path.n = n;
		buf_printf(&c->path, ".%d", i);
	}
}

static void
keep(struct truncate *c, const char *p, size_t n)
{
	if (n > c->filemax - c->kept)
		n = (size_t)(c->filemax - c->kept);
	if (c->fd < 0 || n == 0)
		return;
	if (fd_write(c->fd, p, n) == 0) {
		c->kept += n;
		return;
	}
	/* What is in the file is still worth its name. */
	c->err = errno;
	fd_drop(c->fd);
	c->fd = -1;
}

void
truncate_add(struct truncate *c, const char *p, size_t n)
{
	const char *q = p;
	size_t room;

	c->bytes += n;
	while ((q = memchr(q, '\n', n - (size_t)(q - p))) != NULL) {
		c->lines++;
		q++;
	}
	if (c->bytes <= c->max) {
		buf_add(&c->first, p, n);
		return;
	}
	if (!c->over) {
		c->over = 1;
		if (c->path.n > 0)
			create(c);
		keep(c, c->first.p, c->first.n);
		/* The tail may begin in what was first. */
		buf_add(&c->last, c->first.p, c->first.n);
	}
	keep(c, p, n);
	room = c->first.n < c->max ? c->max - c->first.n : 0;
	buf_add(&c->first, p, n < room ? n : room);
	if (n > c->max) {
		p += n - c->max;
		n = c->max;
	}
	buf_add(&c->last, p, n);
	if (c->last.n > 2 * c->max) {
		memmove(c->last.p, c->last.p + c->last.n - c->max, c->max);
		c->last.n = c->max;
	}
}

void
truncate_save(struct truncate *c)
{
	if (c->over || c->fd >= 0 || c->path.n == 0)
		return;
	create(c);
	keep(c, c->first.p, c->first.n);
}

static struct span
head(const struct buf *b, size_t half)
{
	struct span s = { b->p, utf8_cut(b->p, b->n, half) };
	size_t n = s.n;

	while (n > half / 2 && b->p[n - 1] != '\n')
		n--;
	if (n > half / 2)
		s.n = n;
	return s;
}

static struct span
tail(const struct buf *b, size_t half)
{
	size_t start = b->n > half ? b->n - half : 0;
	size_t from = start;
	const char *nl;
	struct span s;

	if (from > 0 && b->p[from - 1] != '\n') {
		nl = memchr(b->p + from, '\n', half / 2);
		if (nl != NULL)
			from = (size_t)(nl - b->p) + 1;
		else
			while (from < b->n
			    && ((unsigned char)b->p[from] & 0xc0) == 0x80
			    && from < start + 3)
				from++;
	}
	s.p = b->p + from;
	s.n = b->n - from;
	return s;
}

void
truncate_end(struct truncate *c)
{
	size_t half = c->max / 2;

	if (c->fd >= 0 && fd_close(c->fd) < 0)
		c->err = errno;
	c->fd = -1;
	c->head.p = buf_cstr(&c->first);
	c->head.n = c->first.n;
	c->tail.p = buf_cstr(&c->last);
	c->tail.n = 0;
	if (c->over) {
		c->head = head(&c->first, half);
		c->tail = tail(&c->last, half);
	}
}

void
truncate_free(struct truncate *c)
{
	if (c->fd >= 0)
		fd_drop(c->fd);
	buf_free(&c->path);
	buf_free(&c->first);
	buf_free(&c->last);
}
