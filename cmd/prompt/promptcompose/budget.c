#include <stdlib.h>
#include <string.h>

#include "budget.h"

const char *const phase_names[PHASE_N + 1] = {
    "constraint", "task", "memory", "tools", "history", "user", NULL};

int
phase_find(const char *name, size_t n)
{
	int i;

	for (i = 0; i < PHASE_N; i++)
		if (strlen(phase_names[i]) == n
		    && memcmp(phase_names[i], name, n) == 0)
			return i;
	return PHASE_TASK;
}

static int
by_phase(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	if (a->sticky != b->sticky)
		return a->sticky ? -1 : 1;
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return strcmp(a->id, b->id);
}

static int
by_score(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static int
by_order(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	return a->order < b->order ? -1 : a->order > b->order;
}

size_t
budget_ivy(struct part *v, size_t n, size_t max)
{
	size_t i, sum = 0;
	int any = 0;

	if (n > 1)
		qsort(v, n, sizeof(*v), by_phase);
	for (i = 0; i < n; i++) {
		v[i].kept = v[i].sticky || !any || sum + v[i].tokens <= max;
		if (v[i].kept) {
			sum += v[i].tokens;
			any = 1;
		}
	}
	return sum;
}

static size_t
cost(const struct part *p, const size_t *groups)
{
	return p->tokens + (p->group < 0 ? 0 : groups[p->group]);
}

static size_t
keep(struct part *p, size_t *groups)
{
	size_t c = cost(p, groups);

	p->kept = 1;
	if (p->group >= 0)
		groups[p->group] = 0;
	return c;
}

/* Admit what fits into both max and, of one reserve, its share. */
static size_t
keep_fitting(struct part *v, size_t n, size_t max, int reserve, size_t share,
    size_t *groups)
{
	size_t c, i, sum = 0;

	for (i = 0; i < n; i++) {
		if (v[i].kept || (reserve >= 0 && v[i].reserve != reserve))
			continue;
		c = cost(&v[i], groups);
		if (c <= max - sum && c <= share - sum)
			sum += keep(&v[i], groups);
	}
	return sum;
}

size_t
budget_reserve(struct part *v, size_t n, size_t max, const size_t *reserves,
    size_t nreserves, size_t *groups)
{
	size_t i, sum = 0;

	if (n > 1)
		qsort(v, n, sizeof(*v), by_score);
	for (i = 0; i < n; i++) {
		v[i].kept = 0;
		if (v[i].sticky)
			sum += keep(&v[i], groups);
	}
	for (i = 0; i < nreserves && sum < max; i++)
		if (reserves[i] > 0)
			sum += keep_fitting(v, n, max - sum, (int)i, reserves[i],
			    groups);
	if (sum < max)
		sum += keep_fitting(v, n, max - sum, -1, max - sum, groups);
	if (n > 1)
		qsort(v, n, sizeof(*v), by_order);
	return sum;
}
