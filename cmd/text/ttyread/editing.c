#include "reading.h"

#ifndef LIBEDIT

int
edit_can(void)
{
	return 0;
}

enum reading_end
edit_read(struct buf *b, const struct reading *how)
{
	return plain_read(b, how);
}

void
edit_library(struct buf *b)
{
	buf_puts(b, "built without libedit");
}

#else

#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complete.h"
#include "diag.h"
#include "fd.h"
#include "file.h"
#include "mark.h"
#include "terminal.h"
#include "tty.h"
#include "utf8.h"

/*
 * Keys that only we send: libedit's own functions, pushed as if typed.
 * No terminal has them.
 */
#define KEY_ACCEPT L"\033[~a"
#define KEY_OLDER L"\033[~o"
#define KEY_NEWER L"\033[~n"

enum {
	CTRL_D = 4,
	LIST_MAX = 100,	      /* completions that are shown */
	FILE_MAX = 16 << 20   /* bytes of what an editor leaves */
};

static EditLine *el;
static const struct reading *reading;
static wchar_t *prompt;
static int interrupted, begun, ahead, screen = -1;

/* wchar_t is a code point here (C.UTF-8). */
static wchar_t *
widen(const char *s, size_t n)
{
	wchar_t *w = xreallocarray(NULL, n + 1, sizeof(*w));
	uint32_t c;
	size_t k, len = 0;

	for (; n > 0; s += k, n -= k) {
		k = utf8_get(s, n, &c);
		if (k == 0) {
			c = 0xfffd;
			k = 1;
		}
		if (c != 0)
			w[len++] = (wchar_t)c;
	}
	w[len] = L'\0';
	return w;
}

static void
narrow(struct buf *b, const wchar_t *w, size_t n)
{
	for (; n > 0; w++, n--)
		utf8_put(b, (uint32_t)*w);
}

static void
say(const char *s)
{
	/* If it is gone, reading finds that, too. */
	(void)!write(screen, s, strlen(s));
}

/* The text before the cursor, and all of it. */
static size_t
before(void)
{
	const LineInfoW *l = el_wline(el);

	return (size_t)(l->cursor - l->buffer);
}

static size_t
length(void)
{
	const LineInfoW *l = el_wline(el);

	return (size_t)(l->lastchar - l->buffer);
}

static void
insert(const struct buf *b)
{
	wchar_t *w = widen(b->p, b->n);

	if (*w != L'\0' && el_winsertstr(el, w) < 0)
		warn("no room for more text");
	free(w);
}

static void
erase(void)
{
	el_cursor(el, (int)(length() - before()));
	el_wdeletestr(el, (int)length());
}

static void
push(const wchar_t *key)
{
	el_wpush(el, key);
}

static void
prepare(int raw)
{
	if (el == NULL)
		return;
	el_wset(el, EL_PREP_TERM, raw);
	say(raw ? "\033[?2004h" : "\033[?2004l");
}

/*
 * Columns that the text takes up to the cursor, to find the first row of what
 * was drawn: a terminal that has been resized has wrapped it anew.
 */
static void
go_home(void)
{
	const LineInfoW *l = el_wline(el);
	struct winsize ws;
	const wchar_t *w;
	char go[32];
	int width, col = (int)wcslen(prompt), row = 0, k;

	if (ioctl(screen, TIOCGWINSZ, &ws) < 0 || ws.ws_col == 0)
		return;
	for (w = l->buffer; w < l->cursor; w++) {
		k = *w == L'\n' ? 0 : wcwidth(*w);
		width = k < 0 ? 2 : k;
		if (*w == L'\n' || col + width > ws.ws_col) {
			row++;
			col = 0;
		}
		col += width;
	}
	if (row >= ws.ws_row)
		row = ws.ws_row - 1;
	if (row > 0) {
		snprintf(go, sizeof(go), "\033[%dA", row);
		say(go);
	}
	say("\r\033[J");
}

static void
redraw(int resized)
{
	if (el == NULL || !begun)
		return;
	if (resized) {
		go_home();
		el_resize(el);
	}
	el_wset(el, EL_REFRESH);
}

