#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "ask.h"
#include "child.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "signals.h"
#include "terminal.h"

enum { ASK_LINE = 1000 }; /* bytes of an answer that are kept */
enum { VIEW = ASK_INTERRUPTED + 1 };

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

/* What the line means; -1 for nothing. */
static int
meaning(const char *s, int always, int isview, struct buf *why)
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
	if (isview && (rest = says(s, "view")) != NULL && *rest == '\0')
		return VIEW;
	return -1;
}

/*
 * Wait for the pager that leads a group; only one in front may read.  -1 when a
 * signal has ended it, also one that came before this.
 */
static int
wait_in_front(int fd, pid_t pid)
{
	struct pollfd p = {.fd = signals_fd(), .events = POLLIN};
	sigset_t block, old;
	pid_t r;
	int st, caught = 0;

	sigemptyset(&block);
	sigaddset(&block, SIGTTOU);
	sigprocmask(SIG_BLOCK, &block, &old);
	do {
		(void)tcsetpgrp(fd, pid);
		(void)kill(-pid, SIGCONT);
		while ((r = waitpid(pid, &st, caught ? WUNTRACED
			    : WUNTRACED | WNOHANG)) == 0
		    || (r < 0 && errno == EINTR))
			if (!caught && poll(&p, 1, 100) > 0) {
				(void)kill(-pid, SIGTERM);
				caught = -1;
			}
	} while (r == pid && WIFSTOPPED(st));
	(void)tcsetpgrp(fd, getpgrp());
	sigprocmask(SIG_SETMASK, &old, NULL);
	return caught;
}

/* Show the text, but for the question itself, in the user's pager; as above. */
static int
view(int fd, const struct buf *text)
{
	const char *pager = env_get("PAGER");
	char *argv[] = {"sh", "-c", NULL, NULL};
	struct child c = {.fd = {0, fd, fd}, .isgroup = 1};
	struct span s = buf_view(text);
	pid_t pid;
	int r = 1;

	while (s.n > 0 && s.p[s.n - 1] != '\n')
		s.n--;
	c.fd[0] = file_spool(s);
	argv[2] = (char *)(pager != NULL ? pager : "exec less -R");
	if (c.fd[0] < 0)
		warn_sys("a file for the pager");
	else if (child_start(&pid, &c, argv) < 0)
		warn_sys("sh");
	else
		r = wait_in_front(fd, pid);
	if (c.fd[0] >= 0)
		fd_drop(c.fd[0]);
	return r < 0 ? -1 : 1;
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
	const char *term = getenv("TERM");
	struct winsize size = { 0 };
	size_t rows;
	int fd, echoed, r = 1, a = -1, islong;

	fd = terminal_open();
	if (fd < 0)
		return ASK_NOBODY;
	/* In a conversation the echo is off while a turn works. */
	echoed = terminal_echo(fd, 1);
	buf_reset(&clean);
	terminal_clean(&clean, text->p, text->n);
	while (a < 0 && r > 0) {
		buf_reset(&b);
		if (term != NULL && *term != '\0'
		    && strcmp(term, "dumb") != 0)
			buf_puts(&b, reset);
		buf_puts(&b, "\n");
		rows = terminal_fold(&b, buf_view(&clean),
		    terminal_columns(fd), "\n      ");
		islong = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0
		    && rows >= size.ws_row;
		if (islong)
			buf_printf(&b, " (%zu rows: it begins further up)",
			    rows);
		if (put(fd, b.p, b.n) < 0 && errno != EINTR)
			r = 0;
		if (terminal_set_aside(fd, typed) < 0)
			warn_sys("what was typed ahead");
		buf_reset(&b);
		buf_printf(&b, " [y]es, [n]o REASON%s%s: ",
		    always ? ", [a]lways" : "", islong ? ", [v]iew" : "");
		if (r > 0 && put(fd, b.p, b.n) < 0 && errno != EINTR)
			r = 0;
		if (r > 0)
			r = answer(fd, from, &in);
		if (r > 0)
			a = meaning(buf_cstr(&in), always, islong, why);
		if (a == VIEW) {
			r = view(fd, &clean);
			a = -1;
		}
	}
	if (echoed == 0)
		terminal_echo(fd, 0);
	if (echoed == 0 && terminal_moves(fd))
		(void)put(fd, again, sizeof(again) - 1);
	close(fd);
	if (r < 0)
		return ASK_INTERRUPTED;
	return a < 0 ? ASK_NO : (enum ask_answer)a;
}
