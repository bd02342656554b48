#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "mark.h"
#include "reading.h"
#include "signals.h"
#include "tty.h"
#include "utf8.h"

enum { CTRL_C = 3, CTRL_D = 4, BACKSPACE = 8, CTRL_U = 21, CTRL_Z = 26,
	DELETE = 127 };

static int echo;
static const char *prompt;

static void
put(const char *s, size_t n)
{
	if (fd_write(STDERR_FILENO, s, n) < 0)
		tty_die(SIGHUP);
}

static void
puts_(const char *s)
{
	put(s, strlen(s));
}

static void
draw(int resized)
{
	(void)resized;
	puts_(prompt);
}

/* The last character goes. */
static void
rub_out(struct buf *b)
{
	if (b->n == 0 || b->p[b->n - 1] == '\n')
		return;
	do
		b->n--;
	while (b->n > 0 && ((unsigned char)b->p[b->n] & 0xc0) == 0x80);
	if (echo)
		puts_("\b \b");
}

/* Does the line end the message?  A \ at its end, or more at once, goes on. */
static int
ends(struct buf *b, int *burst)
{
	if (b->n > 0 && b->p[b->n - 1] == '\\') {
		b->n--;
	} else if (tty_waits(*burst ? BURST_NEXT : BURST_BEGIN)) {
		*burst = 1;
	} else {
		return 1;
	}
	buf_putc(b, '\n');
	return 0;
}

enum reading_end
plain_read(struct buf *b, const struct reading *how)
{
	static struct buf line;
	int burst = 0, ahead, c;
	char byte;

	prompt = how->prompt;
	tty_begin(NULL, draw);
	ahead = tty_waits(0);
	echo = tty_plain();
	puts_(prompt);
	buf_span(&line, buf_view(&how->begin));
	if (echo)
		put(line.p, line.n);
	while ((c = tty_byte()) >= 0) {
		/* Of the time when the terminal edited lines by itself. */
		if (c == '\0' && ahead)
			c = CTRL_D;
		ahead = 0;
		byte = (char)c;
		switch (c) {
		case CTRL_C:
			if (line.n == 0)
				return READING_INTERRUPTED;
			buf_reset(&line);
			puts_("^C\n");
			puts_(prompt);
			continue;
		case CTRL_D:
			if (line.n == 0)
				return READING_END;
			continue;
		case CTRL_U:
			while (line.n > 0 && line.p[line.n - 1] != '\n')
				rub_out(&line);
			continue;
		case CTRL_Z: tty_suspend(); continue;
		case BACKSPACE:
		case DELETE: rub_out(&line); continue;
		case '\0': continue;
		case '\r':
		case '\n':
			if (echo)
				puts_("\n");
			if (!ends(&line, &burst))
				continue;
			break;
		default:
			buf_putc(&line, c);
			if (echo)
				put(&byte, 1);
			continue;
		}
		break;
	}
	if (c < 0 && line.n == 0)
		return READING_END;
	while (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	/* Several lines at once were no command that was typed. */
	if (burst)
		mark_add(b, line.p, line.n, 0);
	else
		buf_add(b, line.p, line.n);
	return READING_MESSAGE;
}

enum reading_end
line_read(struct buf *b, const struct reading *how)
{
	size_t start = b->n;
	ssize_t n;
	char c;

	/* What sh starts with & ignores it. */
	signals_arm(SIGNALS_AT_ONCE);
	puts_(how->prompt);
	for (;;) {
		n = read(STDIN_FILENO, &c, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_sys(EX_IOERR, "read <stdin>");
		if (n == 0 || c == '\n')
			break;
		if (c != '\0')
			buf_putc(b, c);
	}
	if (n == 0 && b->n == start)
		return READING_END;
	if (b->n > start && b->p[b->n - 1] == '\r')
		b->n--;
	return READING_MESSAGE;
}
