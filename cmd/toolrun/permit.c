#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "permit.h"
#include "shline.h"

static int
matches(const char *glob, const char *s)
{
	return fnmatch(glob, s, 0) == 0;
}

/*
 * Is this rule for the tool?  pattern gets what stands in parentheses, if
 * anything; the caller empties it.
 */
static int
concerns(const char *rule, const char *tool, struct buf *pattern)
{
	const char *open = strchr(rule, '(');
	char *name;
	int r;

	buf_reset(pattern);
	if (open == NULL)
		return matches(rule, tool);
	name = xstrndup(rule, (size_t)(open - rule));
	r = matches(name, tool);
	free(name);
	if (r)
		buf_add(pattern, open + 1, strlen(open) - 2);
	return r;
}

static int
allows(const struct permit *p, const char *tool, const struct shcmd *c)
{
	struct buf pattern = { 0 };
	struct buf text = { 0 };
	size_t i;
	int r = 0;

	shcmd_text(c, 0, 0, &text);
	for (i = 0; !r && i < p->allow.n; i++)
		r = concerns(p->allow.v[i], tool, &pattern) && pattern.n > 0
		    && matches(buf_cstr(&pattern), buf_cstr(&text));
	buf_free(&pattern);
	buf_free(&text);
	return r;
}

/* Does the pattern match the command, whatever stands before its name? */
static int
hits(const char *pattern, const struct shcmd *c)
{
	struct buf text = { 0 };
	size_t i;
	int base;
	int r = 0;

	for (i = 0; !r && i < c->words.n; i++) {
		if (i > 0 && i != c->first && !(c->wrapper && i > c->first))
			continue;
		for (base = 0; !r && base < 2; base++) {
			buf_reset(&text);
			shcmd_text(c, i, base, &text);
			r = matches(pattern, buf_cstr(&text));
		}
	}
	buf_free(&text);
	return r;
}

/* Does one of the rules that have a pattern deny this line? */
static int
denied(const struct permit *p, const char *tool, const char *command,
    const struct shline *l, const char *unread, struct buf *why)
{
	struct buf pattern = { 0 };
	size_t i, k;
	int r = 0;

	for (i = 0; !r && i < p->deny.n; i++) {
		if (!concerns(p->deny.v[i], tool, &pattern))
			continue;
		r = strchr(p->deny.v[i], '(') == NULL || command == NULL
		    || unread != NULL;
		for (k = 0; !r && k < l->n; k++)
			r = hits(buf_cstr(&pattern), &l->v[k]);
		if (r && why != NULL)
			buf_puts(why, p->deny.v[i]);
	}
	if (r && unread != NULL && pattern.n > 0 && why != NULL)
		buf_printf(why, ": %s", unread);
	buf_free(&pattern);
	return r;
}

/*
 * The reader follows expansions and here-documents less exactly than a shell
 * does: a line that has any is not given to it.
 */
static const char *
unreadable(const char *command)
{
	if (strpbrk(command, "$`") != NULL)
		return "expected a line without an expansion";
	if (strstr(command, "\\\n") != NULL)
		return "expected a line without a continuation";
	if (strstr(command, "<<") != NULL)
		return "expected a line without a here-document";
	return NULL;
}

/* Read the line.  NULL, or why what it runs can not be known. */
static const char *
read_line(struct shline *l, const char *command)
{
	const char *why = unreadable(command);
	const struct shcmd *c;

	if (why != NULL)
		return why;
	if (shline_parse(l, command, strlen(command)) < 0)
		return l->why;
	for (c = l->v; c < l->v + l->n; c++) {
		if (c->dynamic)
			return "expected a command's name, not an expansion";
		if (c->first > 0)
			return "expected a command without an assignment";
		/* A pattern could not tell it from name and arguments. */
		if (c->words.n > 0 && strpbrk(c->words.v[0], " \t\n") != NULL)
			return "expected a command's name without a blank";
	}
	return NULL;
}

enum permit_verdict
permit_judge(const struct permit *p, const char *tool, const char *command,
    struct buf *why)
{
	static struct shline l;
	struct buf pattern = { 0 };
	const char *unread = NULL;
	size_t i;
	int all;

	if (command != NULL)
		unread = read_line(&l, command);
	if (denied(p, tool, command, &l, unread, why))
		return PERMIT_DENY;
	for (i = 0, all = 0; !all && i < p->allow.n; i++)
		all = strchr(p->allow.v[i], '(') == NULL
		    && concerns(p->allow.v[i], tool, &pattern);
	buf_free(&pattern);
	if (all)
		return PERMIT_ALLOW;
	if (command == NULL || unread != NULL || l.n == 0)
		return PERMIT_ASK;
	for (i = 0; i < l.n; i++)
		if (!allows(p, tool, &l.v[i]))
			return PERMIT_ASK;
	return PERMIT_ALLOW;
}

/* Append s as a glob that matches s alone. */
static void
literal(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("*?[\\", *s) != NULL)
			buf_putc(b, '\\');
		buf_putc(b, *s);
	}
}

int
permit_exact(const char *tool, const char *command, struct strs *l)
{
	static struct shline line;
	struct buf rule = { 0 };
	struct buf text = { 0 };
	size_t i;

	if (command != NULL && read_line(&line, command) != NULL)
		return -1;
	if (command == NULL) {
		literal(&rule, tool);
		strs_add(l, buf_cstr(&rule));
	}
	for (i = 0; command != NULL && i < line.n; i++) {
		buf_reset(&rule);
		buf_reset(&text);
		shcmd_text(&line.v[i], 0, 0, &text);
		literal(&rule, tool);
		buf_putc(&rule, '(');
		literal(&rule, buf_cstr(&text));
		buf_putc(&rule, ')');
		strs_add(l, buf_cstr(&rule));
	}
	buf_free(&rule);
	buf_free(&text);
	return command != NULL && line.n == 0 ? -1 : 0;
}
