#include <stdlib.h>
#include <string.h>

#include "textfile.h"
#include "todos.h"

/* One line without blanks around it, in memory of its own; NULL if bad. */
static char *
tidy(const char *s, struct buf *why)
{
	struct buf b = {NULL, 0, 0};

	textfile_line(&b, span_of(s));
	if (b.n > 0 && b.n <= TODO_TEXT)
		return buf_cstr(&b);
	if (b.n == 0)
		buf_puts(why, "a todo needs a text");
	else
		buf_printf(why, "a todo's text has at most %d bytes, not %zu",
		    TODO_TEXT, b.n);
	buf_free(&b);
	return NULL;
}

static void
set_depends(struct todo *t, const struct strs *depends)
{
	size_t i;

	strs_reset(&t->depends);
	for (i = 0; i < depends->n; i++)
		strs_once(&t->depends, depends->v[i]);
}

/* Move to this status, with what else must move. */
static void
move(struct todos *l, struct todo *t, enum todo_status status)
{
	struct todo *p =
	    t->parent == NULL ? NULL : todos_find(l, t->parent);
	size_t i;

	if (status == TODO_ACTIVE) {
		/* Work on a plan has begun: so it is accepted. */
		for (i = 0; t->status == TODO_PROPOSED && i < l->n; i++)
			if (&l->v[i] != t && l->v[i].status == TODO_PROPOSED)
				l->v[i].status = TODO_PENDING;
		if (p != NULL)
			p->status = TODO_ACTIVE;
	}
	/* Subtasks of what is only proposed are so too. */
	for (i = 0; status < TODO_ACTIVE && i < l->n; i++)
		if (todos_below(&l->v[i], t)
		    && (l->v[i].status == TODO_ACTIVE
			|| (status == TODO_PROPOSED
			    && l->v[i].status == TODO_PENDING)))
			l->v[i].status = status;
	if (p != NULL && status == TODO_PENDING
	    && (p->status == TODO_DONE || p->status == TODO_PROPOSED))
		p->status = TODO_PENDING;
	/* A parent is in progress through the subtask that is. */
	if (p != NULL && p->status == TODO_ACTIVE && status < TODO_ACTIVE
	    && t->status == TODO_ACTIVE) {
		for (i = 0; i < l->n; i++)
			if (&l->v[i] != t && todos_below(&l->v[i], p)
			    && l->v[i].status == TODO_ACTIVE)
				break;
		if (i == l->n)
			p->status = TODO_PENDING;
	}
	t->status = status;
}

/* A new id: the next number, or the next one below its parent. */
static char *
new_id(struct todos *l, const char *below)
{
	struct buf b = {NULL, 0, 0};
	long long n, max = 0;
	size_t i, len = below == NULL ? 0 : strlen(below) + 1;

	for (i = 0; i < l->n; i++) {
		if (below != NULL
		    && (l->v[i].parent == NULL
			|| strcmp(l->v[i].parent, below) != 0
			|| strlen(l->v[i].id) <= len))
			continue;
		n = strtoll(l->v[i].id + len, NULL, 10);
		if (n > max)
			max = n;
	}
	if (below != NULL) {
		buf_printf(&b, "%s.%lld", below, max + 1);
	} else {
		if (l->next <= max)
			l->next = max + 1;
		buf_printf(&b, "%lld", l->next++);
	}
	return buf_cstr(&b);
}

const char *
todos_add(struct todos *l, const struct todo_wish *w, struct buf *why)
{
	struct todo t, *p = NULL;
	size_t at = l->n, i;

	memset(&t, 0, sizeof(t));
	if (w->parent != NULL && (p = todos_find(l, w->parent)) == NULL) {
		todos_unknown(l, w->parent, why);
		return NULL;
	}
	if (p != NULL && p->parent != NULL) {
		buf_printf(why, "%s is a subtask and cannot have subtasks",
		    p->id);
		return NULL;
	}
	for (i = 0; w->depends != NULL && i < w->depends->n; i++)
		if (todos_find(l, w->depends->v[i]) == NULL) {
			todos_unknown(l, w->depends->v[i], why);
			return NULL;
		}
	t.text = tidy(w->text, why);
	if (t.text == NULL)
		return NULL;
	t.status = p != NULL && p->status == TODO_PROPOSED ? TODO_PROPOSED
							   : TODO_PENDING;
	if (p != NULL) {
		t.parent = xstrdup(p->id);
		at = (size_t)(p - l->v) + 1;
		while (at < l->n && todos_below(&l->v[at], p))
			at++;
	}
	t.id = new_id(l, t.parent);
	if (w->depends != NULL)
		set_depends(&t, w->depends);
	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof(*l->v));
	l->v[at] = t;
	l->n++;
	move(l, &l->v[at],
	    w->status < 0 ? t.status : (enum todo_status)w->status);
	return todos_settle(l, why) < 0 ? NULL : l->v[at].id;
}

