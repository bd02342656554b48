#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "buf.h"
#include "clock.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "progress.h"

enum { EVERY = 200, MINUTE = 60000, COLUMNS = 80 };

static int on, plain, shown;
static long long began, due;
static size_t total; /* lines of input; 0: not known */
static size_t lines, requests; /* read */
static size_t done, found, failed;
static double tokens, dollars;
static int unpriced; /* some cost is not known */

void
progress_clear(void)
{
	if (plain)
		return;
	if (shown)
		(void)fd_write(STDERR_FILENO, "\r\033[K", 4);
	shown = 0;
	due = 0;
}

int
progress_can(int fd)
{
	const char *term = env_get("TERM");

	return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}

void
progress_open(size_t n, int log)
{
	total = n;
	plain = !progress_can(STDERR_FILENO);
	on = plain ? log : !isatty(STDOUT_FILENO);
	began = clock_ms();
	due = plain ? began + MINUTE : 0;
}

int
progress_moves(void)
{
	return on && !plain;
}

void
progress_line(int request)
{
	lines++;
	requests += (size_t)(request != 0);
}

void
progress_done(int code, int wasfound, long long took, double cost)
{
	done++;
	found += (size_t)(wasfound != 0);
	failed += (size_t)(code != 0);
	if (took > 0)
		tokens += (double)took;
	if (isnan(cost))
		unpriced = 1;
	else
		dollars += cost;
}

void
progress_number(struct buf *b, double v)
{
	if (v >= 1e6)
		buf_printf(b, "%.1fM", v / 1e6);
	else if (v >= 1e4)
		buf_printf(b, "%.0fk", v / 1e3);
	else
		buf_printf(b, "%.0f", v);
}

void
progress_time(struct buf *b, double s)
{
	long long t = s < 1e9 ? (long long)ceil(s) : 1000000000;

	if (t >= 3600)
		buf_printf(b, "%lld:%02lld:%02lld", t / 3600, t / 60 % 60,
		    t % 60);
	else
		buf_printf(b, "%lld:%02lld", t / 60, t % 60);
}

void
progress_put(int fd, struct buf *b)
{
	static struct buf line;
	struct winsize w;
	size_t n = COLUMNS;

	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		n = w.ws_col;
	buf_reset(&line);
	buf_puts(&line, "\r");
	buf_add(&line, b->p, b->n < n ? b->n : n - 1);
	buf_puts(&line, "\033[K");
	buf_reset(b);
	/* A failed write to the terminal is ignored: it is only display. */
	(void)fd_write(fd, line.p, line.n);
}

static void
show(long long now, size_t flight)
{
	static struct buf b;
	double all = 0, rate = 0;

	/* Of what was read so many were requests: so will be the rest. */
	if (total > 0 && lines > 0)
		all = floor((double)total * (double)requests / (double)lines);
	if (now > began)
		rate = (double)(done - found) * 1000 / (double)(now - began);
	buf_printf(&b, "%s: %zu", prog, done);
	if (all >= (double)done && all > 0)
		buf_printf(&b, "/%s%.0f", lines == requests ? "" : "~", all);
	buf_printf(&b, ", %.*f/s", rate < 10 ? 1 : 0, rate);
	if (failed > 0)
		buf_printf(&b, ", %zu failed", failed);
	buf_printf(&b, ", %zu in flight", flight);
	buf_puts(&b, ", ");
	progress_number(&b, tokens);
	buf_puts(&b, " tokens");
	if (dollars > 0)
		buf_printf(&b, ", $%.2f%s", dollars, unpriced ? "+" : "");
	if (all > (double)done && rate > 0) {
		buf_puts(&b, ", ");
		progress_time(&b, (all - (double)done) / rate);
		buf_puts(&b, " left");
	}
	if (!plain) {
		progress_put(STDERR_FILENO, &b);
	} else {
		buf_putc(&b, '\n');
		(void)fd_write(STDERR_FILENO, b.p, b.n);
		buf_reset(&b);
	}
	shown = !plain;
}

long long
progress_tick(long long now, size_t flight)
{
	if (!on)
		return LLONG_MAX;
	if (now >= due) {
		show(now, flight);
		due = now + (plain ? MINUTE : EVERY);
	}
	return due;
}

void
progress_close(void)
{
	progress_clear();
	on = 0;
}