/* Below what was printed since go_home. */
static unsigned char
draw_anew(void)
{
	el_wset(el, EL_REFRESH);
	return CC_NORM;
}

/* The next character for libedit. */
static int
next_char(EditLine *e, wchar_t *w)
{
	static char s[4];
	uint32_t c;
	size_t n = 0, want;
	int byte;

	(void)e;
	begun = 1;
	byte = tty_byte();
	if (byte < 0)
		return 0;
	s[n++] = (char)byte;
	/* Ctrl-D from the time when the terminal edited lines by itself. */
	if (byte == 0 && ahead)
		s[0] = CTRL_D;
	ahead = 0;
	want = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
	while (n < want && (byte = tty_byte()) >= 0)
		s[n++] = (char)byte;
	*w = utf8_get(s, n, &c) == n ? (wchar_t)c : 0xfffd;
	return 1;
}

static wchar_t *
get_prompt(EditLine *e)
{
	(void)e;
	return prompt;
}

static uint32_t
char_before(void)
{
	const LineInfoW *l = el_wline(el);

	return l->cursor > l->buffer ? (uint32_t)l->cursor[-1] : 0;
}

/* What stands between the codes 200~ and 201~, line ends as newlines. */
static unsigned char
paste(EditLine *e, wint_t key)
{
	static const char end[] = "\033[201~";
	static struct buf b, marked;
	size_t k = sizeof(end) - 1;
	int c, cr = 0;

	(void)e;
	(void)key;
	buf_reset(&b);
	buf_reset(&marked);
	while ((c = tty_byte()) >= 0) {
		if (c == '\n' && cr) {
			cr = 0;
			continue;
		}
		cr = c == '\r';
		buf_putc(&b, cr ? '\n' : c);
		if (c == '~' && b.n >= k && memcmp(b.p + b.n - k, end, k) == 0) {
			b.n -= k;
			break;
		}
	}
	mark_add(&marked, b.p, b.n, char_before());
	insert(&marked);
	return CC_REFRESH;
}

static unsigned char
newline(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	el_winsertstr(el, L"\n");
	return CC_REFRESH;
}

/* All that is there is no command. */
static void
mark_all(void)
{
	static struct buf b, marked;

	buf_reset(&b);
	buf_reset(&marked);
	narrow(&b, el_wline(el)->buffer, length());
	mark_strip(&marked, b.p, b.n);
	buf_reset(&b);
	mark_add(&b, marked.p, marked.n, 0);
	erase();
	insert(&b);
}

