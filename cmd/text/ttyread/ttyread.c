/*
 * ttyread [-c PREFIX] [-H FILE] [-i FILE] [-o FILE] [WORD ...]
 * ttyread -k
 *
 * - One message from the terminal: a person edits it, pastes into it, takes
 *   it from the history, and sends it with Enter.
 * - What was pasted is never a command: -o tells both apart.
 * - Standard input is read by the byte: what comes after the message is the
 *   next reader's.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "file.h"
#include "mark.h"
#include "opt.h"
#include "out.h"
#include "reading.h"
#include "recall.h"
#include "signals.h"
#include "tty.h"
#include "utf8.h"

enum { BEGIN_MAX = 1 << 20 };

static const char usage[] =
    "usage: ttyread [-c prefix] [-H file] [-i file] [-o file] [word ...]\n"
    "       ttyread -k\n"
    "\n"
    "  -c, --commands PREFIX  complete /NAME from PREFIXNAME in PATH\n"
    "  -H, --history FILE     the messages of before\n"
    "  -i, --initial FILE     a text to begin with\n"
    "  -k, --keep             what is typed is not shown, and kept, until\n"
    "                         SIGTERM or the end of the caller\n"
    "  -o, --output FILE      the message goes there; print what was typed as\n"
    "                         a command\n";

static const struct option options[] = {
    {"commands", required_argument, NULL, 'c'},
    {"history", required_argument, NULL, 'H'},
    {"initial", required_argument, NULL, 'i'},
    {"keep", no_argument, NULL, 'k'},
    {"output", required_argument, NULL, 'o'},
    {NULL, 0, NULL, 0},
};

/* The text that the line begins with; not typed, so it is plain. */
static void
read_begin(struct buf *b, const char *path)
{
	static struct buf text;
	enum file_result res = file_read(path, &text, BEGIN_MAX);

	if (res != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(res));
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	mark_add(b, text.p, text.n, 0);
}

static void
put_message(const struct buf *text, const char *path)
{
	static struct buf clean, list;
	int fd;

	mark_strip(&clean, text->p, text->n);
	buf_putc(&clean, '\n');
	if (path == NULL) {
		out_add(clean.p, clean.n);
		out_end();
		return;
	}
	fd = fd_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || fd_write(fd, clean.p, clean.n) < 0 || fd_close(fd) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	mark_list(&list, text->p, text->n);
	out_add(list.p, list.n);
	out_end();
}

enum reading_end
line_read(struct buf *b)
{
	size_t start = b->n;
	ssize_t n;
	char c;

	/* What sh starts with & ignores it. */
	signals_arm(SIGNALS_AT_ONCE);
	if (fd_write(STDERR_FILENO, READING_PROMPT, strlen(READING_PROMPT)) < 0)
		tty_die(SIGHUP);
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

int
main(int argc, char **argv)
{
	static struct reading how;
	static struct buf text;
	const char *history = NULL, *initial = NULL, *output = NULL;
	enum reading_end end;
	int c, keep = 0;

	prog = "ttyread";
	opt_libraries = edit_library;
	while ((c = opt_next(argc, argv, "c:H:i:ko:", options, usage)) != -1)
		switch (c) {
		case 'c': how.prefix = optarg; break;
		case 'H': history = optarg; break;
		case 'i': initial = optarg; break;
		case 'k': keep = 1; break;
		case 'o': output = optarg; break;
		}
	if (keep) {
		tty_keep();
		return 0;
	}
	how.words = argv + optind;
	if (initial != NULL)
		read_begin(&how.begin, initial);
	if (!isatty(STDIN_FILENO)) {
		history = NULL;
		end = line_read(&text);
	} else {
		if (history != NULL)
			recall_read(&how.history, history);
		end = edit_read(&text, &how);
	}
	if (end == READING_INTERRUPTED)
		tty_die(SIGINT);
	if (end == READING_END)
		return EXIT_NO;
	if (history != NULL)
		recall_add(history, text.p, text.n);
	put_message(&text, output);
	return 0;
}
