#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "match.h"
#include "toolselect.h"

/* Where a name is, or belongs. */
static size_t *
slot_of(const struct toolselect *c, const char *name)
{
	size_t i = hash_bytes(name, strlen(name)) & (c->slots - 1);

	while (c->slot[i] != 0 && strcmp(c->v[c->slot[i] - 1].name, name) != 0)
		i = (i + 1) & (c->slots - 1);
	return &c->slot[i];
}

struct toolselect_tool *
toolselect_find(const struct toolselect *c, const char *name)
{
	size_t i = c->n == 0 ? 0 : *slot_of(c, name);

	return i == 0 ? NULL : &c->v[i - 1];
}

static void
fill_slots(struct toolselect *c)
{
	size_t i;

	if (c->slots > 0)
		memset(c->slot, 0, c->slots * sizeof(*c->slot));
	for (i = 0; i < c->n; i++)
		*slot_of(c, c->v[i].name) = i + 1;
}

struct toolselect_tool *
toolselect_add(struct toolselect *c, char *name, struct span s)
{
	struct toolselect_tool *t;

	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	t = &c->v[c->n++];
	memset(t, 0, sizeof(*t));
	t->allowed = t->on = 1;
	t->name = name;
	t->at = c->text.n;
	t->n = s.n;
	buf_span(&c->text, s);
	if (2 * c->n > c->slots) {
		c->slots = c->slots == 0 ? 64 : 2 * c->slots;
		free(c->slot);
		c->slot = xreallocarray(NULL, c->slots, sizeof(*c->slot));
		fill_slots(c);
	} else {
		*slot_of(c, name) = c->n;
	}
	return t;
}

/* The reason for what was done to a tool last: "why what". */
static void
note(const struct toolselect *c, struct toolselect_tool *t,
    const char *why, const char *what)
{
	struct buf b = {0};

	if (!c->verbose)
		return;
	free(t->why);
	buf_puts(&b, why);
	buf_puts(&b, *what != '\0' ? " " : "");
	buf_puts(&b, what);
	t->why = xstrdup(buf_cstr(&b));
	buf_free(&b);
}

static void
leave_out(const struct toolselect *c, struct toolselect_tool *t,
    const char *why, const char *what)
{
	if (t->on)
		note(c, t, why, what);
	t->on = 0;
}

void
toolselect_drop(struct toolselect *c, struct toolselect_tool *t, const char *why)
{
	leave_out(c, t, why, "");
}

void
toolselect_forbid(struct toolselect *c, struct toolselect_tool *t, const char *why)
{
	t->allowed = 0;
	leave_out(c, t, why, "");
}

static void
deny_names(struct toolselect *c, const struct strs *deny, int isown)
{
	const struct toolselect_tool *t;
	const char *pattern;
	size_t i;

	for (i = 0; i < c->n; i++) {
		t = &c->v[i];
		pattern = match_any(deny, t->name + (isown ? t->own : 0));
		if (pattern == NULL)
			continue;
		c->v[i].allowed = 0;
		leave_out(c, &c->v[i], "denied by", pattern);
	}
}

void
toolselect_deny(struct toolselect *c, const struct strs *deny)
{
	deny_names(c, deny, 0);
}

void
toolselect_hide(struct toolselect *c, const struct strs *hidden)
{
	deny_names(c, hidden, 1);
}

void
toolselect_allow(struct toolselect *c, const struct strs *allow)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (match_any(allow, c->v[i].name) == NULL) {
			c->v[i].allowed = 0;
			leave_out(c, &c->v[i], "not allowed", "");
		}
}

void
toolselect_rank(struct toolselect *c, const struct strs *patterns,
    const char *why, const struct strs *by, enum toolselect_rank rank)
{
	size_t i, k;

	for (i = 0; i < c->n; i++) {
		if (c->v[i].rank >= rank)
			continue;
		for (k = 0; k < patterns->n; k++)
			if (match_name(patterns->v[k], c->v[i].name))
				break;
		if (k == patterns->n)
			continue;
		c->v[i].rank = rank;
		if (c->v[i].on)
			note(c, &c->v[i], why, by != NULL ? by->v[k] : "");
	}
}

