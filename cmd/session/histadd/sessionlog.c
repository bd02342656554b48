#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chain.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "path.h"
#include "settings.h"
#include "sessionlog.h"
#include "tail.h"

/* All of it or nothing: on a full disk no half record stays. */
static void
append(struct sessionlog *l, const char *p, size_t n)
{
	int err;

	if (fd_write(l->fd, p, n) < 0) {
		err = errno;
		if (ftruncate(l->fd, l->size) < 0)
			warn_sys("%s: cut the half record off", l->path);
		errno = err;
		die_sys(EX_IOERR, "write %s", l->path);
	}
	l->size += (off_t)n;
}

/* So that the last line can be proved, too. */
static void
put_head(struct sessionlog *l)
{
	struct buf name = {0};

	if (l->headfd < 0) {
		session_run(&name, l->path);
		if (file_mkdirs(buf_cstr(&name)) < 0)
			die_sys(EX_CANTCREAT, "%s", name.p);
		buf_puts(&name, CHAIN_HEAD);
		l->headfd = fd_open(buf_cstr(&name), O_WRONLY | O_CREAT, 0600);
		if (l->headfd < 0)
			die_sys(EX_CANTCREAT, "%s", name.p);
		buf_free(&name);
	}
	if (lseek(l->headfd, 0, SEEK_SET) < 0
	    || fd_write(l->headfd, l->head.p, l->head.n) < 0)
		die_sys(EX_IOERR, "write the head of %s", l->path);
}

/*
 * The one case in which bytes leave the file; they are kept.  First copied,
 * then cut: a run killed between leaves them twice, not never.
 */
static void
set_aside(struct sessionlog *l, struct tail *t)
{
	struct buf b = {0}, name = {0};

	session_run(&name, l->path);
	if (file_mkdirs(buf_cstr(&name)) < 0)
		die_sys(EX_CANTCREAT, "%s", name.p);
	buf_puts(&name, "/torn");
	buf_span(&b, t->torn);
	buf_putc(&b, '\n');
	if (file_append(buf_cstr(&name), b.p, b.n, 0600) < 0)
		die_sys(EX_IOERR, "write %s", name.p);
	l->size = t->size - (off_t)t->torn.n;
	if (ftruncate(l->fd, l->size) < 0)
		die_sys(EX_IOERR, "write %s", l->path);
	warn("%s: torn last line (%zu bytes) moved to %s", l->path, t->torn.n,
	    name.p);
	buf_free(&b);
	buf_free(&name);
}

/* With the lock held, and only if another process wrote since. */
static void
read_end(struct sessionlog *l)
{
	struct stat st;
	struct tail t;
	struct rec r;
	const char *why;
	size_t at;

	if (fstat(l->fd, &st) < 0)
		die_sys(EX_IOERR, "%s", l->path);
	if (st.st_size == l->size)
		return;
	l->size = st.st_size;
	tail_open(&t, l->fd, l->path);
	if (t.torn.n > 0) {
		if (record_check(&r, t.torn.p, t.torn.n, &why, &at) == 0) {
			append(l, "\n", 1);
			tail_whole(&t);
		} else {
			set_aside(l, &t);
		}
	}
	session_counted(&t, &l->count);
	l->ischained = session_prev(&t, &r) && chain_said(&r).n > 0;
	if (l->ischained)
		chain_hash(&l->head, (struct span){r.s, r.n});
	tail_close(&t);
}

static void
lock(struct sessionlog *l, int how)
{
	if (fd_lock(l->fd, how) < 0)
		die_sys(EX_IOERR, "lock %s", l->path);
}

static int
create(const char *path)
{
	int fd;

	fd = fd_open(path, O_RDWR | O_APPEND | O_CREAT, 0600);
	if (fd < 0 && errno == ENOENT && file_mkparent(path) == 0)
		fd = fd_open(path, O_RDWR | O_APPEND | O_CREAT, 0600);
	return fd;
}

int
sessionlog_open(struct sessionlog *l, int make)
{
	struct stat st;

	l->fd = fd_open(l->path, O_RDWR | O_APPEND | O_NONBLOCK, 0);
	if (l->fd < 0 && errno == ENOENT) {
		if (!make)
			return -1;
		l->fd = create(l->path);
	}
	if (l->fd < 0)
		die_sys(EX_CANTCREAT, "%s", l->path);
	if (fstat(l->fd, &st) < 0)
		die_sys(EX_IOERR, "%s", l->path);
	if (!S_ISREG(st.st_mode))
		die(EX_CANTCREAT, "%s: not a regular file", l->path);
	l->isopen = 1;
	l->size = 0;
	l->headfd = -1;
	memset(&l->count, 0, sizeof(l->count));
	lock(l, LOCK_EX);
	read_end(l);
	lock(l, LOCK_UN);
	return 0;
}

