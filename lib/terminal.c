#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "env.h"
#include "file.h"
#include "joiner.h"
#include "terminal.h"
#include "utf8.h"

enum { TERMINAL_COLUMNS = 80, ZWJ = 0x200d };

int
terminal_hides(uint32_t c)
{
	return (c < ' ' && c != '\n' && c != '\t')
	    || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x34f
	    || c == 0x61c || c == 0x115f || c == 0x1160
	    || (c >= 0x17b4 && c <= 0x17b5)
	    || (c >= 0x180b && c <= 0x180f) || (c >= 0x200b && c <= 0x200f)
	    || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)
	    || c == 0x3164 || c == 0xfeff || c == 0xffa0
	    || (c >= 0xfff0 && c <= 0xfffb) || (c >= 0x1d173 && c <= 0x1d17a)
	    || (c >= 0xe0000 && c <= 0xe0fff);
}

/* May it be seen as it is?  A selector is one where it works. */
static int
is_shown(const char *s, size_t n, size_t i, uint32_t c)
{
	return (!terminal_hides(c) && !(c >= 0xfe00 && c <= 0xfe0f))
	    || joiner_works(s, n, i, c);
}

static void
put_hidden(struct buf *b, const char *s, size_t k, uint32_t c)
{
	if (k == 0)
		buf_printf(b, "\\x%02x", (unsigned char)*s);
	else
		buf_printf(b, "\\u{%lx}", (unsigned long)c);
}

void
terminal_clean_from(struct buf *b, const char *s, size_t n, size_t i)
{
	uint32_t c;
	size_t k;

	for (; i < n; i += k) {
		k = utf8_get(s + i, n - i, &c);
		if (k == 0 || !is_shown(s, n, i, c))
			put_hidden(b, s + i, k, c);
		else
			buf_add(b, s + i, k);
		k += k == 0;
	}
}

void
terminal_clean(struct buf *b, const char *s, size_t n)
{
	terminal_clean_from(b, s, n, 0);
}

/* East Asian Width W and F (Unicode, UAX 11), and the pictures beside them. */
static const uint32_t wide[][2] = { { 0x1100, 0x115f }, { 0x231a, 0x231b },
	{ 0x2329, 0x232a }, { 0x23e9, 0x23f3 }, { 0x25fd, 0x25fe },
	{ 0x2600, 0x27bf }, { 0x2b1b, 0x2b1c }, { 0x2b50, 0x2b55 },
	{ 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xa960, 0xa97f },
	{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe10, 0xfe19 },
	{ 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x18fff }, { 0x1aff0, 0x1b2ff }, { 0x1d300, 0x1d376 },
	{ 0x1f000, 0x1faff }, { 0x20000, 0x3fffd } };

int
terminal_width(uint32_t c)
{
	size_t i;

	if (c < 0x300)
		return 1;
	if (joiner_is_mark(c))
		return 0;
	for (i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (c >= wide[i][0] && c <= wide[i][1])
			return 2;
	return 1;
}

size_t
terminal_fit(struct buf *b, const char *s, size_t n, size_t max)
{
	size_t cols = 0, cut = b->n, cutcols = 0, i, w, k;
	uint32_t c;

	for (i = 0; i < n; i += k) {
		k = utf8_get(s + i, n - i, &c);
		w = b->n;
		if (k == 1 && c == '\n') {
			buf_puts(b, "↵");
			w = 1;
		} else if (k == 1 && c == '\t') {
			buf_putc(b, ' ');
			w = 1;
		} else if (k == 0 || !is_shown(s, n, i, c)) {
			put_hidden(b, s + i, k, c);
			k += k == 0;
			w = b->n - w;
		} else {
			buf_add(b, s + i, k);
			w = (size_t)terminal_width(c);
		}
		cols += w;
		if (cols > max) {
			b->n = cut;
			if (max > 0)
				buf_puts(b, "…");
			return cutcols + (max > 0);
		}
		/* Up to here there is room for what stands for the rest. */
		if (cols < max) {
			cut = b->n;
			cutcols = cols;
		}
	}
	return cols;
}

/* The bytes of the next piece that stays whole, w its columns. */
static size_t
piece(const char *s, size_t n, size_t *w)
{
	uint32_t c, before = ' ';
	size_t i, k, cw;

	*w = 0;
	for (i = 0; i < n; i += k) {
		k = utf8_get(s + i, n - i, &c);
		if (k == 0) {
			k = 1;
			c = 0xfffd;
		}
		cw = (size_t)terminal_width(c);
		if (c == ' ' ? before != ' '
			: i > 0 && cw == 2 && before != ' ' && before != ZWJ)
			break;
		*w += cw;
		before = c;
	}
	return i;
}

static size_t
blanks_at(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n && s[i] == ' '; i++)
		continue;
	return i;
}

