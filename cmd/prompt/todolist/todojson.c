#include <stdlib.h>
#include <string.h>

#include "todos.h"

/* What one call asks for. */
struct ask {
	struct todos *list;
	struct json json;
	struct strs *touched;
	struct buf *why;
	int update;
};

static int
refuse(const struct ask *a, const char *s)
{
	buf_puts(a->why, s);
	return -1;
}

/* A string or number, as models mix them for ids; NULL if i is neither. */
static char *
scalar(const struct json *j, int i)
{
	struct span s = json_span(j, i);

	return json_kind(j, i) == JSON_NUMBER ? xstrndup(s.p, s.n)
					      : json_dup(j, i);
}

/* A list of ids, or one alone; none where it is missing or null. */
static int
take_ids(const struct json *j, int i, struct strs *l)
{
	char *s;
	int k, many = json_kind(j, i) == JSON_ARRAY;

	if (json_kind(j, i) == JSON_NULL)
		return 0;
	for (k = many ? json_first(j, i) : i; k >= 0;
	     k = many ? json_next(j, k) : -1) {
		s = scalar(j, k);
		if (s == NULL)
			return -1;
		strs_add(l, s);
		free(s);
	}
	return 0;
}

static int
add(const struct ask *a, const struct todo_wish *w, char **id)
{
	const char *new;

	if (w->text == NULL)
		return refuse(a, "expected the text of a todo");
	new = todos_add(a->list, w, a->why);
	free(*id); /* one that was asked for: ids are ours to give */
	*id = new == NULL ? NULL : xstrdup(new);
	return new == NULL ? -1 : 0;
}

static int
update(const struct ask *a, const struct todo_wish *w, const char *id)
{
	return id == NULL ? refuse(a, "expected the id of a todo")
			  : todos_update(a->list, id, w, a->why);
}

static int apply(const struct ask *a, int i, const char *parent);

static int
apply_all(const struct ask *a, int i, const char *parent)
{
	int k, r = 0;

	for (k = json_first(&a->json, i); k >= 0 && r == 0;
	     k = json_next(&a->json, k))
		r = apply(a, k, parent);
	return r;
}

/* What value i asks for, below parent where that is not NULL. */
static int
apply(const struct ask *a, int i, const char *parent)
{
	const struct json *j = &a->json;
	struct strs depends = {NULL, 0, 0};
	struct todo_wish w = {NULL, NULL, NULL, -1};
	char *id = scalar(j, json_get(j, i, "id"));
	char *text = scalar(j, json_get(j, i, "text"));
	char *below = scalar(j, json_get(j, i, "parent"));
	char *status = scalar(j, json_get(j, i, "status"));
	int d = json_get(j, i, "depends"), r = -1;

	if (json_kind(j, i) == JSON_STRING && !a->update)
		text = json_dup(j, i);
	w.text = text;
	w.parent = parent != NULL ? parent : below;
	if (d >= 0)
		w.depends = &depends;
	if (status != NULL)
		w.status = todos_status(status);
	if (status != NULL && w.status < 0)
		refuse(a, "expected proposed, pending, in_progress or "
			  "completed as status");
	else if (take_ids(j, d, &depends) < 0)
		refuse(a, "expected a list of ids as depends");
	else
		r = a->update ? update(a, &w, id) : add(a, &w, &id);
	if (r == 0)
		strs_add(a->touched, id);
	if (r == 0 && !a->update)
		r = apply_all(a, json_get(j, i, "subtasks"), id);
	strs_free(&depends);
	free(id);
	free(text);
	free(below);
	free(status);
	return r;
}

int
todos_json(struct todos *l, const char *s, size_t n, int upd,
    struct strs *touched, struct buf *why)
{
	static struct ask a;
	int many = 0;

	a.list = l;
	a.touched = touched;
	a.why = why;
	a.update = upd;
	if (json_parse(&a.json, s, n) < 0)
		return refuse(&a, "expected JSON on standard input");
	if (json_kind(&a.json, 0) == JSON_OBJECT)
		many = json_get(&a.json, 0, "todos");
	return json_kind(&a.json, many < 0 ? 0 : many) == JSON_ARRAY
	    ? apply_all(&a, many < 0 ? 0 : many, NULL)
	    : apply(&a, 0, NULL);
}
