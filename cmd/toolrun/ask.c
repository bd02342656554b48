#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "ask.h"
#include "buf.h"
#include "utf8.h"

/*
 * What a person must see as it is: controls but newline and tab, and the
 * marks that turn or hide text, are shown as \u{X}.
 */
static void
clean(struct buf *b, const char *s, size_t n)
{
	uint32_t c;
	size_t k;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (k == 0) {
			buf_printf(b, "\\x%02x", (unsigned char)*s);
			k = 1;
		} else if ((c < ' ' && c != '\n' && c != '\t')
		    || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c
		    || (c >= 0x200b && c <= 0x200f)
		    || (c >= 0x2028 && c <= 0x202e)
		    || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff
		    || (c >= 0xe0000 && c <= 0xe0fff)) {
			buf_printf(b, "\\u{%lx}", (unsigned long)c);
		} else {
			buf_add(b, s, k);
		}
	}
}

static int
put(int fd, const char *s, size_t n)
{
	ssize_t w;

	for (; n > 0; s += w, n -= (size_t)w)
		if ((w = write(fd, s, n)) < 0)
			return -1;
	return 0;
}

/* One line, newline left out.  1, 0 at the end of input, -1 on a signal. */
static int
answer(int fd, struct buf *b)
{
	ssize_t r;
	char c;

	buf_reset(b);
	while ((r = read(fd, &c, 1)) == 1 && c != '\n')
		if (b->n < 64)
			buf_putc(b, c);
	if (r < 0 && errno == EINTR)
		return -1;
	return r > 0;
}

enum ask_answer
ask_tty(const char *text, int always)
{
	static struct buf b, in;
	const char *choice = always ? " [y]es, [n]o, [a]lways: "
				    : " [y]es, [n]o: ";
	const char *s;
	int fd, r;

	fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return ASK_NOBODY;
	/* Reading in the background would stop us for ever. */
	if (tcgetpgrp(fd) != getpgrp()) {
		close(fd);
		return ASK_NOBODY;
	}
	for (;;) {
		buf_reset(&b);
		clean(&b, text, strlen(text));
		buf_puts(&b, choice);
		r = put(fd, b.p, b.n) < 0 && errno != EINTR ? 0
							     : answer(fd, &in);
		s = buf_cstr(&in);
		if (r <= 0 || strcasecmp(s, "n") == 0
		    || strcasecmp(s, "no") == 0)
			break;
		if (strcasecmp(s, "y") == 0 || strcasecmp(s, "yes") == 0)
			break;
		if (always
		    && (strcasecmp(s, "a") == 0
			|| strcasecmp(s, "always") == 0))
			break;
	}
	close(fd);
	if (r < 0)
		return ASK_INTERRUPTED;
	if (r == 0 || strchr("nN", *s) != NULL)
		return ASK_NO;
	return strchr("yY", *s) != NULL ? ASK_YES : ASK_ALWAYS;
}
