#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cover.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "json.h"
#include "lock.h"
#include "shape.h"

enum {
	ID = 12,		    /* hexadecimal digits */
	FILE_MOST = 256 << 20,	    /* bytes of the file */
	WAIT = 60000,		    /* ms, for another process of the run */
	HASHES = 1 << 12
};

static const char mark[] = "REDACTED_";
enum { MARK = sizeof(mark) - 1, HEAD = MARK + ID };

struct pair {
	struct span value, placeholder; /* owned, never freed */
	size_t next; /* index + 1 of one whose first bytes have its hash, or 0 */
};

static struct buf path, lockpath;
static struct pair *pairs; /* in the order of the file */
static size_t npairs, paircap;
static size_t heads[HASHES]; /* of their chains, by the hash of first bytes */
static off_t readto; /* of the file */
static dev_t dev;
static ino_t ino;

static struct span
span_copy(struct span s)
{
	struct span k = {xstrndup(s.p, s.n), s.n};

	return k;
}

static unsigned
hash4(const char *p)
{
	unsigned v;

	memcpy(&v, p, sizeof(v));
	return (v * 2654435761u) >> 20;
}

static int
starts(struct span s, struct span with)
{
	return s.n >= with.n && memcmp(s.p, with.p, with.n) == 0;
}

/* The longest value that s begins with, or NULL. */
static struct pair *
find_value(struct span s)
{
	struct pair *p, *found = NULL;
	size_t i = heads[hash4(s.p)];

	for (; i != 0; i = p->next) {
		p = &pairs[i - 1];
		if (starts(s, p->value)
		    && (found == NULL || p->value.n > found->value.n))
			found = p;
	}
	return found;
}

static struct pair *
find_id(const char *head)
{
	size_t i;

	for (i = 0; i < npairs; i++)
		if (memcmp(pairs[i].placeholder.p, head, HEAD) == 0)
			return &pairs[i];
	return NULL;
}

static void
add(struct span placeholder, struct span value)
{
	size_t *head = &heads[hash4(value.p)];

	grow(&pairs, &paircap, npairs, sizeof(*pairs));
	pairs[npairs++] =
	    (struct pair){span_copy(value), span_copy(placeholder), *head};
	*head = npairs;
}

static int
is_placeholder(struct span s)
{
	size_t i;

	if (s.n < HEAD || memcmp(s.p, mark, MARK) != 0)
		return 0;
	for (i = MARK; i < HEAD; i++)
		if (strchr("0123456789abcdef", s.p[i]) == NULL)
			return 0;
	return 1;
}

static void
take_line(const char *s, size_t n, size_t line)
{
	static struct json j;
	static struct buf p, v;

	buf_reset(&p);
	buf_reset(&v);
	if (json_parse(&j, s, n) < 0
	    || json_str(&j, json_get(&j, 0, "placeholder"), &p) < 0
	    || json_str(&j, json_get(&j, 0, "value"), &v) < 0
	    || !is_placeholder(buf_view(&p)) || v.n < SHAPE_LEAST)
		die_at(EX_DATAERR, buf_cstr(&path), line, 1,
		    "expected a placeholder and a value of redact");
	add(buf_view(&p), buf_view(&v));
}

/*
 * Read what came since; a last line without its end was cut off by a crash,
 * and what it stood for was in no request.
 */
static void
read_map(void)
{
	static size_t line;
	static struct buf b;
	struct stat st;
	const char *s, *nl, *end;
	ssize_t r;
	int fd = fd_open(buf_cstr(&path), O_RDONLY, 0);

	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", buf_cstr(&path));
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MOST)
		die(EX_DATAERR, "%s: expected the map of a run",
		    buf_cstr(&path));
	if ((st.st_mode & 077) != 0)
		die(EX_NOPERM, "%s: expected a file that only its owner can "
		    "read: chmod 600", buf_cstr(&path));
	/* Another file in its place is read anew; old pairs do no harm. */
	if (st.st_dev != dev || st.st_ino != ino || st.st_size < readto)
		readto = 0;
	dev = st.st_dev;
	ino = st.st_ino;
	buf_reset(&b);
	while (readto + (off_t)b.n < st.st_size) {
		buf_room(&b, (size_t)(st.st_size - readto) - b.n);
		r = pread(fd, b.p + b.n, (size_t)(st.st_size - readto) - b.n,
		    readto + (off_t)b.n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			die_sys(EX_IOERR, "read %s", buf_cstr(&path));
		if (r == 0)
			break;
		b.n += (size_t)r;
	}
	fd_drop(fd);
	if (readto == 0)
		line = 0;
	end = b.p + b.n;
	for (s = b.p; b.n > 0
	     && (nl = memchr(s, '\n', (size_t)(end - s))) != NULL; s = nl + 1)
		take_line(s, (size_t)(nl - s), ++line);
	if (b.n > 0)
		readto += (off_t)(s - b.p);
}

void
cover_open(const char *name)
{
	buf_puts(&path, name);
	buf_printf(&lockpath, "%s.lock", name);
	read_map();
}

/* What was noted since the last cover_fix. */
struct noted {
	const char *name;
	struct span value; /* owned */
};
static struct noted *noted;
static size_t nnoted, notedcap;

void
cover_note(const char *name, struct span secret)
{
	if (secret.n < SHAPE_LEAST)
		return;
	grow(&noted, &notedcap, nnoted, sizeof(*noted));
	noted[nnoted].name = name;
	noted[nnoted++].value = span_copy(secret);
}