/* A line, also for who wants a copy. */
static void
put_line(struct sessionlog *l, struct buf *b)
{
	buf_putc(b, '\n');
	append(l, b->p, b->n);
	if (l->copy != NULL)
		buf_span(l->copy, buf_view(b));
	if (!l->ischained)
		return;
	chain_hash(&l->head, (struct span){b->p, b->n - 1});
	put_head(l);
}

static void
header(struct sessionlog *l, const struct json *j)
{
	static struct buf b, now;
	struct span id = session_id(l->path);

	int k;

	l->ischained = settings_bool("chain");
	buf_reset(&b);
	buf_reset(&now);
	emit_open(&b, '{');
	if (j == NULL) {
		clock_utc(&now, clock_now());
		emit_pair(&b, "type", "session");
		emit_pairi(&b, "version", 1);
		emit_pairn(&b, "id", id.p, id.n);
		emit_pair(&b, "cwd", path_cwd());
		emit_pair(&b, "agent", l->agent);
		emit_pairn(&b, "time", now.p, now.n);
	} else {
		for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
			if (!json_is(j, k, CHAIN))
				emit_member(&b, j, k);
	}
	if (l->ischained)
		emit_pair(&b, CHAIN, CHAIN_FIRST);
	emit_close(&b, '}');
	put_line(l, &b);
}

/*
 * Object i with our numbers in place of any it had, and the time if it has
 * none; all else stays as written.  All but n only for a message.
 */
static void
stamp(struct buf *b, const struct json *j, int i,
    const struct sessionlog *l, int ismessage)
{
	const struct session_count *c = &l->count;
	static struct buf now;
	int k;

	emit_open(b, '{');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "n") || json_is(j, k, CHAIN)
		    || (ismessage
			&& (json_is(j, k, "message") || json_is(j, k, "turn")
			    || json_is(j, k, "summary"))))
			continue;
		emit_member(b, j, k);
	}
	emit_pairi(b, "n", c->n);
	if (l->ischained)
		emit_pairn(b, CHAIN, l->head.p, l->head.n);
	if (ismessage) {
		emit_pairi(b, "message", c->message);
		emit_pairi(b, "turn", c->turn);
		if (c->summary > 0)
			emit_pairi(b, "summary", c->summary);
	}
	if (json_get(j, i, "time") < 0) {
		buf_reset(&now);
		clock_utc(&now, clock_now());
		emit_pairn(b, "time", now.p, now.n);
	}
	emit_close(b, '}');
}

/* A message byte for byte, but for its "tp". */
static void
message(struct buf *b, const struct json *j, const struct sessionlog *l)
{
	static struct buf mine;
	struct span all = json_span(j, 0), tp;
	int own = json_get(j, 0, "tp");

	buf_reset(&mine);
	stamp(&mine, j, own, l, 1);
	if (own < 0) {
		buf_add(b, all.p, all.n - 1);
		buf_puts(b, ",\"tp\":");
		buf_add(b, mine.p, mine.n);
		buf_putc(b, '}');
		return;
	}
	tp = json_span(j, own);
	buf_add(b, all.p, (size_t)(tp.p - all.p));
	buf_add(b, mine.p, mine.n);
	buf_add(b, tp.p + tp.n, (size_t)(all.p + all.n - (tp.p + tp.n)));
}

void
sessionlog_put(struct sessionlog *l, const struct rec *r)
{
	static struct buf b;
	const struct json *j;
	int own;

	buf_reset(&b);
	lock(l, LOCK_EX);
	read_end(l);
	j = record_json(r);
	own = r->type == REC_MESSAGE ? json_get(j, 0, "tp") : -1;
	if (own >= 0 && json_kind(j, own) != JSON_OBJECT)
		record_bad(r, own, "expected an object as tp");
	if (r->type == REC_SESSION) {
		if (l->size == 0)
			header(l, j);
		lock(l, LOCK_UN);
		return;
	}
	if (l->size == 0)
		header(l, NULL);
	l->count.n++;
	if (r->type == REC_MESSAGE) {
		l->count.message++;
		if (json_is(j, json_get(j, 0, "role"), "user"))
			l->count.turn++;
		message(&b, j, l);
	} else {
		stamp(&b, j, 0, l, 0);
		if (r->type == REC_SUMMARY)
			l->count.summary = (long long)l->size;
	}
	put_line(l, &b);
	lock(l, LOCK_UN);
}

void
sessionlog_close(struct sessionlog *l, int sync)
{
	if (!l->isopen)
		return;
	if (sync && fd_sync(l->fd) < 0)
		die_sys(EX_IOERR, "write %s", l->path);
	if (fd_close(l->fd) < 0 || (l->headfd >= 0 && fd_close(l->headfd) < 0))
		die_sys(EX_IOERR, "write %s", l->path);
	l->isopen = 0;
}