int
todos_update(struct todos *l, const char *id, const struct todo_wish *w,
    struct buf *why)
{
	struct todo *t = todos_find(l, id);
	char *text;

	if (t == NULL)
		return todos_unknown(l, id, why);
	if (w->text != NULL) {
		text = tidy(w->text, why);
		if (text == NULL)
			return -1;
		free(t->text);
		t->text = text;
	}
	if (w->depends != NULL)
		set_depends(t, w->depends);
	if (w->status >= 0)
		move(l, t, (enum todo_status)w->status);
	return todos_settle(l, why);
}

/* Drop one and all mention of it. */
static void
drop(struct todos *l, size_t i)
{
	struct strs *d;
	size_t k;
	long at;

	for (k = 0; k < l->n; k++) {
		d = &l->v[k].depends;
		at = strs_find(d, l->v[i].id);
		if (at < 0)
			continue;
		strs_drop(d, (size_t)at);
	}
	free(l->v[i].id);
	free(l->v[i].text);
	free(l->v[i].parent);
	strs_free(&l->v[i].depends);
	memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1) * sizeof(*l->v));
	l->n--;
}

/* Drop all that status (-1: any) and parent (NULL: any) fit. */
static size_t
drop_all(struct todos *l, int status, const struct todo *of)
{
	size_t i = 0, n = 0;

	while (i < l->n)
		if ((status < 0 || (int)l->v[i].status == status)
		    && (of == NULL || todos_below(&l->v[i], of))) {
			drop(l, i);
			n++;
		} else {
			i++;
		}
	return n;
}

int
todos_remove(struct todos *l, const char *id, struct buf *why)
{
	struct todo *t = todos_find(l, id);
	size_t i;

	if (t == NULL)
		return todos_unknown(l, id, why);
	/* Subtasks come after it: its own place stays. */
	i = (size_t)(t - l->v);
	drop_all(l, -1, t);
	drop(l, i);
	return todos_settle(l, why);
}

size_t
todos_clear(struct todos *l, int all)
{
	size_t n = l->n;

	if (all) {
		todos_reset(l);
		return n;
	}
	return drop_all(l, TODO_DONE, NULL);
}

/* What it is a part of is accepted with it. */
static void
accept(struct todos *l, struct todo *t)
{
	struct todo *p = t->parent == NULL ? NULL : todos_find(l, t->parent);
	size_t i;

	if (p != NULL && p->status == TODO_PROPOSED)
		p->status = TODO_PENDING;
	for (i = 0; i < l->n; i++)
		if (todos_below(&l->v[i], t)
		    && l->v[i].status == TODO_PROPOSED)
			l->v[i].status = TODO_PENDING;
	t->status = TODO_PENDING;
}

/* The ids of the proposed ones, if none are named.  0, or -1 and why. */
static int
name_proposed(const struct todos *l, const struct strs *named,
    struct strs *ids, struct buf *why)
{
	const struct todo *t;
	size_t i;

	for (i = 0; i < named->n; i++) {
		t = todos_find(l, named->v[i]);
		if (t == NULL)
			return todos_unknown(l, named->v[i], why);
		if (t->status != TODO_PROPOSED) {
			buf_printf(why, "%s is not proposed, but %s", t->id,
			    todos_name(t->status));
			return -1;
		}
		strs_once(ids, t->id);
	}
	for (i = 0; named->n == 0 && i < l->n; i++)
		if (l->v[i].status == TODO_PROPOSED)
			strs_add(ids, l->v[i].id);
	if (ids->n == 0)
		buf_puts(why, "no todo is proposed");
	return ids->n > 0 ? 0 : -1;
}

int
todos_accept(struct todos *l, const struct strs *named, struct buf *why)
{
	struct strs ids = {NULL, 0, 0};
	size_t i;
	int r = name_proposed(l, named, &ids, why);

	for (i = 0; r == 0 && i < ids.n; i++)
		accept(l, todos_find(l, ids.v[i]));
	strs_free(&ids);
	return r < 0 ? r : todos_settle(l, why);
}

int
todos_deny(struct todos *l, const struct strs *named, struct buf *why)
{
	struct strs ids = {NULL, 0, 0};
	struct todo *t;
	size_t i;
	int r = name_proposed(l, named, &ids, why);

	/* What of it is done goes with it; a subtask may be gone by now. */
	for (i = 0; r == 0 && i < ids.n; i++) {
		t = todos_find(l, ids.v[i]);
		if (t == NULL)
			continue;
		drop_all(l, -1, t);
		drop(l, (size_t)(t - l->v));
	}
	strs_free(&ids);
	return r < 0 ? r : todos_settle(l, why);
}

