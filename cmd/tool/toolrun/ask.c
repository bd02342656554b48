#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "ask.h"
#include "diag.h"
#include "file.h"
#include "terminal.h"
#include "utf8.h"

enum { ASK_LINE = 1000 }; /* bytes of an answer that are kept */

/*
 * An open sequence is ended, then characters, colours and wrapping are what
 * they were: modes that a tool or a model left set hide nothing.  A paste comes
 * without the codes that the talk wants around it.
 */
static const char reset[] =
    "\030\033\\\017\033(B\033[0m\033[?7h\033[?2004l";
static const char again[] = "\033[?2004h";

static int
put(int fd, const char *s, size_t n)
{
	ssize_t w;

	for (; n > 0; s += w, n -= (size_t)w)
		if ((w = write(fd, s, n)) < 0)
			return -1;
	return 0;
}

/* What is there to be read now, also half a line, goes to the file. */
static void
set_aside(int fd, const char *file)
{
	struct termios was, raw;
	struct buf b = { 0 };
	char s[512];
	ssize_t r;

	if (tcgetattr(fd, &was) < 0)
		return;
	raw = was;
	raw.c_lflag &= ~(tcflag_t)ICANON;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSANOW, &raw) < 0)
		return;
	while ((r = read(fd, s, sizeof(s))) > 0)
		buf_add(&b, s, (size_t)r);
	if (tcsetattr(fd, TCSANOW, &was) < 0)
		warn_sys("/dev/tty");
	if (b.n > 0 && file != NULL
	    && file_append(file, b.p, b.n, 0600) < 0)
		warn_sys("%s", file);
	buf_free(&b);
}

/* Is the question over before there is something to read?  -1 on a signal. */
static int
wait_for(int fd, const struct ask_source *from)
{
	struct pollfd v[2] = { { fd, POLLIN, 0 },
		{ from != NULL ? from->fd : -1, POLLIN, 0 } };

	while (from != NULL && v[0].revents == 0) {
		if (poll(v, 2, -1) < 0)
			return -1;
		if (v[1].revents != 0 && from->is_over(from->fd))
			return 1;
	}
	return 0;
}

/*
 * One line, newline left out.  1, 0 at the end of input, -1 on a signal, or
 * when the question is over.
 */
static int
answer(int fd, const struct ask_source *from, struct buf *b)
{
	static const char over[] = "\n (it is not asked any more)\n";
	ssize_t r;
	char c;

	buf_reset(b);
	r = wait_for(fd, from);
	if (r > 0)
		(void)put(fd, over, sizeof(over) - 1);
	if (r != 0)
		return -1;
	while ((r = read(fd, &c, 1)) == 1 && c != '\n')
		if (b->n < ASK_LINE)
			buf_putc(b, c);
	if (r < 0 && errno == EINTR)
		return -1;
	return r > 0;
}

/* Does the line begin with the word, or its first letter, and a blank? */
static const char *
says(const char *s, const char *word)
{
	size_t n = strcspn(s, " ,:");

	if ((n != 1 && n != strlen(word)) || strncasecmp(s, word, n) != 0)
		return NULL;
	return s + n + strspn(s + n, " ,:");
}

/*
 * The text by rows of the terminal; their number.  What is too long for a row
 * goes on in the next one behind blanks, so that nothing in an argument stands
 * where our own words do.
 */
static size_t
fold(struct buf *b, const struct buf *text, size_t cols)
{
	static const char indent[] = "\n      ";
	const char *s = text->p;
	size_t n = text->n, k, w, col = 0, rows = 1;
	uint32_t c;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (k == 0)
			k = 1;
		w = *s == '\t' ? 8 - col % 8 : (size_t)terminal_width(c);
		if (*s != '\n' && col + w > cols && cols > sizeof(indent) + 2) {
			buf_puts(b, indent);
			col = sizeof(indent) - 2;
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

/* What the line means; -1 for nothing. */
static int
meaning(const char *s, int always, struct buf *why)
{
	const char *rest;

	s += strspn(s, " ");
	if ((rest = says(s, "no")) != NULL) {
		buf_puts(why, rest);
		return ASK_NO;
	}
	if ((rest = says(s, "yes")) != NULL && *rest == '\0')
		return ASK_YES;
	if (always && (rest = says(s, "always")) != NULL && *rest == '\0')
		return ASK_ALWAYS;
	return -1;
}

/* The terminal, or -1.  Reading in the background would stop us for ever. */

int
ask_possible(void)
{
	int fd = terminal_open();

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

enum ask_answer
ask_tty(const struct buf *text, int always, const char *typed,
    const struct ask_source *from, struct buf *why)
{
	static struct buf b, in, clean;
	const char *choice = always ? " [y]es, [n]o REASON, [a]lways: "
				    : " [y]es, [n]o REASON: ";
	const char *term = getenv("TERM");
	struct termios was, shown;
	struct winsize size = { 0 };
	size_t rows;
	int fd, known, r = 1, a = -1;

	fd = terminal_open();
	if (fd < 0)
		return ASK_NOBODY;
	/* In a conversation the echo is off while a turn works. */
	known = tcgetattr(fd, &was) == 0;
	if (known) {
		shown = was;
		shown.c_lflag |= ECHO;
		tcsetattr(fd, TCSADRAIN, &shown);
	}
	buf_reset(&clean);
	terminal_clean(&clean, text->p, text->n);
	while (a < 0 && r > 0) {
		buf_reset(&b);
		if (term != NULL && *term != '\0'
		    && strcmp(term, "dumb") != 0)
			buf_puts(&b, reset);
		buf_puts(&b, "\n");
		rows = fold(&b, &clean, terminal_columns(fd));
		if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0
		    && rows >= size.ws_row)
			buf_printf(&b, " (%zu rows: it begins further up)",
			    rows);
		if (put(fd, b.p, b.n) < 0 && errno != EINTR)
			r = 0;
		set_aside(fd, typed);
		if (r > 0 && put(fd, choice, strlen(choice)) < 0
		    && errno != EINTR)
			r = 0;
		if (r > 0)
			r = answer(fd, from, &in);
		if (r > 0)
			a = meaning(buf_cstr(&in), always, why);
	}
	if (known)
		tcsetattr(fd, TCSADRAIN, &was);
	if (known && !(was.c_lflag & ECHO) && terminal_moves(fd))
		(void)put(fd, again, sizeof(again) - 1);
	close(fd);
	if (r < 0)
		return ASK_INTERRUPTED;
	return a < 0 ? ASK_NO : (enum ask_answer)a;
}
