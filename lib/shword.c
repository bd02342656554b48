#include <string.h>

#include "shword.h"

int
shword_peek(const struct shtext *t, size_t k)
{
	return k < t->n - t->i ? (unsigned char)t->s[t->i + k] : -1;
}

int
shword_bad(struct shtext *t, const char *why)
{
	if (t->why == NULL)
		t->why = why;
	return -1;
}

void
shword_blanks(struct shtext *t)
{
	int c;

	while ((c = shword_peek(t, 0)) == ' ' || c == '\t'
	    || (c == '\\' && shword_peek(t, 1) == '\n'))
		t->i += c == '\\' ? 2 : 1;
}

static int
escaped(const struct shtext *t, const char *set)
{
	int c = shword_peek(t, 1);

	return shword_peek(t, 0) == '\\' && c != -1 && strchr(set, c) != NULL;
}

/* ` `: a backslash in front of $ ` \ is taken off, the rest is a line. */
static int
backquote(struct shtext *t, struct buf *w)
{
	struct buf b = { 0 };
	size_t from = t->i++;
	int c, r;

	while ((c = shword_peek(t, 0)) != '`') {
		if (c == -1) {
			buf_free(&b);
			return shword_bad(t, "expected a closing `");
		}
		if (escaped(t, "$`\\"))
			c = t->s[++t->i];
		buf_putc(&b, c);
		t->i++;
	}
	t->i++;
	r = t->line(t, buf_cstr(&b), b.n);
	buf_free(&b);
	buf_add(w, t->s + from, t->i - from);
	return r;
}

/* $(( )): no command, unless it holds one. */
static int
arithmetic(struct shtext *t)
{
	int depth = 0;
	int c;

	for (t->i += 3; (c = shword_peek(t, 0)) != -1; t->i++) {
		if (strchr("`'\"\\\n;", c) != NULL
		    || (c == '$' && shword_peek(t, 1) == '('))
			break;
		if (c == '(')
			depth++;
		if (c != ')' || depth-- > 0)
			continue;
		if (shword_peek(t, 1) != ')')
			break;
		t->i += 2;
		return 0;
	}
	return shword_bad(t, "expected plain arithmetic in $(( ))");
}

/* ${ }: what it holds may expand in turn. */
static int
braces(struct shtext *t)
{
	struct buf w = { 0 };
	int c;
	int r = 0;

	for (t->i += 2; r == 0 && (c = shword_peek(t, 0)) != '}';) {
		if (c == -1 || strchr("'\"\\", c) != NULL)
			r = shword_bad(t, "expected ${ } without quotes");
		else if (c == '$' || c == '`')
			r = shword_expand(t, &w);
		else
			t->i++;
	}
	t->i++;
	buf_free(&w);
	return r;
}

int
shword_expand(struct shtext *t, struct buf *w)
{
	size_t from = t->i;
	int r = 0;

	if (t->depth >= SHWORD_DEPTH)
		return shword_bad(t, "expected less nesting");
	if (shword_peek(t, 0) == '`')
		return backquote(t, w);
	t->depth++;
	if (shword_peek(t, 1) == '(' && shword_peek(t, 2) == '(') {
		r = arithmetic(t);
	} else if (shword_peek(t, 1) == '(') {
		t->i += 2;
		r = t->group(t);
	} else if (shword_peek(t, 1) == '{') {
		r = braces(t);
	} else {
		t->i++;
	}
	t->depth--;
	if (r == 0)
		buf_add(w, t->s + from, t->i - from);
	return r;
}

static int
single(struct shtext *t, struct buf *w)
{
	const char *end;

	t->i++;
	end = memchr(t->s + t->i, '\'', t->n - t->i);
	if (end == NULL)
		return shword_bad(t, "expected a closing '");
	buf_add(w, t->s + t->i, (size_t)(end - t->s) - t->i);
	t->i = (size_t)(end - t->s) + 1;
	return 0;
}

static int
expansion(struct shtext *t, struct buf *w, int *flags)
{
	*flags |= SHWORD_EXPANDS | (w->n == 0 ? SHWORD_LEADS : 0);
	return shword_expand(t, w);
}

static int
twofold(struct shtext *t, struct buf *w, int *flags)
{
	int c;

	for (t->i++; (c = shword_peek(t, 0)) != '"';) {
		if (c == -1)
			return shword_bad(t, "expected a closing \"");
		if (c == '$' || c == '`') {
			if (expansion(t, w, flags) < 0)
				return -1;
			continue;
		}
		if (escaped(t, "\n")) {
			t->i += 2;
			continue;
		}
		if (escaped(t, "$`\"\\"))
			c = t->s[++t->i];
		buf_putc(w, c);
		t->i++;
	}
	t->i++;
	return 0;
}

/* A backslash outside quotes. */
static int
escape(struct shtext *t, struct buf *w, int *flags)
{
	int c = shword_peek(t, 1);

	if (c == -1)
		return shword_bad(t, "expected a character behind \\");
	if (c != '\n') {
		*flags |= SHWORD_QUOTED;
		buf_putc(w, c);
	}
	t->i += 2;
	return 0;
}

int
shword_get(struct shtext *t, struct buf *w, int *flags)
{
	int r = 0;
	int c, next;

	*flags = 0;
	while (r == 0 && (c = shword_peek(t, 0)) != -1
	    && strchr(" \t\n;&|()<>", c) == NULL) {
		next = shword_peek(t, 1);
		if (c == '\'') {
			*flags |= SHWORD_QUOTED;
			r = single(t, w);
		} else if (c == '"') {
			*flags |= SHWORD_QUOTED;
			r = twofold(t, w, flags);
		} else if (c == '\\') {
			r = escape(t, w, flags);
		} else if (c == '$' && (next == '\'' || next == '"')) {
			r = shword_bad(t, "expected quotes without $");
		} else if (c == '$' || c == '`') {
			r = expansion(t, w, flags);
		} else {
			if (strchr("*?[{", c) != NULL)
				*flags |= SHWORD_GLOBS;
			buf_putc(w, c);
			t->i++;
		}
	}
	return r;
}
