#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "diag.h"
#include "match.h"

void
choice_add(struct choice *c, char *name, struct span s, double score)
{
	struct choice_tool *t;

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
out(const struct choice *c, struct choice_tool *t, const char *why,
    const char *what)
{
	if (t->on && c->verbose)
		warn("%s left out: %s%s", t->name, why, what);
	t->on = 0;
}

void
choice_deny(struct choice *c, const struct strs *deny)
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
choice_allow(struct choice *c, const struct strs *allow)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (match_any(allow, c->v[i].name) == NULL) {
			c->v[i].allowed = 0;
			out(c, &c->v[i], "not allowed", "");
		}
}

void
choice_rank(
    struct choice *c, const struct strs *patterns, enum choice_rank rank)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].rank < rank
		    && match_any(patterns, c->v[i].name) != NULL)
			c->v[i].rank = rank;
}

void
choice_called(struct choice *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].rank == CHOICE_PLAIN)
			out(c, &c->v[i], "no route leads to it", "");
}

static int
compare(const void *a, const void *b)
{
	const struct choice_tool *x = *(struct choice_tool *const *)a;
	const struct choice_tool *y = *(struct choice_tool *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	if (x->score < y->score || x->score > y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->name, y->name);
}

void
choice_cap(struct choice *c, size_t max)
{
	static struct choice_tool **order;
	static size_t cap;
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		if (c->v[i].on) {
			grow(&order, &cap, n, sizeof(struct choice_tool *));
			order[n++] = &c->v[i];
		}
	if (n > 1)
		qsort(order, n, sizeof(struct choice_tool *), compare);
	for (i = max; i < n; i++)
		if (order[i]->rank != CHOICE_CORE)
			out(c, order[i], "over the cap", "");
}

long
choice_force(struct choice *c, const char *pattern, int require)
{
	struct choice_tool *t;
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
choice_best(const struct choice *c)
{
	double best = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].on && c->v[i].score > best)
			best = c->v[i].score;
	return best;
}

void
choice_reset(struct choice *c)
{
	while (c->n > 0)
		free(c->v[--c->n].name);
	buf_reset(&c->text);
}