/* Enter, and more behind it: up to a key that is no text.  1 if a line ends it. */
static int
take_burst(void)
{
	static struct buf b;
	wchar_t key[2] = {0};
	int c = '\n', ends;

	buf_reset(&b);
	do {
		if ((c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t')
		    || c == 0x7f) {
			key[0] = (wchar_t)c;
			break;
		}
		buf_putc(&b, c == '\r' ? '\n' : c);
	} while (tty_waits(BURST_NEXT) && (c = tty_byte()) >= 0);
	ends = key[0] == 0 && b.p[b.n - 1] == '\n';
	insert(&b);
	mark_all();
	if (key[0] != 0)
		push(key);
	return ends;
}

static unsigned char
enter(EditLine *e, wint_t key)
{
	const LineInfoW *l = el_wline(el);

	(void)e;
	(void)key;
	if (l->cursor == l->lastchar && l->cursor > l->buffer
	    && l->cursor[-1] == L'\\') {
		el_wdeletestr(el, 1);
		el_winsertstr(el, L"\n");
	} else if (!tty_waits(BURST_BEGIN) || take_burst()) {
		push(KEY_ACCEPT);
	}
	return CC_REFRESH;
}

static unsigned char
interrupt(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	if (length() == 0) {
		interrupted = 1;
		return CC_EOF;
	}
	erase();
	return CC_REFRESH;
}

static unsigned char
suspend(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	say("\r\n");
	tty_suspend();
	return CC_NORM;
}

/*
 * Up and down: within a message of several lines, and from its first or last
 * one through the history.
 */
static unsigned char
go_line(int down)
{
	const LineInfoW *l = el_wline(el);
	const wchar_t *start = l->cursor, *to, *next;
	long col;

	while (start > l->buffer && start[-1] != L'\n')
		start--;
	col = l->cursor - start;
	if (down) {
		for (to = l->cursor; to < l->lastchar && *to != L'\n'; to++)
			continue;
		if (to == l->lastchar) {
			push(KEY_NEWER);
			return CC_NORM;
		}
		to++;
	} else {
		if (start == l->buffer) {
			push(KEY_OLDER);
			return CC_NORM;
		}
		for (to = start - 1; to > l->buffer && to[-1] != L'\n'; to--)
			continue;
	}
	for (next = to; next < l->lastchar && *next != L'\n'
	    && next - to < col; next++)
		continue;
	el_cursor(el, (int)(next - l->cursor));
	return CC_CURSOR;
}

static unsigned char
up(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	return go_line(0);
}

static unsigned char
down(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	return go_line(1);
}

/* To the first or last character of the line, of a message of several. */
static unsigned char
line_start(EditLine *e, wint_t key)
{
	const LineInfoW *l = el_wline(el);
	const wchar_t *w = l->cursor;

	(void)e;
	(void)key;
	while (w > l->buffer && w[-1] != L'\n')
		w--;
	el_cursor(el, (int)(w - l->cursor));
	return CC_CURSOR;
}

static unsigned char
line_end(EditLine *e, wint_t key)
{
	const LineInfoW *l = el_wline(el);
	const wchar_t *w = l->cursor;

	(void)e;
	(void)key;
	while (w < l->lastchar && *w != L'\n')
		w++;
	el_cursor(el, (int)(w - l->cursor));
	return CC_CURSOR;
}

/* The message in the user's editor.  What comes back may be pasted: all of it is plain. */
static unsigned char
edit_outside(EditLine *e, wint_t key)
{
	static struct buf b, clean, path;
	const char *dir = getenv("TMPDIR");
	int fd, st;

	(void)e;
	(void)key;
	buf_reset(&b);
	buf_reset(&clean);
	narrow(&b, el_wline(el)->buffer, length());
	mark_strip(&clean, b.p, b.n);
	if (clean.n > 0)
		buf_putc(&clean, '\n');
	file_join(&path, dir != NULL && *dir != '\0' ? dir : "/tmp",
	    "turnpipe.XXXXXX");
	fd = mkstemp(buf_cstr(&path)); /* 0600 */
	if (fd < 0 || fd_write(fd, clean.p, clean.n) < 0 || fd_close(fd) < 0) {
		go_home();
		warn_sys("%s", path.p);
		return draw_anew();
	}
	go_home();
	begun = 0; /* there is nothing to be drawn yet */
	st = tty_run("eval \"${VISUAL:-${EDITOR:-vi}} \\\"\\$1\\\"\"",
	    path.p);
	begun = 1;
	buf_reset(&b);
	if (st != 0)
		warn("the editor failed: the message is as it was");
	else if (file_read(path.p, &b, FILE_MAX) != FILE_OK)
		warn("%s: cannot be read: the message is as it was", path.p);
	else {
		while (b.n > 0 && b.p[b.n - 1] == '\n')
			b.n--;
		buf_reset(&clean);
		mark_add(&clean, b.p, b.n, 0);
		erase();
		insert(&clean);
	}
	unlink(path.p);
	return draw_anew();
}

static void
show_list(const struct strs *l)
{
	static struct buf b;
	size_t i;

	buf_reset(&b);
	for (i = 0; i < l->n && i < LIST_MAX; i++) {
		terminal_clean(&b, l->v[i], strlen(l->v[i]));
		buf_puts(&b, i + 1 < l->n ? "  " : "");
	}
	if (l->n > LIST_MAX)
		buf_printf(&b, "and %zu more", l->n - LIST_MAX);
	buf_puts(&b, "\r\n");
	go_home();
	say(buf_cstr(&b));
}

/* Put what the word grows to after the n bytes that are there. */
static void
grow_word(const char *s, size_t len, size_t n, int quoted, int path)
{
	static struct buf b;
	int whole = s[len] == '\0';

	buf_reset(&b);
	/* A blank in it needs quotes around it. */
	if (path && !quoted && memchr(s, ' ', len) != NULL) {
		el_wdeletestr(el, (int)n);
		buf_putc(&b, '"');
		quoted = 1;
		n = 0;
	}
	buf_add(&b, s + n, len - n);
	if (whole && !(path && len > 0 && s[len - 1] == '/'))
		buf_puts(&b, quoted ? "\" " : " ");
	insert(&b);
}

static unsigned char
complete(EditLine *e, wint_t key)
{
	static struct strs found;
	static struct buf word;
	const LineInfoW *l = el_wline(el);
	const wchar_t *w = l->cursor;
	size_t common;
	int path, quoted = 0;

	(void)e;
	(void)key;
	/* @"A NAME goes back to its quote. */
	while (w > l->buffer && w[-1] != L'\n' && w[-1] != L'"')
		w--;
	if (w - l->buffer >= 2 && w[-1] == L'"' && w[-2] == L'@'
	    && (w - l->buffer == 2 || w[-3] == L' ' || w[-3] == L'\n')) {
		quoted = path = 1;
	} else {
		for (w = l->cursor; w > l->buffer && w[-1] != L' '
		    && w[-1] != L'\n' && w[-1] != L'\t'; w--)
			continue;
		if (w == l->cursor)
			return CC_ERROR;
		path = *w == L'@';
		if (!path && (*w != L'/' || w != l->buffer))
			return CC_ERROR;
		w++;
	}
	buf_reset(&word);
	narrow(&word, w, (size_t)(l->cursor - w));
	strs_reset(&found);
	if (path)
		complete_path(&found, buf_cstr(&word), word.n);
	else
		complete_command(&found, buf_cstr(&word), word.n,
		    reading->prefix, reading->words);
	common = complete_common(&found);
	if (found.n == 0)
		return CC_ERROR;
	if (found.n > 1 && common == word.n) {
		show_list(&found);
		return draw_anew();
	}
	/* Of several, what they share; of one, all. */
	if (found.n > 1) {
		static struct buf part;

		buf_reset(&part);
		buf_add(&part, found.v[0], common);
		buf_puts(&part, "."); /* it goes on */
		grow_word(buf_cstr(&part), common, word.n, quoted, path);
	} else {
		grow_word(found.v[0], common, word.n, quoted, path);
	}
	return CC_REFRESH;
}

/* The text to begin with: libedit empties its line when it starts. */
static unsigned char
begin(EditLine *e, wint_t key)
{
	(void)e;
	(void)key;
	insert(&reading->begin);
	return CC_REFRESH;
}

static const struct {
	const wchar_t *name;
	unsigned char (*f)(EditLine *, wint_t);
	const wchar_t *keys[4];
} ours[] = {
	{L"tty-paste", paste, {L"\\e[200~"}},
	{L"tty-enter", enter, {L"^M", L"^J"}},
	{L"tty-newline", newline, {L"\\e^M", L"\\e^J"}},
	{L"tty-interrupt", interrupt, {L"^C"}},
	{L"tty-suspend", suspend, {L"^Z"}},
	{L"tty-editor", edit_outside, {L"^X^E"}},
	{L"tty-complete", complete, {L"^I"}},
	{L"tty-up", up, {L"\\e[A", L"\\eOA", L"^P"}},
	{L"tty-down", down, {L"\\e[B", L"\\eOB", L"^N"}},
	{L"tty-start", line_start, {L"^A", L"\\e[H", L"\\eOH", L"\\e[1~"}},
	{L"tty-end", line_end, {L"^E", L"\\e[F", L"\\eOF", L"\\e[4~"}},
	{L"tty-begin", begin, {L"\\e[~b"}},
};

static const wchar_t *const theirs[][2] = {
	{L"^R", L"em-inc-search-prev"},
	{L"^S", L"em-inc-search-next"},
	{L"\\e[~a", L"ed-newline"},
	{L"\\e[~o", L"ed-prev-history"},
	{L"\\e[~n", L"ed-next-history"},
	{L"\\e[3~", L"ed-delete-next-char"},
	{L"\\e[1;5D", L"ed-prev-word"},
	{L"\\e[1;5C", L"em-next-word"},
	{L"^W", L"ed-delete-prev-word"},
};

static void
bind_keys(void)
{
	size_t i, k;

	/* Our names are constants, which libedit keeps. */
	for (i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		el_wset(el, EL_ADDFN, ours[i].name, L"of ttyread", ours[i].f);
		for (k = 0; k < 4 && ours[i].keys[k] != NULL; k++)
			el_wset(el, EL_BIND, ours[i].keys[k], ours[i].name,
			    NULL);
	}
	for (i = 0; i < sizeof(theirs) / sizeof(*theirs); i++)
		el_wset(el, EL_BIND, theirs[i][0], theirs[i][1], NULL);
}

static void
set_history(const struct strs *lines)
{
	HistoryW *h = history_winit();
	HistEventW ev;
	wchar_t *w;
	size_t i;

	if (h == NULL)
		return;
	history_w(h, &ev, H_SETSIZE, (int)lines->n + 1);
	history_w(h, &ev, H_SETUNIQUE, 1);
	for (i = 0; i < lines->n; i++) {
		w = widen(lines->v[i], strlen(lines->v[i]));
		history_w(h, &ev, H_ENTER, w);
		free(w);
	}
	el_wset(el, EL_HIST, history_w, h);
}

int
edit_can(void)
{
	const char *term = getenv("TERM");

	return term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

/* It has no function that says it. */
void
edit_library(struct buf *b)
{
	buf_printf(b, "libedit %d.%d", LIBEDIT_MAJOR, LIBEDIT_MINOR);
}

/* Libedit's text is the locale's, ours is UTF-8. */
static void
set_locale(void)
{
	if (setlocale(LC_CTYPE, "") == NULL
	    || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

enum reading_end
edit_read(struct buf *b, const struct reading *how)
{
	const wchar_t *line;
	FILE *out;
	int n = 0;

	reading = how;
	set_locale();
	prompt = widen(how->prompt, strlen(how->prompt));
	ahead = tty_waits(0);
	screen = isatty(STDERR_FILENO) ? dup(STDERR_FILENO)
				       : fd_open("/dev/tty", O_RDWR, 0);
	if (screen < 0 || (out = fdopen(screen, "w")) == NULL)
		return plain_read(b, how);
	tty_begin(prepare, redraw);
	el = el_init_fd(prog, stdin, out, out, STDIN_FILENO, screen, screen);
	if (el == NULL)
		die(EX_OSERR, "the terminal cannot be set up");
	el_wset(el, EL_PROMPT, get_prompt);
	el_wset(el, EL_EDITOR, L"emacs");
	el_wset(el, EL_SETTY, L"-d", L"-isig", L"-ixon", NULL);
	el_wset(el, EL_GETCFN, next_char);
	set_history(&how->history);
	el_source(el, NULL);
	/* Before the prompt, and before the keys: libedit binds the terminal's. */
	el_wset(el, EL_PREP_TERM, 1);
	bind_keys();
	say("\033[?2004h");
	if (how->begin.n > 0)
		push(L"\033[~b");
	line = el_wgets(el, &n);
	begun = 0;
	if (line != NULL && n > 0)
		narrow(b, line, (size_t)n);
	/* Not el_end: it would discard what is typed ahead. */
	tty_end();
	if (interrupted || line == NULL || n <= 0) {
		say("\r\n");
		return interrupted ? READING_INTERRUPTED : READING_END;
	}
	while (b->n > 0 && b->p[b->n - 1] == '\n')
		b->n--;
	return READING_MESSAGE;
}

#endif
