#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "path.h"
#include "terminal.h"
#include "trust.h"

enum { WORD_MAX = 8192 }; /* bytes of a word without its text */

static const char *
word_path(const struct trust *t)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "%s/%s/%016" PRIx64, path_state(), t->kind,
	    hash_bytes(t->what, strlen(t->what)));
	return buf_cstr(&b);
}

/* What is kept of an answer: all of the text, as a hash could be met. */
static void
word_text(struct buf *b, const char *word, const struct trust *t)
{
	buf_printf(b, "%s %s\n", word, t->what);
	buf_span(b, buf_view(t->text));
}

int
trust_said(const struct trust *t, const char *word)
{
	struct buf kept = { 0 }, want = { 0 };
	int r;

	word_text(&want, word, t);
	r = file_read(word_path(t), &kept, t->text->n + WORD_MAX) == FILE_OK
	    && span_same(buf_view(&kept), buf_view(&want));
	buf_free(&kept);
	buf_free(&want);
	return r;
}

int
trust_ask(const struct trust *t, const char *question)
{
	struct buf b = { 0 };
	char answer[16];
	ssize_t n;
	int tty, isyes;

	tty = fd_open("/dev/tty", O_RDWR, 0);
	if (tty < 0)
		die(EX_NOPERM, "%s: expected a terminal to ask at", t->what);
	terminal_clean(&b, t->text->p, t->text->n);
	buf_printf(&b, "\n%s: ", prog);
	terminal_clean(&b, question, strlen(question));
	buf_puts(&b, " [y/N] ");
	if (terminal_set_aside(tty, NULL) < 0 || fd_write(tty, b.p, b.n) < 0)
		die_sys(EX_IOERR, "/dev/tty");
	do
		n = read(tty, answer, sizeof(answer));
	while (n < 0 && errno == EINTR);
	isyes = n >= 2 && (answer[0] == 'y' || answer[0] == 'Y');
	buf_reset(&b);
	word_text(&b, isyes ? "yes" : "no", t);
	if (file_mkparent(word_path(t)) < 0
	    || file_write(word_path(t), b.p, b.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", word_path(t));
	buf_free(&b);
	return isyes;
}