/* Where the rows after the first begin. */
static size_t
hanging(const char *s, size_t n, size_t cols)
{
	size_t i = 0, k, w, blanks, col = 0, at = 0;

	for (; i < n && col <= cols / 2; i += k, col += w) {
		k = piece(s + i, n - i, &w);
		blanks = blanks_at(s + i, k);
		if (blanks < k && (blanks > 1 || i == 0)
		    && col + blanks <= cols / 2)
			at = col + blanks;
	}
	return at;
}

void
terminal_wrap(struct buf *b, const char *s, size_t n, size_t cols)
{
	size_t i, k, w, col = 0, blanks, at = hanging(s, n, cols);

	for (i = 0; i < n; i += k) {
		k = piece(s + i, n - i, &w);
		if (i > 0 && col > at && col + w > cols) {
			blanks = blanks_at(s + i, k);
			buf_printf(b, "\n%*s", (int)at, "");
			col = at + w - blanks;
			buf_add(b, s + i + blanks, k - blanks);
		} else {
			col += w;
			buf_add(b, s + i, k);
		}
	}
}

size_t
terminal_fold(struct buf *b, struct span text, size_t cols, const char *indent)
{
	const char *s = text.p;
	size_t n = text.n, k, w, col = 0, rows = 1, at = strlen(indent) - 1;
	uint32_t c;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (k == 0)
			k = 1;
		w = *s == '\t' ? 8 - col % 8 : (size_t)terminal_width(c);
		if (*s != '\n' && col + w > cols && cols > at + 3) {
			buf_puts(b, indent);
			col = at;
			rows++;
			if (*s == '\t')
				w = 8 - col % 8;
		}
		buf_add(b, s, k);
		col += w;
		if (*s == '\n') {
			col = 0;
			rows++;
		}
	}
	return rows;
}

int
terminal_moves(int fd)
{
	const char *term = env_get("TERM");

	return term != NULL && strcmp(term, "dumb") != 0 && isatty(fd);
}

size_t
terminal_columns(int fd)
{
	struct winsize w;

	if (ioctl(fd, TIOCGWINSZ, &w) < 0 || w.ws_col == 0)
		return TERMINAL_COLUMNS;
	return w.ws_col;
}

void
terminal_faint(struct buf *b, int fd, int on)
{
	if (env_get("NO_COLOR") == NULL && terminal_moves(fd))
		buf_puts(b, on ? "\033[2m" : "\033[0m");
}

int
terminal_show(void)
{
	const char *s = env_get("TURNPIPE_SHOW");

	return s == NULL || strcmp(s, "0") == 0 ? 0
	    : strcmp(s, "2") == 0		? 2
						: 1;
}

int
terminal_open(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0 && tcgetpgrp(fd) != getpgrp()) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int
terminal_echo(int fd, int on)
{
	struct termios t;
	int was;

	if (tcgetattr(fd, &t) < 0)
		return -1;
	was = (t.c_lflag & ECHO) != 0;
	if (on)
		t.c_lflag |= ECHO;
	else
		t.c_lflag &= ~(tcflag_t)ECHO;
	(void)tcsetattr(fd, TCSADRAIN, &t);
	return was;
}

int
terminal_set_aside(int fd, const char *file)
{
	struct termios was, raw;
	struct buf b = { 0 };
	char s[512];
	ssize_t r;
	int kept = 0;

	if (tcgetattr(fd, &was) < 0)
		return 0;
	raw = was;
	raw.c_lflag &= ~(tcflag_t)ICANON;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSANOW, &raw) < 0)
		return -1;
	while ((r = read(fd, s, sizeof(s))) > 0)
		buf_add(&b, s, (size_t)r);
	if (tcsetattr(fd, TCSANOW, &was) < 0)
		kept = -1;
	if (b.n > 0 && file != NULL && file_append(file, b.p, b.n, 0600) < 0)
		kept = -1;
	buf_free(&b);
	return kept;
}
