#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "input.h"
#include "path.h"
#include "terminal.h"

enum { LINE = 65536 };

static int tty = -1;

void
input_roots(struct buf *b)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	struct buf uri = { 0 };
	const char *p;

	buf_puts(&uri, "file://");
	for (p = path_root(); *p != '\0'; p++)
		if (strchr(plain, *p) != NULL)
			buf_putc(&uri, *p);
		else
			buf_printf(&uri, "%%%02X", (unsigned char)*p);
	emit_key(b, "roots");
	emit_open(b, '[');
	emit_open(b, '{');
	emit_pairn(b, "uri", buf_cstr(&uri), uri.n);
	emit_close(b, '}');
	emit_close(b, ']');
	buf_free(&uri);
}

void
input_none(struct buf *b)
{
	emit_pair(b, "action", "cancel");
}

/* A server's words, on one line of the terminal. */
static void
show(struct buf *b, const struct json *j, int i)
{
	static struct buf text;

	buf_reset(&text);
	if (json_str(j, i, &text) < 0)
		emit_compact(&text, json_span(j, i));
	terminal_fit(b, text.p, text.n, SIZE_MAX);
}

/* Its lines, none of which begins where our own words do. */
static void
show_lines(struct buf *b, const struct json *j, int i)
{
	static const char bar[] = "\n  | ";
	static struct buf text, clean, lines;
	size_t k;

	buf_reset(&text);
	buf_reset(&clean);
	buf_reset(&lines);
	(void)json_str(j, i, &text);
	terminal_clean(&clean, text.p, text.n);
	buf_puts(&lines, bar);
	for (k = 0; k < clean.n; k++)
		if (clean.p[k] == '\n')
			buf_puts(&lines, bar);
		else
			buf_putc(&lines, clean.p[k]);
	terminal_fold(b, buf_view(&lines), terminal_columns(tty), bar);
	buf_putc(b, '\n');
}

/*
 * One line after these words, without its newline.  What was typed before they
 * stood there is no answer.  0 at the end of input.
 */
static int
ask(struct buf *words, struct buf *line)
{
	static struct buf typed;
	ssize_t r;
	char c;

	buf_reset(line);
	if (terminal_set_aside(tty, env_run(&typed, "typed")) < 0)
		warn_sys("what was typed ahead");
	if (fd_write(tty, words->p, words->n) < 0)
		return 0;
	buf_reset(words);
	while ((r = read(tty, &c, 1)) == 1 && c != '\n')
		if (line->n < LINE)
			buf_putc(line, c);
	if (r != 1)
		(void)fd_write(tty, "\n", 1);
	return r == 1;
}

static int
isyes(const char *s)
{
	return strcasecmp(s, "y") == 0 || strcasecmp(s, "yes") == 0
	    || strcmp(s, "true") == 0;
}

/* Is s one of the values at i, plain or {"const": ...}?  Its token, or -1. */
static int
choice(const struct json *j, int i, const char *s)
{
	int k, v;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		v = json_get(j, k, "const");
		if (json_is(j, v >= 0 ? v : k, s))
			return k;
	}
	return -1;
}

/* The values that a field may have; -1: any. */
static int
choices(const struct json *j, int field)
{
	int i = json_get(j, field, "enum");

	if (i < 0)
		i = json_get(j, field, "oneOf");
	return i >= 0 ? i : json_get(j, field, "anyOf");
}

/* The words of a line, "a, b". */
static void
put_words(struct buf *b, const char *s)
{
	size_t n;

	emit_open(b, '[');
	for (; *s != '\0'; s += n + strspn(s + n, ", ")) {
		n = strcspn(s, ",");
		emit_str(b, s, n);
	}
	emit_close(b, ']');
}

/* Append the value of a field that the line holds.  -1: it does not fit. */
static int
put_value(struct buf *b, const struct json *j, int field, const char *s)
{
	static struct json v;
	int type = json_get(j, field, "type");
	long long n;
	double d;

	if (json_is(j, type, "boolean")) {
		if (!isyes(s) && strcasecmp(s, "n") != 0
		    && strcasecmp(s, "no") != 0 && strcmp(s, "false") != 0)
			return -1;
		emit_bool(b, isyes(s));
		return 0;
	}
	if (json_is(j, type, "integer") || json_is(j, type, "number")) {
		if (json_parse(&v, s, strlen(s)) < 0
		    || json_num(&v, 0, &d) < 0
		    || (json_is(j, type, "integer")
			&& json_int(&v, 0, &n) < 0))
			return -1;
		emit_compact(b, json_span(&v, 0));
		return 0;
	}
	if (json_is(j, type, "array")) {
		put_words(b, s);
		return 0;
	}
	if (choices(j, field) >= 0 && choice(j, choices(j, field), s) < 0)
		return -1;
	emit_cstr(b, s);
	return 0;
}

