#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "skill.h"
#include "skillrule.h"

/* Upper case wins where there are both, as in the reference validator. */
static const char *const files[] = {"SKILL.md", "skill.md"};

/* Without these it would be another skill, or one that the model may call. */
static const char *const needed[] = {"name", "description",
    "disable-model-invocation", NULL};

/* The file's name, or as much of it as at needs. */
static const char *
filename(const char *dir, int at, const char *file)
{
	static struct buf b;

	buf_reset(&b);
	buf_puts(&b, at < 0 ? dir : file_name(dir));
	buf_putc(&b, '/');
	buf_puts(&b, file);
	return buf_cstr(&b);
}

static int
open_skill(const char *dir, int at, const char **file)
{
	size_t i;
	int fd = -1;

	for (i = 0; i < 2 && fd < 0 && (i == 0 || errno == ENOENT); i++) {
		*file = files[i];
		fd = openat(at < 0 ? AT_FDCWD : at, filename(dir, at, *file),
		    O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	return fd;
}

/* Read up to n bytes more; how many came, or -1. */
static ssize_t
more(int fd, struct buf *b, size_t n)
{
	ssize_t r, got = 0;

	buf_room(b, n);
	do {
		r = read(fd, b->p + b->n, n - (size_t)got);
		if (r > 0) {
			b->n += (size_t)r;
			got += r;
		}
	} while ((r < 0 && errno == EINTR)
	    || (r > 0 && got < (ssize_t)n && b->n > SKILL_HEAD));
	return r < 0 ? -1 : got;
}

/* Say why, when it is no file that can be read or has no text. */
static enum skill_result
unread(int fd, ssize_t r)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		return skill_lose(0, 0, file_why(FILE_IRREGULAR));
	if (r < 0)
		return skill_lose(0, 0, strerror(errno));
	return SKILL_EMPTY;
}

/*
 * Does the text so far leave open what the front matter is?  A first block
 * that is full may end before the fence does, or right after it.
 */
static int
undecided(const struct skill *s, int r)
{
	return s->front.present ? s->front.body.n == 0 : r < 0;
}

static enum skill_result
head(struct skill *s, int fd)
{
	ssize_t n;
	int r;

	buf_reset(&s->text);
	s->front.keep = needed;
	n = more(fd, &s->text, SKILL_HEAD);
	if (n <= 0)
		return unread(fd, n);
	r = frontmatter_parse(&s->front, s->text.p, s->text.n);
	if (undecided(s, r) && n == SKILL_HEAD) {
		n = more(fd, &s->text, SKILL_FRONT + 1 - SKILL_HEAD);
		if (n < 0)
			return unread(fd, n);
		r = frontmatter_parse(&s->front, s->text.p, s->text.n);
		if (undecided(s, r) && s->text.n > SKILL_FRONT)
			return skill_lose(1, 1, "expected front matter of "
			    "at most 64 kB");
	}
	if (r < 0)
		return skill_lose(s->front.line, s->front.col, s->front.why);
	return SKILL_OK;
}

enum skill_result
skill_read(struct skill *s, int at, const char *dir,
    const struct skill_rules *rules)
{
	enum skill_result r;
	const char *file;
	int fd;

	skill_subject(dir, files[0], rules);
	fd = open_skill(dir, at, &file);
	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return SKILL_NONE;
		return errno == ENXIO
		    ? skill_lose(0, 0, file_why(FILE_IRREGULAR))
		    : skill_lose(0, 0, strerror(errno));
	}
	skill_subject(dir, file, rules);
	s->file = file;
	r = head(s, fd);
	close(fd);
	return r == SKILL_OK ? skill_check(s) : r;
}

int
skill_body(struct skill *s, const char *dir, struct span *text,
    const char **why)
{
	enum file_result r;
	size_t i;

	for (i = 0; i < 2; i++) {
		buf_reset(&s->text);
		r = file_read(filename(dir, -1, files[i]), &s->text,
		    SKILL_MAX);
		if (r != FILE_ERRNO || errno != ENOENT)
			break;
	}
	*why = file_why(r);
	if (r != FILE_OK)
		return -1;
	*why = "expected front matter";
	s->front.keep = needed;
	if (frontmatter_parse(&s->front, buf_cstr(&s->text), s->text.n) < 0)
		return -1;
	*text = span_trim(s->front.body);
	return 0;
}
