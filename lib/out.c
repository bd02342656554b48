#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "joiner.h"
#include "out.h"
#include "terminal.h"

enum {
	OUT_BLOCK = 16384, /* the size that a pipe carries fastest */
	OUT_SMALL = 2048   /* below this a copy is cheaper than a write */
};

int out_plain, out_polled;
static int failed; /* a write did */
static int full;   /* stdout did not take all that was offered */
static struct buf own;	 /* bytes that were copied */
static size_t gone;	 /* of which so many are written */
static struct span lent; /* bytes that were not, after them */

int
out_failed(void)
{
	return failed;
}

int
out_waits(void)
{
	return full;
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

/* Can it be written to now?  PIPE_BUF bytes then are, without a wait. */
static int
is_ready(void)
{
	struct pollfd p = {STDOUT_FILENO, POLLOUT, 0};

	return poll(&p, 1, 0) > 0;
}

/* How many bytes are left; 0 but where it is polled. */
static size_t
put(const char *p, size_t n)
{
	int polled = out_polled && !is_seen();
	size_t most = polled ? PIPE_BUF : OUT_BLOCK;
	ssize_t w;

	full = 0;
	while (n > 0) {
		full = polled && !is_ready();
		if (full)
			break;
		w = write(STDOUT_FILENO, p, n > most ? most : n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			broken();
		p += w;
		n -= (size_t)w;
	}
	return n;
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
	size_t n = own.n, from = gone;

	if (is_seen()) {
		put_seen(joiner_known(own.p, own.n));
		return;
	}
	/* Emptied first: the error record of a failed write must not
	 * write these bytes again. */
	own.n = gone = 0;
	from = n - put(own.p + from, n - from);
	if (from == n)
		return;
	own.n = n;
	gone = from;
	if (gone > n / 2) {
		memmove(own.p, own.p + gone, n - gone);
		own.n = n - gone;
		gone = 0;
	}
}

void
out_flush(void)
{
	struct span s = lent;

	lent.n = 0;
	if (is_seen() || out_polled || (own.n > 0 && s.n < OUT_SMALL)) {
		buf_span(&own, s);
		s.n = 0;
	}
	if (own.n > 0)
		put_own();
	if (s.n > 0)
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
		if (own.n - gone + lent.n < OUT_BLOCK || is_seen())
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
	if (own.n - gone >= OUT_BLOCK)
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
	out_polled = 0;
	out_flush();
	if (is_seen())
		put_seen(own.n);
	if (close(STDOUT_FILENO) < 0 && errno != EINTR)
		broken();
}
