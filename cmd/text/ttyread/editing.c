#define _GNU_SOURCE /* fopencookie */
#include "reading.h"

#ifndef READLINE

enum reading_end
edit_read(struct buf *b, const struct reading *how)
{
	(void)how;
	return line_read(b);
}

void
edit_library(struct buf *b)
{
	buf_puts(b, "built without readline");
}

#else

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "complete.h"
#include "diag.h"
#include "fd.h"
#include "file.h"
#include "joiner.h"
#include "mark.h"
#include "terminal.h"
#include "tty.h"
#include "utf8.h"

enum {
	CTRL_D = 4,
	BURST_BEGIN = 10,   /* ms after an Enter, and */
	BURST_NEXT = 50,    /* ms between bytes, while it lasts */
	FILE_MAX = 16 << 20 /* bytes of what an editor leaves */
};

static const struct reading *reading;
static int interrupted, burst, begun, screen = -1;
static int ahead;    /* bytes from before the prompt, that of this key too */
static int foreign;  /* another LC_ALL than the environment's is there, */
static char *locale; /* which is this */

/* Readline's text is that of the environment's locale, ours is UTF-8. */
static void
use_locale(int ours)
{
	if (!foreign)
		return;
	if (ours)
		setenv("LC_ALL", "C.UTF-8", 1);
	else if (locale != NULL)
		setenv("LC_ALL", locale, 1);
	else
		unsetenv("LC_ALL");
}

