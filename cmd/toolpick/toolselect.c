#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "match.h"
#include "toolselect.h"

void
toolselect_add(struct toolselect *c, char *name, struct span s, double score)
{
	struct toolselect_tool *t;

	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	t = &c->v[c->n++];
	memset(t, 0, sizeof(*t));
	t->name = name;
	t->at = c->text.n;
	t->n = s.n;
	t->score = score;
	t->allowed = t->on = 1;
	buf_span(&c->text, s);
}

static void
out(const struct toolselect *c, struct toolselect_tool *t, const char *why,
    const char *what)
{
	if (t->on && c->verbose)
		warn("%s left out: %s%s", t->name, why, what);
	t->on = 0;
}

void
toolselect_deny(struct toolselect *c, const struct strs *deny)
{
	const char *pattern;
	size_t i;

	for (i = 0; i < c->n; i++) {
		pattern = match_any(deny, c->v[i].name);
		if (pattern == NULL)
			continue;
		c->v[i].allowed = 0;
		out(c, &c->v[i], "denied by ", pattern);
	}
}

void
toolselect_allow(struct toolselect *c, const struct strs *allow)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (match_any(allow, c->v[i].name) == NULL) {
			c->v[i].allowed = 0;
			out(c, &c->v[i], "not allowed", "");
		}
}

void
toolselect_rank(struct toolselect *c, const struct strs *patterns,
    enum toolselect_rank rank)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].rank < rank
		    && match_any(patterns, c->v[i].name) != NULL)
			c->v[i].rank = rank;
}

void
toolselect_called(struct toolselect *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].rank == TOOLSELECT_PLAIN)
			out(c, &c->v[i], "no route leads to it", "");
}

static int
compare(const void *a, const void *b)
{
	const struct toolselect_tool *x = *(struct toolselect_tool *const *)a;
	const struct toolselect_tool *y = *(struct toolselect_tool *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	if (x->score < y->score || x->score > y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->name, y->name);
}

void
toolselect_cap(struct toolselect *c, size_t max)
{
	static struct toolselect_tool **order;
	static size_t cap;
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		if (c->v[i].on) {
			grow(&order, &cap, n, sizeof(struct toolselect_tool *));
			order[n++] = &c->v[i];
		}
	if (n > 1)
		qsort(order, n, sizeof(struct toolselect_tool *), compare);
	for (i = max; i < n; i++)
		if (order[i]->rank != TOOLSELECT_CORE)
			out(c, order[i], "over the cap", "");
}

long
toolselect_force(struct toolselect *c, const char *pattern, int require)
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
		t->on = 1;
		t->required |= require;
		found++;
	}
	return found == 0 && refused ? -1 : found;
}

double
toolselect_best(const struct toolselect *c)
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
	while (c->n > 0)
		free(c->v[--c->n].name);
	buf_reset(&c->text);
}
