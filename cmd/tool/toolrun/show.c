#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "question.h"
#include "show.h"
#include "terminal.h"

enum {
	SHOW_VALUE = 60,  /* bytes of an argument that is no command or path */
	SHOW_LINES = 20,  /* of a diff or, with -v, a result */
	SHOW_END = 34	  /* columns of the longest end */
};

static int level, fd = -1, moves;
static const struct job *unended; /* its line is without its end */
static size_t open_width;
static struct buf indent;      /* what an agent's lines begin with */
static int inbatch;
static int agents; /* that run, and print lines of their own */

void
show_setup(void)
{
	static int done;
	const char *s = env_get("TURNPIPE_SHOW_FD"), *agent, *depth;
	int n;

	if (done)
		return;
	done = 1;
	level = terminal_show();
	if (level == 0)
		return;
	n = s != NULL ? atoi(s) : STDERR_FILENO;
	/* Out of the way of the descriptors that children get. */
	if (isatty(n))
		fd = fcntl(n, F_DUPFD_CLOEXEC, 10);
	if (fd < 0) {
		level = 0;
		return;
	}
	moves = terminal_moves(fd);
	warn_before = show_break;
	agent = env_get("TURNPIPE_AGENT");
	depth = env_get("TURNPIPE_DEPTH");
	for (n = depth != NULL ? atoi(depth) : 0; s != NULL && n > 0; n--)
		buf_puts(&indent, "  ");
	if (indent.n > 0 && agent != NULL)
		buf_printf(&indent, "%s: ", agent);
}

int
show_fd(void)
{
	return fd;
}

static size_t
count_lines(const struct buf *b)
{
	size_t i, n = 0;

	for (i = 0; i < b->n; i++)
		n += b->p[i] == '\n';
	return n + (b->n > 0 && b->p[b->n - 1] != '\n');
}

/* One argument; what has lines, or is long, by its size. */
static void
put_argument(struct buf *b, const char *name, const struct buf *v, int bare)
{
	size_t n = count_lines(v);

	buf_putc(b, ' ');
	if (!bare && (n > 1 || v->n > SHOW_VALUE)) {
		buf_printf(b, "%s=(%zu %s)", name, n > 1 ? n : v->n,
		    n > 1 ? "lines" : "bytes");
		return;
	}
	if (!bare)
		buf_printf(b, "%s=", name);
	buf_span(b, buf_view(v));
}

/*
 * What the call does: its command, path or task as it is, and else the first
 * argument; the others with their names.
 */
static void
describe(struct buf *b, const struct toolcall *c)
{
	static struct buf name, v;
	const struct json *j = &c->args;
	int k, bare, first = 1;

	buf_puts(b, c->name);
	if (c->tool == NULL || c->tool->isbatch || j->ntok == 0
	    || json_kind(j, 0) != JSON_OBJECT)
		return;
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		buf_reset(&v);
		json_str(j, k, &name);
		/* Its change stands below it, or in a question. */
		if (c->tool->paths.n > 0
		    && (strcmp(buf_cstr(&name), "old") == 0
			|| strcmp(buf_cstr(&name), "new") == 0
			|| strcmp(buf_cstr(&name), "edits") == 0
			|| strcmp(buf_cstr(&name), "content") == 0))
			continue;
		bare = json_str(j, k + 1, &v) == 0;
		if (!bare)
			buf_span(&v, json_span(j, k + 1));
		bare = bare
		    && (strcmp(buf_cstr(&name), "command") == 0
			|| strs_find(&c->tool->paths, buf_cstr(&name)) >= 0
			|| c->tool->isagent
			|| (first && v.n <= SHOW_VALUE));
		put_argument(b, buf_cstr(&name), &v, bare);
		first = 0;
	}
}

/* Why it was not run: the text for the model, without its first words. */
static void
put_why(struct buf *b, const struct buf *text)
{
	static const char *const first[] = {"error: ", "not run: "};
	const char *s = text->p;
	size_t i, n = text->n, k;

	for (i = 0; i < 2; i++) {
		k = strlen(first[i]);
		if (n >= k && memcmp(s, first[i], k) == 0) {
			s += k;
			n -= k;
		}
	}
	buf_puts(b, n > 0 ? ": not run: " : ": not run");
	buf_add(b, s, n);
}