static void
set_locale(void)
{
	const char *s = getenv("LC_ALL");

	if (setlocale(LC_CTYPE, "") != NULL
	    && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return;
	locale = s != NULL ? xstrdup(s) : NULL;
	foreign = 1;
	use_locale(1);
	setlocale(LC_CTYPE, "C.UTF-8");
}

/*
 * What readline draws.  Its own escapes are ASCII; of the text what the
 * terminal could obey or hide is left out, and counts no column there either,
 * but for C1, which counts one.
 */
static ssize_t
draw(void *cookie, const char *s, size_t size)
{
	static struct buf in, clean;
	size_t i, k;
	uint32_t c;

	(void)cookie;
	buf_add(&in, s, size);
	buf_reset(&clean);
	for (i = 0; i < in.n; i += k) {
		k = utf8_get(in.p + i, in.n - i, &c);
		if (k == 0 && in.n - i < 4 && (unsigned char)in.p[i] >= 0xc2)
			break; /* half a character */
		if (k == 1 || (k > 1 && !terminal_hides(c)))
			buf_add(&clean, in.p + i, k);
		else if (k == 0 || c < 0xa0)
			buf_putc(&clean, '?');
		else if (joiner_works(in.p, in.n, i, c))
			buf_add(&clean, in.p + i, k);
		k += k == 0;
	}
	memmove(in.p, in.p + i, in.n - i);
	in.n -= i;
	/* If it is gone, reading finds that, too. */
	(void)fd_write(screen, clean.p, clean.n);
	return (ssize_t)size;
}

static void
insert(const struct buf *b)
{
	static struct buf s;

	buf_reset(&s);
	buf_span(&s, buf_view(b));
	rl_insert_text(buf_cstr(&s));
}

static void
replace(const struct buf *b)
{
	rl_begin_undo_group();
	rl_delete_text(0, rl_end);
	rl_point = 0;
	insert(b);
	rl_end_undo_group();
}

/* Ctrl-C, Ctrl-S and Ctrl-V are keys. */
static void
prepare_terminal(int meta)
{
	struct termios t;

	rl_prep_terminal(meta);
	if (tcgetattr(STDIN_FILENO, &t) < 0)
		return;
	t.c_lflag &= (tcflag_t) ~(ISIG | IEXTEN);
	t.c_iflag &= (tcflag_t)~IXON;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
}

static void
prepare(int raw)
{
	if (!begun)
		return;
	if (raw)
		prepare_terminal(1);
	else
		rl_deprep_terminal();
	fflush(rl_outstream);
}

static void
redraw(int resized)
{
	if (!begun)
		return;
	if (resized)
		rl_resize_terminal();
	else {
		rl_on_new_line();
		rl_redisplay();
	}
	fflush(rl_outstream);
}

/* The next byte for readline. */
static int
next_byte(FILE *in)
{
	int byte;

	(void)in;
	ahead -= ahead > 0;
	begun = 1;
	fflush(rl_outstream);
	byte = tty_byte();
	/* Ctrl-D from the time when the terminal edited lines by itself. */
	if (byte == 0 && ahead > 0)
		byte = CTRL_D;
	return byte < 0 ? EOF : byte;
}

/* Pasted text at the cursor, line ends as newlines. */
static void
insert_paste(const struct buf *b)
{
	static struct buf lines, marked;
	size_t i;

	buf_reset(&lines);
	buf_reset(&marked);
	for (i = 0; i < b->n; i++)
		if (b->p[i] == '\r')
			buf_putc(&lines, '\n');
		else if (b->p[i] != '\0'
		    && !(b->p[i] == '\n' && i > 0 && b->p[i - 1] == '\r'))
			buf_putc(&lines, b->p[i]);
	mark_add(&marked, lines.p, lines.n,
	    rl_point > 0 ? (unsigned char)rl_line_buffer[rl_point - 1] : 0);
	insert(&marked);
}

/* What stands between the codes 200~ and 201~. */
static int
paste(int count, int key)
{
	static const char end[] = "\033[201~";
	static struct buf b;
	size_t k = sizeof(end) - 1;
	int c;

	(void)count;
	(void)key;
	buf_reset(&b);
	while ((c = rl_read_key()) > 0) {
		buf_putc(&b, c);
		if (c == '~' && b.n >= k && memcmp(b.p + b.n - k, end, k) == 0) {
			b.n -= k;
			break;
		}
	}
	insert_paste(&b);
	return 0;
}

static int
newline(int count, int key)
{
	(void)count;
	(void)key;
	rl_insert_text("\n");
	return 0;
}

/*
 * A \ before it, or more at once, goes on: several lines at once were no
 * command that was typed.  Those from before the prompt came one by one.
 */
static int
enter(int count, int key)
{
	if (rl_point == rl_end && rl_point > 0
	    && rl_line_buffer[rl_point - 1] == '\\') {
		rl_delete_text(rl_point - 1, rl_point);
		rl_point--;
		return newline(count, key);
	}
	if (ahead == 0 && tty_waits(burst ? BURST_NEXT : BURST_BEGIN)) {
		burst = 1;
		return newline(count, key);
	}
	return rl_newline(count, key);
}

static int
interrupt(int count, int key)
{
	(void)count;
	(void)key;
	burst = 0;
	if (rl_end == 0)
		interrupted = rl_done = 1;
	rl_delete_text(0, rl_end);
	rl_point = 0;
	return 0;
}

static int
suspend(int count, int key)
{
	(void)count;
	(void)key;
	rl_crlf();
	fflush(rl_outstream);
	tty_suspend();
	return 0;
}

/* The first and last byte of the line at i, of a message of several. */
static int
line_start(int i)
{
	while (i > 0 && rl_line_buffer[i - 1] != '\n')
		i--;
	return i;
}

static int
line_end(int i)
{
	while (i < rl_end && rl_line_buffer[i] != '\n')
		i++;
	return i;
}

static int
go_start(int count, int key)
{
	(void)count;
	(void)key;
	rl_point = line_start(rl_point);
	return 0;
}

static int
go_end(int count, int key)
{
	(void)count;
	(void)key;
	rl_point = line_end(rl_point);
	return 0;
}

/* To the same character of the line that begins there. */
static int
go_line(int to)
{
	int col = 0, i, start = line_start(rl_point);

	for (i = start; i < rl_point; i++)
		col += ((unsigned char)rl_line_buffer[i] & 0xc0) != 0x80;
	for (; to < rl_end && rl_line_buffer[to] != '\n'; to++)
		if (((unsigned char)rl_line_buffer[to] & 0xc0) != 0x80
		    && col-- == 0)
			break;
	rl_point = to;
	return 0;
}

/* Within a message of several lines, and from its ends through the history. */
static int
up(int count, int key)
{
	int start = line_start(rl_point);

	return start == 0 ? rl_get_previous_history(count, key)
			  : go_line(line_start(start - 1));
}

static int
down(int count, int key)
{
	int end = line_end(rl_point);

	return end == rl_end ? rl_get_next_history(count, key)
			     : go_line(end + 1);
}

/*
 * The message in the user's editor.  What comes back may be pasted: all of it
 * is plain.
 */
static int
edit_outside(int count, int key)
{
	static struct buf b, clean, path;
	const char *dir = getenv("TMPDIR");
	int fd, st = -1;

	(void)count;
	(void)key;
	buf_reset(&clean);
	buf_reset(&path);
	mark_strip(&clean, rl_line_buffer, (size_t)rl_end);
	if (clean.n > 0)
		buf_putc(&clean, '\n');
	file_join(&path, dir != NULL && *dir != '\0' ? dir : "/tmp",
	    "turnpipe.XXXXXX");
	fd = mkstemp(buf_cstr(&path)); /* 0600 */
	rl_clear_visible_line();
	fflush(rl_outstream);
	if (fd < 0 || fd_write(fd, clean.p, clean.n) < 0 || fd_close(fd) < 0) {
		warn_sys("%s", path.p);
	} else {
		use_locale(0);
		begun = 0; /* there is nothing to be drawn yet */
		rl_deprep_terminal();
		fflush(rl_outstream);
		st = tty_run("eval \"${VISUAL:-${EDITOR:-vi}} \\\"\\$1\\\"\"",
		    path.p);
		prepare_terminal(1);
		begun = 1;
		use_locale(1);
		if (st != 0)
			warn("the editor failed: the message is as it was");
	}
	if (st == 0 && file_read(path.p, &b, FILE_MAX) != FILE_OK) {
		warn("%s: cannot be read: the message is as it was", path.p);
	} else if (st == 0) {
		while (b.n > 0 && b.p[b.n - 1] == '\n')
			b.n--;
		buf_reset(&clean);
		mark_add(&clean, b.p, b.n, 0);
		replace(&clean);
	}
	unlink(path.p);
	rl_on_new_line();
	return 0;
}

static char *
next_command(const char *word, int state)
{
	static struct strs found;
	static size_t i;
	static struct buf name;

	if (state == 0) {
		strs_reset(&found);
		complete_command(&found, word + 1, strlen(word + 1),
		    reading->prefix, reading->words);
		i = 0;
	}
	if (i == found.n)
		return NULL;
	buf_reset(&name);
	buf_printf(&name, "/%s", found.v[i++]);
	return xstrdup(buf_cstr(&name));
}

static char *
next_path(const char *word, int state)
{
	char *s;

	while ((s = rl_filename_completion_function(word, state)) != NULL
	    && !complete_can(s)) {
		free(s);
		state = 1;
	}
	return s;
}

/* A command at the beginning, or a path behind "@". */
static char **
complete(const char *word, int start, int end)
{
	const char *line = rl_line_buffer;

	(void)end;
	rl_attempted_completion_over = 1;
	if (start == 0 && word[0] == '/')
		return rl_completion_matches(word, next_command);
	start -= start > 0 && line[start - 1] == '"';
	if (start == 0 || line[start - 1] != '@' || *word == '~'
	    || (start > 1 && strchr(" \t\n(", line[start - 2]) == NULL))
		return NULL;
	rl_filename_completion_desired = 1;
	return rl_completion_matches(word, next_path);
}

/* All keys of a function of readline's, the user's own too, get ours. */
static void
instead(rl_command_func_t *theirs, rl_command_func_t *ours)
{
	char **keys = rl_invoking_keyseqs(theirs);
	size_t i;

	for (i = 0; keys != NULL && keys[i] != NULL; i++) {
		rl_bind_keyseq(keys[i], ours);
		free(keys[i]);
	}
	free(keys);
}

static void
set_keys(void)
{
	instead(rl_newline, enter);
	instead(rl_bracketed_paste_begin, paste);
	instead(rl_get_previous_history, up);
	instead(rl_get_next_history, down);
	instead(rl_beg_of_line, go_start);
	instead(rl_end_of_line, go_end);
	rl_bind_keyseq("\\C-c", interrupt);
	rl_bind_keyseq("\\C-z", suspend);
	rl_bind_keyseq("\\e\\C-m", newline);
	rl_bind_keyseq("\\e\\C-j", newline);
	rl_bind_keyseq("\\C-x\\C-e", edit_outside);
	rl_bind_keyseq_if_unbound("\\e[1;5D", rl_backward_word);
	rl_bind_keyseq_if_unbound("\\e[1;5C", rl_forward_word);
}

/* Readline shows the prompt after this. */
static int
begin(void)
{
	ahead = tty_ahead() + 1;
	insert(&reading->begin);
	return 0;
}

void
edit_library(struct buf *b)
{
	buf_printf(b, "readline %s", rl_library_version);
}

enum reading_end
edit_read(struct buf *b, const struct reading *how)
{
	static const cookie_io_functions_t drawn = { .write = draw };
	static struct buf text, clean;
	char *line;
	size_t i;

	reading = how;
	set_locale();
	screen = isatty(STDERR_FILENO) ? dup(STDERR_FILENO)
				       : fd_open("/dev/tty", O_RDWR, 0);
	rl_instream = stdin;
	rl_outstream = fopencookie(NULL, "w", drawn);
	if (screen < 0 || rl_outstream == NULL)
		return line_read(b);
	rl_readline_name = prog;
	rl_terminal_name = getenv("TERM");
	if (rl_terminal_name == NULL || *rl_terminal_name == '\0')
		rl_terminal_name = "dumb";
	rl_catch_signals = rl_catch_sigwinch = 0;
	rl_getc_function = next_byte;
	rl_prep_term_function = prepare_terminal;
	rl_startup_hook = begin;
	rl_completer_word_break_characters = " \t\n@";
	rl_completer_quote_characters = "\"";
	rl_filename_quote_characters = " ";
	rl_variable_bind("match-hidden-files", "off");
	rl_variable_bind("show-all-if-unmodified", "on");
	rl_attempted_completion_function = complete;
	for (i = 0; i < how->history.n; i++)
		add_history(how->history.v[i]);
	tty_begin(prepare, redraw);
	rl_initialize();
	set_keys();
	line = readline(READING_PROMPT);
	begun = 0;
	fflush(rl_outstream);
	tty_end();
	if (interrupted || line == NULL)
		return interrupted ? READING_INTERRUPTED : READING_END;
	utf8_repair(&text, line, strlen(line));
	free(line);
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	if (!burst) {
		buf_span(b, buf_view(&text));
		return READING_MESSAGE;
	}
	mark_strip(&clean, text.p, text.n);
	mark_add(b, clean.p, clean.n, 0);
	return READING_MESSAGE;
}

#endif
