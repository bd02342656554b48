#include <errno.h>
#include <unistd.h>

#include "diag.h"
#include "joiner.h"
#include "out.h"
#include "terminal.h"

enum {
	OUT_BLOCK = 16384, /* the size that a pipe carries fastest */
	OUT_SMALL = 2048   /* below this a copy is cheaper than a write */
};

int out_plain;
static int failed; /* a write did */
static struct buf own;	 /* bytes that were copied */
static struct span lent; /* bytes that were not, after them */

int
out_failed(void)
{
	return failed;
}

static _Noreturn void
broken(void)
{
	failed = 1;
	die_sys(EX_IOERR, "write <stdout>");
}

/* Of a terminal: what it could obey is made visible, line by line. */
static int
is_seen(void)
{
	static int tty = -1;

	if (tty < 0)
		tty = !out_plain && isatty(STDOUT_FILENO);
	return tty;
}

static void
put(const char *p, size_t n)
{
	ssize_t w;

	while (n > 0) {
		w = write(STDOUT_FILENO, p, n > OUT_BLOCK ? OUT_BLOCK : n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			broken();
		p += w;
		n -= (size_t)w;
	}
}

/* What more bytes could change waits for them, and a line stays until its end. */
static void
put_seen(size_t n)
{
	static struct buf clean;
	static size_t seen;

	if (n < seen)
		return;
	buf_reset(&clean);
	terminal_clean_from(&clean, own.p, n, seen);
	seen = n;
	if (n > 0 && n == own.n && own.p[n - 1] == '\n')
		own.n = seen = 0;
	put(clean.p, clean.n);
}

static void
put_own(void)
{
	size_t n = own.n;

	if (is_seen()) {
		put_seen(joiner_known(own.p, own.n));
		return;
	}
	/* Emptied first: the error record of a failed write must not
	 * write these bytes again. */
	own.n = 0;
	put(own.p, n);
}

void
out_flush(void)
{
	struct span s = lent;

	lent.n = 0;
	if (is_seen() || (own.n > 0 && s.n < OUT_SMALL)) {
		buf_span(&own, s);
		s.n = 0;
	}
	if (own.n > 0)
		put_own();
	put(s.p, s.n);
}

void
out_pass(const char *p, size_t n)
{
	if (lent.n > 0 && lent.p + lent.n == p) {
		lent.n += n;
		return;
	}
	if (lent.n > 0) {
		if (own.n + lent.n < OUT_BLOCK || is_seen())
			buf_span(&own, lent);
		else
			out_flush();
	}
	lent.p = p;
	lent.n = n;
}

void
out_add(const void *p, size_t n)
{
	if (lent.n >= OUT_SMALL && !is_seen())
		out_flush();
	buf_span(&own, lent);
	lent.n = 0;
	buf_add(&own, p, n);
	if (own.n >= OUT_BLOCK)
		put_own();
}

void
out_record(struct buf *b)
{
	buf_putc(b, '\n');
	out_add(b->p, b->n);
	buf_reset(b);
}

void
out_end(void)
{
	out_flush();
	if (is_seen())
		put_seen(own.n);
	if (close(STDOUT_FILENO) < 0 && errno != EINTR)
		broken();
}
