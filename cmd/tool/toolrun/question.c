#include <string.h>

#include "file.h"
#include "question.h"

enum { QUESTION_FILE = 4 << 20 }; /* bytes of a file that is compared */

/* Each line of s with that in front. */
static void
lines(struct buf *b, const char *mark, struct span s)
{
	size_t n;

	for (; s.n > 0; s.p += n, s.n -= n) {
		n = 0;
		while (n < s.n && s.p[n++] != '\n')
			continue;
		buf_puts(b, mark);
		buf_add(b, s.p, n);
		if (s.p[n - 1] != '\n')
			buf_putc(b, '\n');
	}
}

/* Take the lines off that both begin with; their number. */
static size_t
common_head(struct span *a, struct span *b)
{
	size_t i, last = 0, count = 0;

	for (i = 0; i < a->n && i < b->n && a->p[i] == b->p[i]; i++)
		if (a->p[i] == '\n') {
			last = i + 1;
			count++;
		}
	a->p += last;
	a->n -= last;
	b->p += last;
	b->n -= last;
	return count;
}

/* Does a line begin i bytes before the end of s? */
static int
begins(struct span s, size_t i)
{
	return i == s.n || s.p[s.n - i - 1] == '\n';
}

static void
common_tail(struct span *a, struct span *b)
{
	size_t i, last = 0;

	for (i = 1; i <= a->n && i <= b->n
	     && a->p[a->n - i] == b->p[b->n - i]; i++)
		if (begins(*a, i) && begins(*b, i))
			last = i;
	a->n -= last;
	b->n -= last;
}

/* The text against what the file holds, as one piece. */
static void
compare(struct buf *b, const char *path, const struct buf *text)
{
	struct buf file = { 0 };
	struct span was, is;
	size_t n;

	if (file_read(path, &file, QUESTION_FILE) != FILE_OK) {
		buf_puts(b, "  content: (no such text file yet)\n");
		lines(b, "  + ", buf_view(text));
		buf_free(&file);
		return;
	}
	was = buf_view(&file);
	is = buf_view(text);
	n = common_head(&was, &is);
	common_tail(&was, &is);
	buf_printf(b, "  content: from line %zu on\n", n + 1);
	lines(b, "  - ", was);
	lines(b, "  + ", is);
	if (was.n + is.n == 0)
		buf_puts(b, "  (no change)\n");
	buf_free(&file);
}

static void
argument(struct buf *b, const char *name, const struct buf *v)
{
	size_t i;

	buf_printf(b, "  %s: ", name);
	for (i = 0; i < v->n; i++) {
		buf_putc(b, v->p[i]);
		if (v->p[i] == '\n')
			buf_puts(b, "    ");
	}
	buf_putc(b, '\n');
}

/* An argument that is old or new text of the one file; 0 if it is another. */
static int
put_change(struct buf *b, const struct places *p, const char *name,
    const struct buf *v)
{
	if (p->real.n != 1)
		return 0;
	if (strcmp(name, "content") == 0)
		compare(b, p->real.v[0], v);
	else if (strcmp(name, "old") == 0)
		lines(b, "  - ", buf_view(v));
	else if (strcmp(name, "new") == 0)
		lines(b, "  + ", buf_view(v));
	else
		return 0;
	return 1;
}

/* A list of {old, new}, each piece after a line of its own; else 0. */
static int
put_edits(struct buf *b, const struct places *p, const char *name,
    const struct json *j, int k)
{
	static struct buf v;
	int i, old, new;

	if (p->real.n != 1 || strcmp(name, "edits") != 0
	    || json_kind(j, k) != JSON_ARRAY)
		return 0;
	for (i = json_first(j, k); i >= 0; i = json_next(j, i)) {
		old = json_get(j, i, "old");
		new = json_get(j, i, "new");
		if (old < 0 || new < 0)
			return 0;
		buf_puts(b, "  @@\n");
		buf_reset(&v);
		json_str(j, old, &v);
		lines(b, "  - ", buf_view(&v));
		buf_reset(&v);
		json_str(j, new, &v);
		lines(b, "  + ", buf_view(&v));
	}
	return 1;
}

void
question_change(struct buf *b, const struct toolcall *c)
{
	static struct places places;
	static struct buf name, v;
	const struct json *j = &c->args;
	int k;

	if (c->tool->isreadonly)
		return;
	places_judge(&places, c);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		buf_reset(&v);
		json_str(j, k, &name);
		if (put_edits(b, &places, buf_cstr(&name), j, k + 1)
		    || json_str(j, k + 1, &v) < 0)
			continue;
		if (strcmp(buf_cstr(&name), "patch") == 0)
			lines(b, "  ", buf_view(&v));
		else
			put_change(b, &places, buf_cstr(&name), &v);
	}
}

void
question_call(
    struct buf *b, const struct toolcall *c, const struct places *p)
{
	struct buf name = { 0 }, v = { 0 };
	const struct json *j = &c->args;
	size_t i;
	int k;

	buf_printf(b, "%s\n", c->name);
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		buf_reset(&v);
		json_str(j, k, &name);
		if (put_edits(b, p, buf_cstr(&name), j, k + 1))
			continue;
		if (json_str(j, k + 1, &v) < 0)
			buf_span(&v, json_span(j, k + 1));
		if (!put_change(b, p, buf_cstr(&name), &v))
			argument(b, buf_cstr(&name), &v);
	}
	for (i = 0; i < p->real.n; i++)
		if (strcmp(p->real.v[i], p->named.v[i]) != 0)
			buf_printf(b, "  %s leads to %s\n", p->named.v[i],
			    *p->real.v[i] != '\0' ? p->real.v[i] : "nowhere");
	for (i = 0; i < p->text.n; i++) {
		if (i == 0 || p->text.p[i - 1] == '\n')
			buf_puts(b, "  -> ");
		buf_putc(b, p->text.p[i]);
	}
	if (p->text.n > 0)
		buf_putc(b, '\n');
	buf_free(&name);
	buf_free(&v);
}