/* "  name (what it is) [default]: " */
static void
describe(struct buf *words, const struct json *j, int key, int given)
{
	static struct buf text;
	struct buf *b = &text;
	int field = key + 1, k, v, c;

	buf_reset(b);
	buf_puts(b, "  ");
	show(b, j, key);
	k = json_get(j, field, "description");
	if (k < 0)
		k = json_get(j, field, "title");
	if (k >= 0) {
		buf_puts(b, " (");
		show(b, j, k);
		buf_puts(b, ")");
	}
	c = choices(j, field);
	if (c < 0)
		c = choices(j, json_get(j, field, "items"));
	for (k = json_first(j, c); k >= 0; k = json_next(j, k)) {
		buf_puts(b, k == json_first(j, c) ? " " : "|");
		v = json_get(j, k, "const");
		show(b, j, v >= 0 ? v : k);
	}
	if (json_is(j, json_get(j, field, "type"), "boolean"))
		buf_puts(b, " yes|no");
	if (given >= 0) {
		buf_puts(b, " [");
		show(b, j, given);
		buf_puts(b, "]");
	}
	buf_puts(b, ": ");
	terminal_fold(words, buf_view(b), terminal_columns(tty), "\n      ");
}

/* One field, until its line is a value.  0 at the end of input. */
static int
ask_field(struct buf *b, struct buf *words, const struct json *j, int key,
    int isrequired)
{
	static struct buf line;
	int given = json_get(j, key + 1, "default");
	size_t start;

	for (;;) {
		describe(words, j, key, given);
		if (!ask(words, &line))
			return 0;
		if (line.n == 0 && given < 0 && !isrequired)
			return 1;
		start = b->n;
		emit_keyj(b, json_span(j, key));
		if (line.n == 0 && given >= 0) {
			emit_compact(b, json_span(j, given));
			return 1;
		}
		if ((line.n > 0 || !isrequired)
		    && put_value(b, j, key + 1, buf_cstr(&line)) == 0)
			return 1;
		b->n = start;
	}
}

/* The members of the answer.  0: the user broke it off. */
static int
fill_in(struct buf *b, const struct json *j, int i, const char *server)
{
	static struct buf words, line;
	struct buf content = { 0 };
	struct strs needed = { 0 };
	int schema = json_get(j, i, "requestedSchema"), k, r = 1;
	char *name;

	(void)json_strs(j, json_get(j, schema, "required"), &needed);
	buf_printf(&words, "\nserver %s asks:", server);
	show_lines(&words, j, json_get(j, i, "message"));
	emit_open(&content, '{');
	k = json_first(j, json_get(j, schema, "properties"));
	for (; k >= 0 && r; k = json_next(j, k)) {
		name = json_dup(j, k);
		r = ask_field(&content, &words, j, k, name != NULL
		    && strs_find(&needed, name) >= 0);
		free(name);
	}
	emit_close(&content, '}');
	buf_puts(&words, "  send it? [y/N] ");
	r = r && ask(&words, &line);
	if (r && isyes(buf_cstr(&line))) {
		emit_pair(b, "action", "accept");
		emit_pairj(b, "content", buf_view(&content));
	} else if (r) {
		emit_pair(b, "action", "decline");
	}
	strs_free(&needed);
	buf_free(&content);
	return r;
}

void
input_terminal(void)
{
	const char *name = NULL;
	int fd, at = terminal_open();

	for (fd = 0; fd < 3 && name == NULL && at >= 0; fd++)
		name = ttyname(fd);
	if (at >= 0)
		close(at);
	if (name == NULL)
		unsetenv("TURNPIPE_TOOLHOLD_TTY");
	else if (setenv("TURNPIPE_TOOLHOLD_TTY", name, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

/* Ours, or where we run as a tool, which has none, the user's. */
static int
find_terminal(void)
{
	const char *name = env_get("TURNPIPE_TOOLHOLD_TTY");
	int fd = terminal_open();

	if (fd < 0 && name != NULL)
		fd = open(name, O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0 && !isatty(fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void
input_form(struct buf *b, const struct json *j, int i, const char *server)
{
	int mode = json_get(j, i, "mode"), isform, echoed = -1;

	isform = (mode < 0 || json_is(j, mode, "form"))
	    && json_kind(j, json_get(j, i, "requestedSchema")) == JSON_OBJECT;
	tty = isform ? find_terminal() : -1;
	if (tty >= 0)
		echoed = terminal_echo(tty, 1);
	if (tty < 0 || !fill_in(b, j, i, server))
		input_none(b);
	if (echoed == 0)
		terminal_echo(tty, 0);
	if (tty >= 0)
		close(tty);
}
