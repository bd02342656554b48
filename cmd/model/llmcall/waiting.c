#include <limits.h>
#include <unistd.h>

#include "clock.h"
#include "fd.h"
#include "terminal.h"
#include "waiting.h"

enum { WAITING_MS = 500, WAITING_EVERY = 1000 };

static int on, runs, thinks, shown;
static long long began, due;

void
waiting_open(void)
{
	on = terminal_show() > 0 && terminal_moves(STDERR_FILENO);
}

void
waiting_begin(void)
{
	if (!on || runs)
		return;
	runs = 1;
	thinks = 0;
	began = clock_ms();
	due = began + WAITING_MS;
}

void
waiting_thinks(void)
{
	thinks = 1;
}

/* A failed write to the terminal is ignored: it is only display. */
void
waiting_clear(void)
{
	if (shown)
		(void)fd_write(STDERR_FILENO, "\r\033[K", 4);
	shown = 0;
}

void
waiting_end(void)
{
	waiting_clear();
	runs = 0;
}

static void
show(long long now)
{
	static struct buf b, text;

	buf_reset(&text);
	buf_printf(&text, "%s, %lld s", thinks ? "thinking" : "waiting",
	    (now - began + WAITING_MS) / 1000);
	buf_reset(&b);
	buf_puts(&b, "\r");
	terminal_faint(&b, STDERR_FILENO, 1);
	terminal_fit(&b, text.p, text.n,
	    terminal_columns(STDERR_FILENO) - 1);
	terminal_faint(&b, STDERR_FILENO, 0);
	buf_puts(&b, "\033[K");
	(void)fd_write(STDERR_FILENO, b.p, b.n);
	shown = 1;
}

long long
waiting_tick(long long now)
{
	if (!runs)
		return LLONG_MAX;
	if (now >= due) {
		show(now);
		due = now + WAITING_EVERY;
	}
	return due;
}
