#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "file.h"
#include "textfile.h"
#include "todos.h"

enum { FILE_MAX = 16 << 20 };

static const char *const names[] = {
	[TODO_PROPOSED] = "proposed",
	[TODO_PENDING] = "pending",
	[TODO_ACTIVE] = "in_progress",
	[TODO_DONE] = "completed",
};

const char *
todos_name(enum todo_status s)
{
	return names[s];
}

int
todos_status(const char *s)
{
	int i;

	for (i = TODO_PROPOSED; i <= TODO_DONE; i++)
		if (strcmp(s, names[i]) == 0)
			return i;
	return -1;
}

static void
forget(struct todo *t)
{
	free(t->id);
	free(t->text);
	free(t->parent);
	strs_free(&t->depends);
}

void
todos_reset(struct todos *l)
{
	while (l->n > 0)
		forget(&l->v[--l->n]);
	l->next = 0;
}

struct todo *
todos_find(const struct todos *l, const char *id)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->v[i].id, id) == 0)
			return &l->v[i];
	return NULL;
}

int
todos_take(struct todos *l, const struct json *j, int i, const char **why)
{
	static struct buf said, line;
	struct todo t;
	char *s;
	int k;

	memset(&t, 0, sizeof(t));
	t.id = json_dup(j, json_get(j, i, "id"));
	buf_reset(&said);
	json_str(j, json_get(j, i, "text"), &said);
	buf_reset(&line);
	textfile_line(&line, buf_view(&said));
	t.text = xstrdup(buf_cstr(&line));
	t.parent = json_dup(j, json_get(j, i, "parent"));
	s = json_dup(j, json_get(j, i, "status"));
	k = s == NULL ? TODO_PENDING : todos_status(s);
	free(s);
	t.status = k < 0 ? TODO_PENDING : (enum todo_status)k;
	*why = NULL;
	if (t.id == NULL || *t.id == '\0')
		*why = "expected a todo's id";
	else if (todos_find(l, t.id) != NULL)
		*why = "expected an id that is not there yet";
	else if (*t.text == '\0')
		*why = "expected a todo's text";
	else if (k < 0)
		*why = "expected a todo's status";
	else if (json_get(j, i, "depends") >= 0
	    && json_strs(j, json_get(j, i, "depends"), &t.depends) != 0)
		*why = "expected a list of ids as depends";
	if (*why != NULL) {
		forget(&t);
		return -1;
	}
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	l->v[l->n++] = t;
	return 0;
}

/* One line of a file, n bytes of which are there. */
static void
take_line(struct todos *l, struct json *j, const char *path, size_t line)
{
	const char *why;

	if (json_is(j, json_get(j, 0, "type"), "mark")
	    && json_int(j, json_get(j, 0, "next"), &l->next) == 0)
		return;
	if (todos_take(l, j, 0, &why) < 0)
		die_at(EX_DATAERR, path, line, 1, why);
}

void
todos_read(struct todos *l, const char *path)
{
	static struct buf b;
	static struct json j;
	enum file_result r;
	const char *s, *nl;
	size_t left, line;

	todos_reset(l);
	buf_reset(&b);
	r = file_read(path, &b, FILE_MAX);
	if (r == FILE_ERRNO && (errno == ENOENT || errno == ENOTDIR))
		return;
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	s = buf_cstr(&b);
	for (line = 1, left = b.n; left > 0; line++) {
		nl = memchr(s, '\n', left);
		if (nl == NULL)
			nl = s + left;
		if (json_parse(&j, s, (size_t)(nl - s)) < 0)
			die_at(EX_DATAERR, path, line, j.at + 1, j.why);
		take_line(l, &j, path, line);
		left -= (size_t)(nl - s) + (nl < s + left);
		s = nl + 1;
	}
}

void
todos_record(struct buf *b, const struct todo *t)
{
	emit_open(b, '{');
	emit_pair(b, "type", "todo");
	emit_pair(b, "id", t->id);
	emit_pair(b, "text", t->text);
	emit_pair(b, "status", names[t->status]);
	emit_pair(b, "parent", t->parent);
	if (t->depends.n > 0)
		emit_strs(b, "depends", &t->depends);
	emit_close(b, '}');
}

void
todos_write(const struct todos *l, const char *path)
{
	static struct buf b;
	size_t i;

	buf_reset(&b);
	for (i = 0; i < l->n; i++) {
		todos_record(&b, &l->v[i]);
		buf_putc(&b, '\n');
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "mark");
	emit_pair(&b, "what", "todos");
	emit_pairi(&b, "next", l->next);
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	if (file_mkparent(path) < 0
	    || file_write(path, b.p, b.n, 0600) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
}

static void
put_line(struct buf *b, const struct todo *t)
{
	static const char mark[] = {'?', ' ', '>', 'x'};
	size_t i;

	buf_printf(b, "%s%s. [%c] %s", t->parent != NULL ? "  " : "", t->id,
	    mark[t->status], t->text);
	for (i = 0; i < t->depends.n && t->status != TODO_DONE; i++)
		buf_printf(b, "%s%s", i == 0 ? " (after " : ", ",
		    t->depends.v[i]);
	if (i > 0)
		buf_putc(b, ')');
	buf_putc(b, '\n');
}

void
todos_text(struct buf *b, const struct todos *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		put_line(b, &l->v[i]);
}

void
todos_changes(struct buf *b, const struct todos *l, const struct todos *old,
    const struct strs *touched)
{
	static struct buf now, then;
	const struct todo *was;
	size_t i;

	for (i = 0; i < old->n; i++)
		if (todos_find(l, old->v[i].id) == NULL)
			buf_printf(b, "removed %s: %s\n", old->v[i].id,
			    old->v[i].text);
	for (i = 0; i < l->n; i++) {
		was = todos_find(old, l->v[i].id);
		buf_reset(&now);
		buf_reset(&then);
		put_line(&now, &l->v[i]);
		if (was != NULL)
			put_line(&then, was);
		if (strs_find(touched, l->v[i].id) >= 0
		    || strcmp(buf_cstr(&now), buf_cstr(&then)) != 0)
			buf_add(b, now.p, now.n);
	}
}
