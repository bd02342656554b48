#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "record.h"
#include "tail.h"

enum {
	TAIL_BLOCK = 65536,
	TAIL_STRIDE = 256 /* searched at once, since memchr only goes forward */
};

static void
get(struct tail *t, off_t at, off_t end)
{
	ssize_t r;

	while (at < end) {
		r = pread(t->fd, t->mem + at, (size_t)(end - at), at);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			die_sys(EX_IOERR, "read %s", t->name);
		if (r == 0)
			die(EX_IOERR, "read %s: the file became shorter",
			    t->name);
		at += r;
	}
}

/* The block before what is read, at the boundaries that a disk has too. */
static void
more(struct tail *t)
{
	off_t from = (t->start - 1) / TAIL_BLOCK * TAIL_BLOCK;

	get(t, from, t->start);
	t->start = from;
}

/* After the last newline in these bytes; NULL without a newline. */
static const char *
last_line(const char *s, const char *end)
{
	const char *found = NULL, *nl;

	while (s < end && (nl = memchr(s, '\n', (size_t)(end - s))) != NULL)
		found = s = nl + 1;
	return found;
}

/* Where the line that ends before at begins. */
static off_t
begin(struct tail *t, off_t at)
{
	const char *found;
	off_t end = at, from;

	while (at > 0) {
		if (at == t->start)
			more(t);
		from = at - t->start > TAIL_STRIDE ? at - TAIL_STRIDE
						   : t->start;
		found = last_line(t->mem + from, t->mem + at);
		if (found != NULL)
			return (off_t)(found - t->mem);
		at = from;
		if ((size_t)(end - at) > RECORD_MAX)
			die(EX_DATAERR,
			    "%s: expected lines of at most %d bytes", t->name,
			    RECORD_MAX);
	}
	return 0;
}

void
tail_open(struct tail *t, int fd, const char *name)
{
	struct stat st;
	off_t at;

	memset(t, 0, sizeof(*t));
	if (fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", name);
	t->fd = fd;
	t->name = name;
	t->size = t->start = st.st_size;
	t->mem = xmalloc((size_t)st.st_size + 1);
	t->mem[st.st_size] = '\0';
	at = begin(t, t->size);
	t->torn.p = t->mem + at;
	t->torn.n = (size_t)(t->size - at);
	t->next = at;
}

void
tail_rewind(struct tail *t)
{
	t->next = t->size - (off_t)t->torn.n;
}

void
tail_whole(struct tail *t)
{
	t->torn.p = t->mem + t->size;
	t->torn.n = 0;
	/* As if the newline were there. */
	t->mem[t->size] = '\n';
	t->next = t->size;
}

int
tail_prev(struct tail *t, struct span *line)
{
	off_t at, end = t->next;

	if (end == 0)
		return 0;
	/* Only a last line made whole has no newline in the file. */
	if (t->mem[end - 1] == '\n')
		end--;
	at = begin(t, end);
	line->p = t->mem + at;
	line->n = (size_t)(end - at);
	t->next = at;
	return 1;
}

int
tail_line(struct tail *t, off_t at, struct span *line)
{
	const char *nl = NULL;
	off_t from = at - 1, to;

	if (at < 1 || at >= t->size)
		return 0;
	for (; nl == NULL && from < t->size; from = to) {
		to = t->size - from > TAIL_BLOCK ? from + TAIL_BLOCK : t->size;
		if (from < t->start)
			get(t, from, to < t->start ? to : t->start);
		if (from < at && t->mem[from++] != '\n')
			return 0;
		nl = memchr(t->mem + from, '\n', (size_t)(to - from));
	}
	if (nl == NULL)
		return 0;
	line->p = t->mem + at;
	line->n = (size_t)(nl - line->p);
	return 1;
}

off_t
tail_at(const struct tail *t, const char *p)
{
	return (off_t)(p - t->mem);
}

void
tail_bad(struct tail *t, off_t at, const char *why)
{
	size_t col, line;

	while (t->start > 0)
		more(t);
	json_where(t->mem, (size_t)at, &line, &col);
	die_at(EX_DATAERR, t->name, line, col, why);
}

void
tail_close(struct tail *t)
{
	free(t->mem);
	memset(t, 0, sizeof(*t));
	t->fd = -1;
}
