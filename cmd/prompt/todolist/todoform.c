#include <string.h>

#include "template.h"
#include "textfile.h"
#include "todoform.h"

struct line {
	const struct todos *list;
	const struct todo *todo; /* NULL: find out whose line it is */
	int status;		 /* -1: of none */
};

static struct buf form;

int
todoform_load(const char *name)
{
	static struct buf rel;

	buf_reset(&form);
	buf_reset(&rel);
	buf_printf(&rel, "prompts/todos-%s.md", name);
	return textfile_read(&form, buf_cstr(&rel));
}

static size_t
count(const struct todos *l, int status)
{
	size_t i, n = 0;

	for (i = 0; i < l->n; i++)
		n += (int)l->v[i].status == status;
	return n;
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct line *line = arg;
	struct span h = {hole, n};
	int s;

	if (span_is(h, "count")) {
		buf_printf(b, "%zu", line->list->n);
		return 1;
	}
	if (span_is(h, "done")) {
		buf_printf(b, "%zu", count(line->list, TODO_DONE));
		return 1;
	}
	for (s = TODO_PROPOSED; s <= TODO_DONE; s++)
		if (span_is(h, todos_name((enum todo_status)s))) {
			line->status = s;
			if (line->todo != NULL)
				buf_puts(b, line->todo->text);
			return 1;
		}
	return 0;
}

static void
put_line(struct buf *b, const char *s, size_t n, struct line *line)
{
	template_expand(b, s, n, fill, line);
	buf_putc(b, '\n');
}

void
todoform_text(struct buf *b, const struct todos *l)
{
	static struct buf one;
	struct line line = {l, NULL, -1};
	size_t at, n, i;

	if (form.n == 0) {
		todos_text(b, l);
		return;
	}
	for (at = 0; l->n > 0 && at < form.n; at += n + 1) {
		n = strcspn(buf_cstr(&form) + at, "\n");
		buf_reset(&one);
		line.todo = NULL;
		line.status = -1;
		put_line(&one, form.p + at, n, &line);
		if (line.status < 0)
			buf_add(b, one.p, one.n);
		for (i = 0; line.status >= 0 && i < l->n; i++) {
			line.todo = &l->v[i];
			if ((int)line.todo->status == line.status)
				put_line(b, form.p + at, n, &line);
		}
	}
}
