#include <stdlib.h>
#include <string.h>

#include "todos.h"

enum { SEEN = 1, OPEN = 2 }; /* of a walk that looks for cycles */

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

/*
 * Walk what t can not be completed before: what it depends on, and its
 * subtasks.  A way back to where the walk is, is a cycle: its id, or NULL.
 */
static const char *
cycle(const struct todos *l, size_t i, unsigned char *state)
{
	const struct todo *t = &l->v[i], *d;
	const char *found;
	size_t k;
	int waits;

	if (state[i] == OPEN)
		return t->id;
	if (state[i] == SEEN)
		return NULL;
	state[i] = OPEN;
	for (k = 0; k < l->n; k++) {
		d = &l->v[k];
		waits = todos_below(d, t) || strs_find(&t->depends, d->id) >= 0;
		if (waits && (found = cycle(l, k, state)) != NULL)
			return found;
	}
	state[i] = SEEN;
	return NULL;
}

static int
check_one(const struct todos *l, const struct todo *t, struct buf *why)
{
	static struct buf ids;
	const struct todo *d, *p = parent(l, t);
	size_t i;

	buf_reset(&ids);
	for (i = 0; i < t->depends.n; i++) {
		d = todos_find(l, t->depends.v[i]);
		if (d == NULL)
			return todos_unknown(l, t->depends.v[i], why);
		if (todos_below(d, t)) {
			buf_printf(why, "%s is completed by its subtasks and "
			    "can not depend on %s", t->id, d->id);
			return -1;
		}
	}
	if (t->parent != NULL && p == NULL)
		return todos_unknown(l, t->parent, why);
	if (p != NULL && p->parent != NULL) {
		buf_printf(why, "%s is a subtask and can have none of its own",
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
		buf_printf(why, "%s can not start: it waits for %s", t->id,
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

/* Do the rules hold? */
static int
check(const struct todos *l, struct buf *why)
{
	unsigned char *state;
	const char *id = NULL;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (check_one(l, &l->v[i], why) < 0)
			return -1;
	state = xmalloc(l->n + 1);
	memset(state, 0, l->n + 1);
	for (i = 0; i < l->n && id == NULL; i++)
		id = cycle(l, i, state);
	free(state);
	if (id == NULL)
		return 0;
	buf_printf(why, "%s would wait for itself (a cycle)", id);
	return -1;
}

/* What follows by itself for a todo and its subtasks. */
static void
settle(struct todos *l, struct todo *t)
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
			settle(l, &l->v[i]);
	return check(l, why);
}