static int
has_value(struct span s)
{
	struct pair *p = find_value(s);

	return p != NULL && p->value.n == s.n;
}

static int
by_noted(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

	return span_order(x->value, y->value);
}

static void
invent(struct buf *b, const char *name)
{
	buf_reset(b);
	buf_puts(b, mark);
	fd_random(b, ID);
	buf_printf(b, "_%s", name);
}

/* Append them to the file, of which a torn last line goes. */
static void
append(struct buf *lines)
{
	int fd = fd_open(buf_cstr(&path), O_WRONLY | O_CREAT, 0600);

	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&path));
	if (ftruncate(fd, readto) < 0 || lseek(fd, readto, SEEK_SET) < 0
	    || fd_write(fd, lines->p, lines->n) < 0 || fd_close(fd) < 0)
		die_sys(EX_IOERR, "write %s", buf_cstr(&path));
}

void
cover_fix(void)
{
	static struct buf lines, p;
	size_t i;
	int lock;

	if (nnoted == 0 && readto > 0) {
		read_map();
		return;
	}
	lock = lock_take(buf_cstr(&lockpath), WAIT);
	if (lock < 0)
		die_sys(errno == EWOULDBLOCK ? EX_TEMPFAIL : EX_CANTCREAT,
		    "%s", buf_cstr(&lockpath));
	read_map();
	if (nnoted > 0)
		qsort(noted, nnoted, sizeof(*noted), by_noted);
	buf_reset(&lines);
	for (i = 0; i < nnoted; i++) {
		if (has_value(noted[i].value) || (i > 0
			&& span_same(noted[i - 1].value, noted[i].value)))
			continue;
		invent(&p, noted[i].name);
		emit_open(&lines, '{');
		emit_pairn(&lines, "placeholder", p.p, p.n);
		emit_pairn(&lines, "value", noted[i].value.p,
		    noted[i].value.n);
		emit_close(&lines, '}');
		buf_putc(&lines, '\n');
	}
	if (lines.n > 0 || readto == 0) {
		append(&lines);
		read_map();
	}
	close(lock);
	for (i = 0; i < nnoted; i++)
		free((char *)noted[i].value.p);
	nnoted = 0;
}

size_t
cover_next(struct span s, size_t *at, struct span *placeholder)
{
	struct pair *p;
	size_t i;

	for (i = *at; npairs > 0 && i + SHAPE_LEAST <= s.n; i++) {
		p = find_value((struct span){s.p + i, s.n - i});
		if (p == NULL)
			continue;
		*at = i;
		*placeholder = p->placeholder;
		return p->value.n;
	}
	return 0;
}

size_t
cover_put(struct buf *b, struct span s)
{
	struct span p;
	size_t at = 0, from = 0, n, count = 0;

	while ((n = cover_next(s, &at, &p)) > 0) {
		buf_add(b, s.p + from, at - from);
		buf_span(b, p);
		from = at += n;
		count++;
	}
	buf_add(b, s.p + from, s.n - from);
	return count;
}

static const char *
find_mark(const char *p, const char *end)
{
	for (; end - p >= MARK; p++) {
		p = memchr(p, *mark, (size_t)(end - p) - (MARK - 1));
		if (p == NULL)
			return NULL;
		if (memcmp(p, mark, MARK) == 0)
			return p;
	}
	return NULL;
}

/* How far s goes on as the placeholder does. */
static size_t
common(struct span s, struct span p)
{
	size_t n = HEAD;

	while (n < s.n && n < p.n && s.p[n] == p.p[n])
		n++;
	return n;
}

void
cover_typed(struct span s)
{
	const char *end = s.p + s.n, *m = s.p;
	struct span here;
	struct pair *p;

	while ((m = find_mark(m, end)) != NULL) {
		here = (struct span){m, (size_t)(end - m)};
		p = end - m >= HEAD ? find_id(m) : NULL;
		m += MARK;
		if (p != NULL) {
			here.n = common(here, p->placeholder);
			cover_note("typed", here);
		}
	}
}

/* Bytes at the end of s with which a mark may begin. */
static size_t
partial_mark(struct span s)
{
	size_t n = s.n < MARK - 1 ? s.n : MARK - 1;

	while (n > 0 && memcmp(s.p + s.n - n, mark, n) != 0)
		n--;
	return n;
}

size_t
cover_undo(struct buf *b, struct span s, size_t *rest)
{
	const char *p = s.p, *end = s.p + s.n, *m;
	struct span here;
	struct pair *pair;
	size_t n, count = 0, left = 0;

	if (rest != NULL)
		left = partial_mark(s);
	for (m = p; (m = find_mark(m, end)) != NULL;) {
		here = (struct span){m, (size_t)(end - m)};
		if (here.n < HEAD) {
			if (rest != NULL)
				left = here.n;
			break;
		}
		pair = find_id(m);
		if (pair == NULL) { /* another process may have made it since */
			read_map();
			pair = find_id(m);
		}
		if (pair == NULL) {
			m += MARK;
			continue;
		}
		n = common(here, pair->placeholder);
		if (rest != NULL && n == here.n && n < pair->placeholder.n) {
			left = here.n;
			break;
		}
		buf_add(b, p, (size_t)(m - p));
		buf_span(b, pair->value);
		p = m += n;
		count++;
	}
	if ((size_t)(end - p) < left)
		left = (size_t)(end - p);
	buf_add(b, p, (size_t)(end - p) - left);
	if (rest != NULL)
		*rest = left;
	return count;
}