int
todos_judge(const struct todos *l, const struct todos *old, struct buf *why)
{
	const struct todo *was;
	size_t i;

	for (i = 0; i < l->n; i++) {
		was = todos_find(old, l->v[i].id);
		if (was == NULL || was->status != TODO_PROPOSED
		    || l->v[i].status == TODO_PROPOSED)
			continue;
		buf_printf(why, "%s is proposed: only the user accepts it, "
		    "with /accept or 'turnpipe accept'; wait for that",
		    was->id);
		return -1;
	}
	return 0;
}

static struct todo *
parent(const struct todos *l, const struct todo *t)
{
	return t->parent == NULL ? NULL : todos_find(l, t->parent);
}

int
todos_below(const struct todo *t, const struct todo *of)
{
	return t->parent != NULL && strcmp(t->parent, of->id) == 0;
}

/* Append the ids of its open subtasks, commas between; how many. */
static size_t
list_open(struct buf *b, const struct todos *l, const struct todo *of)
{
	size_t i, n = 0;

	for (i = 0; i < l->n; i++)
		if (todos_below(&l->v[i], of) && l->v[i].status != TODO_DONE)
			buf_printf(b, "%s%s", n++ > 0 ? ", " : "", l->v[i].id);
	return n;
}

/* The same of the open ones that it depends on. */
static size_t
list_waits(struct buf *b, const struct todos *l, const struct todo *t)
{
	const struct todo *d;
	size_t i, n = 0;

	for (i = 0; i < t->depends.n; i++) {
		d = todos_find(l, t->depends.v[i]);
		if (d != NULL && d->status != TODO_DONE)
			buf_printf(b, "%s%s", n++ > 0 ? ", " : "", d->id);
	}
	return n;
}

int
todos_unknown(const struct todos *l, const char *id, struct buf *why)
{
	size_t i;

	buf_printf(why, "no todo '%s'", id);
	for (i = 0; i < l->n; i++)
		buf_printf(why, "%s%s", i > 0 ? ", " : ": the ids are ",
		    l->v[i].id);
	if (l->n == 0)
		buf_puts(why, ": the list is empty");
	return -1;
}

/* Do the rules hold for t?  0, or -1 and why. */
static int
check(const struct todos *l, const struct todo *t, struct buf *why)
{
	static struct buf ids;
	const struct todo *d, *p = parent(l, t);
	size_t i;

	buf_reset(&ids);
	for (i = 0; i < t->depends.n; i++) {
		d = todos_find(l, t->depends.v[i]);
		if (d == NULL)
			return todos_unknown(l, t->depends.v[i], why);
	}
	if (t->parent != NULL && p == NULL)
		return todos_unknown(l, t->parent, why);
	if (p != NULL && p->parent != NULL) {
		buf_printf(why, "%s is a subtask and cannot have subtasks",
		    p->id);
		return -1;
	}
	if (t->status == TODO_DONE && list_open(&ids, l, t) > 0) {
		buf_printf(why, "%s has open subtasks: %s", t->id,
		    buf_cstr(&ids));
		return -1;
	}
	if (t->status != TODO_ACTIVE)
		return 0;
	if (list_waits(&ids, l, t) > 0) {
		buf_printf(why, "%s cannot start: it waits for %s", t->id,
		    buf_cstr(&ids));
		return -1;
	}
	for (i = 0; i < l->n; i++) {
		d = &l->v[i];
		if (d != t && d->status == TODO_ACTIVE
		    && (p == NULL ? d->parent == NULL : todos_below(d, p))) {
			buf_printf(why,
			    "only one todo can be in progress: complete %s "
			    "or set it to pending before %s starts",
			    d < t ? d->id : t->id, d < t ? t->id : d->id);
			return -1;
		}
	}
	return 0;
}

/* What follows by itself for a todo and its subtasks. */
static void
derive_status(struct todos *l, struct todo *t)
{
	static struct buf ids;
	struct todo *d, *first = NULL;
	size_t i, open = 0, active = 0, subs = 0;

	for (i = 0; i < l->n; i++) {
		d = &l->v[i];
		if (!todos_below(d, t))
			continue;
		subs++;
		open += d->status != TODO_DONE;
		active += d->status == TODO_ACTIVE;
		buf_reset(&ids);
		if (first == NULL && d->status == TODO_PENDING
		    && list_waits(&ids, l, d) == 0)
			first = d;
	}
	if (subs == 0)
		return;
	if (open == 0)
		t->status = TODO_DONE;
	else if (t->status == TODO_ACTIVE && active == 0 && first != NULL)
		first->status = TODO_ACTIVE;
}

int
todos_settle(struct todos *l, struct buf *why)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->v[i].parent == NULL)
			derive_status(l, &l->v[i]);
	for (i = 0; i < l->n; i++)
		if (check(l, &l->v[i], why) < 0)
			return -1;
	return 0;
}