/* How it ended. */
static void
put_end(struct buf *b, const struct job *j)
{
	size_t n = count_lines(&j->content);

	if (j->later)
		buf_puts(b, ": waits for your word");
	else if (j->denied)
		buf_puts(b, ": denied");
	else if (j->interrupted)
		buf_puts(b, ": interrupted");
	else if (j->started && j->proc.timedout)
		buf_puts(b, ": timed out");
	else if (j->exit > 128)
		buf_printf(b, ": signal %d", j->exit - 128);
	else if (j->exit > 0)
		buf_printf(b, ": status %d", j->exit);
	else if (!j->started && j->exit != 0)
		put_why(b, &j->content);
	else
		buf_puts(b, job_failed(j) ? ": error" : ": ok");
	if (!j->started)
		return;
	buf_printf(b, ", %.1f s",
	    getenv("TURNPIPE_NOW") != NULL ? 0.0 : (double)j->ms / 1000);
	buf_printf(b, ", %zu line%s", n, n == 1 ? "" : "s");
}

static void
put(const struct buf *b)
{
	/* A failed write to the terminal is ignored: display only. */
	(void)fd_write(fd, b->p, b->n);
}

/*
 * The line of a call, never wider than the terminal; end may be NULL.  In the
 * last column some terminals wrap.
 */
static void
put_line(struct buf *b, const struct job *j, const struct buf *end)
{
	static struct buf head, text;
	size_t cols = terminal_columns(fd), room, tail, n;

	tail = end == NULL ? (moves ? 0 : SHOW_END) : end->n;
	room = cols > 1 ? cols - 1 : 1;
	if (tail + 8 > room)
		tail = room > 16 ? room / 2 : 0;
	buf_reset(&head);
	buf_span(&head, buf_view(&indent));
	buf_puts(&head, j->inside ? "  \u00b7 " : "\u00b7 ");
	buf_reset(&text);
	buf_span(&text, buf_view(&head));
	describe(&text, j->call);
	terminal_faint(b, fd, 1);
	n = terminal_fit(b, text.p, text.n, room - tail);
	open_width = n;
	room -= n;
	if (end != NULL)
		terminal_fit(b, end->p, end->n, room);
	terminal_faint(b, fd, 0);
}

/* So many lines of a text, indented. */
static void
put_lines(struct buf *b, const struct buf *t, const char *rest)
{
	size_t cols = terminal_columns(fd), i, n, max;
	const char *p = t->p, *nl;

	max = cols > 5 ? cols - 5 : 1;
	for (i = 0, n = t->n; n > 0 && i < SHOW_LINES; i++) {
		nl = memchr(p, '\n', n);
		terminal_faint(b, fd, 1);
		buf_puts(b, "    ");
		terminal_fit(b, p, nl != NULL ? (size_t)(nl - p) : n, max);
		terminal_faint(b, fd, 0);
		buf_putc(b, '\n');
		n -= nl != NULL ? (size_t)(nl + 1 - p) : n;
		p = nl != NULL ? nl + 1 : p;
	}
	if (n > 0)
		buf_puts(b, rest);
}

void
show_break(void)
{
	if (unended != NULL)
		(void)fd_write(fd, "\n", 1);
	unended = NULL;
}

void
show_stop(void)
{
	/* An end is written over it, if it is still the same row. */
	if (!moves || open_width + 2 >= terminal_columns(fd))
		show_break();
}

void
show_start(struct job *j)
{
	static struct buf b;

	if (level == 0)
		return;
	show_break();
	buf_reset(&b);
	if (j->inside && !inbatch) {
		terminal_faint(&b, fd, 1);
		buf_span(&b, buf_view(&indent));
		buf_puts(&b, "\u00b7 batch");
		terminal_faint(&b, fd, 0);
		buf_putc(&b, '\n');
	}
	inbatch = j->inside;
	put_line(&b, j, NULL);
	agents += j->call->tool->isagent;
	/* Where another process prints too, a line is written whole. */
	if (agents > 0 || indent.n > 0)
		buf_putc(&b, '\n');
	else
		unended = j;
	j->seen = 1;
	/* Each change is seen once. */
	if (!j->call->shown)
		question_change(&j->change, j->call);
	put(&b);
}

void
show_end(struct job *j)
{
	static struct buf b, end;

	if (level == 0 || j->seen > 1 || j->nparts > 0)
		return;
	agents -= j->seen == 1 && j->call->tool->isagent;
	j->seen = 2;
	buf_reset(&b);
	buf_reset(&end);
	put_end(&end, j);
	if (unended == j && moves) {
		buf_puts(&b, "\r");
		put_line(&b, j, &end);
		buf_puts(&b, "\033[K");
	} else if (unended == j) {
		terminal_fit(&b, end.p, end.n, SHOW_END);
	} else {
		show_break();
		inbatch = j->inside;
		put_line(&b, j, &end);
	}
	unended = NULL;
	buf_putc(&b, '\n');
	if (j->change.n > 0 && !job_failed(j))
		put_lines(&b, &j->change, "    \u2026\n");
	else if (level > 1 && j->started)
		put_lines(&b, &j->content, "    \u2026\n");
	put(&b);
}