void
toolselect_ask(struct toolselect *c, const struct strs *asked,
    const struct strs *routed, const struct strs *by)
{
	const char *found;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (c->v[i].rank != TOOLSELECT_PLAIN
		    || match_any(asked, c->v[i].name) == NULL)
			continue;
		found = match_any(routed, c->v[i].name);
		if (found == NULL)
			leave_out(c, &c->v[i], "the user did not ask for it",
			    "");
		else if (c->v[i].on)
			note(c, &c->v[i], "asked for: route",
			    by->v[strs_find(routed, found)]);
	}
}

void
toolselect_called(struct toolselect *c, const char *why)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].rank == TOOLSELECT_PLAIN)
			leave_out(c, &c->v[i], why, "");
}

static int
compare_score(const void *a, const void *b)
{
	const struct toolselect_tool *x = *(struct toolselect_tool *const *)a;
	const struct toolselect_tool *y = *(struct toolselect_tool *const *)b;

	if (x->score < y->score || x->score > y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int
compare(const void *a, const void *b)
{
	const struct toolselect_tool *x = *(struct toolselect_tool *const *)a;
	const struct toolselect_tool *y = *(struct toolselect_tool *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return compare_score(a, b);
}

static struct toolselect_tool **
sorted(struct toolselect *c, size_t *n,
    int (*order)(const void *, const void *))
{
	static struct toolselect_tool **v;
	static size_t cap;
	size_t i;

	*n = 0;
	for (i = 0; i < c->n; i++)
		if (c->v[i].on) {
			grow(&v, &cap, *n, sizeof(struct toolselect_tool *));
			v[(*n)++] = &c->v[i];
		}
	if (*n > 1)
		qsort(v, *n, sizeof(struct toolselect_tool *), order);
	return v;
}

struct toolselect_tool **
toolselect_order(struct toolselect *c, size_t *n)
{
	return sorted(c, n, compare);
}

size_t
toolselect_best(struct toolselect *c, size_t best, double least, size_t top)
{
	struct toolselect_tool **v, *t;
	size_t i, n, picked = 0;

	v = sorted(c, &n, compare_score);
	for (i = 0; i < n && (top == 0 || picked < top); i++) {
		t = v[i];
		if (t->rank == TOOLSELECT_CORE)
			continue;
		/* A score of 0 has nothing in common with the message. */
		if (!(t->score > 0)
		    || (picked >= best && !(least > 0 && t->score >= least)))
			break;
		if (t->rank < TOOLSELECT_CALLED) {
			t->rank = TOOLSELECT_CALLED;
			note(c, t, picked < best ? "among the best"
						 : "scores enough", "");
		}
		picked++;
	}
	return picked;
}

void
toolselect_cap(struct toolselect *c, size_t max)
{
	struct toolselect_tool **v;
	size_t i, n;

	v = toolselect_order(c, &n);
	for (i = max; i < n; i++)
		if (v[i]->rank != TOOLSELECT_CORE)
			leave_out(c, v[i], "over the cap", "");
}

long
toolselect_force(
    struct toolselect *c, const char *pattern, int require, const char *why)
{
	struct toolselect_tool *t;
	long found = 0;
	int refused = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		t = &c->v[i];
		if (!match_name(pattern, t->name))
			continue;
		if (!t->allowed) {
			refused = 1;
			continue;
		}
		if (!t->on || require)
			note(c, t, why, "");
		t->on = t->kept = 1;
		t->required |= require;
		found++;
	}
	return found == 0 && refused ? -1 : found;
}

double
toolselect_top(const struct toolselect *c)
{
	double best = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].on && c->v[i].score > best)
			best = c->v[i].score;
	return best;
}

void
toolselect_reset(struct toolselect *c)
{
	for (; c->n > 0; c->n--) {
		free(c->v[c->n - 1].name);
		free(c->v[c->n - 1].starts);
		free(c->v[c->n - 1].why);
	}
	fill_slots(c);
	buf_reset(&c->text);
	buf_reset(&c->words);
}
