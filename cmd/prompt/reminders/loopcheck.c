#include <stdlib.h>
#include <string.h>

#include "loopcheck.h"

struct call {
	char *name;
	struct span hash;
	int empty;
};

static struct call *calls;
static size_t ncalls, capcalls;

static void
read_calls(const struct json *j, int i)
{
	struct call *c;

	while (ncalls > 0)
		free(calls[--ncalls].name);
	for (i = json_first(j, i); i >= 0; i = json_next(j, i)) {
		grow(&calls, &capcalls, ncalls, sizeof(*calls));
		c = &calls[ncalls];
		c->name = json_dup(j, json_get(j, i, "name"));
		if (c->name == NULL)
			continue;
		c->hash = json_span(j, json_get(j, i, "hash"));
		c->empty = json_true(j, json_get(j, i, "empty"));
		ncalls++;
	}
}

static int
same(size_t a, size_t b)
{
	return strcmp(calls[a].name, calls[b].name) == 0
	    && calls[a].hash.n > 0 && span_same(calls[a].hash, calls[b].hash);
}

/* Where the circle that call i could be in has its beginning. */
static size_t
origin(size_t from, size_t i)
{
	size_t k;

	for (k = i; k >= from + 3; k--)
		if (!same(k - 1, k - 2) && !same(k - 2, k - 3)
		    && !same(k - 1, k - 3))
			return k;
	return from;
}

static long long
times(size_t from, size_t i, loopcheck_changes *changes)
{
	long long n = 1;
	size_t k;

	for (k = i; k > origin(from, i); k--)
		if (same(k - 1, i))
			n++;
		else if (changes(calls[k - 1].name))
			break;
	return n;
}

void
loopcheck_find(struct loopcheck *s, const struct json *j, int i, size_t turn,
    size_t step, loopcheck_changes *changes)
{
	size_t first, from, k;
	long long n;

	free(s->tool);
	s->tool = NULL;
	s->repeated = s->empty = 0;
	strs_reset(&s->step);
	read_calls(j, i);
	from = turn < ncalls ? ncalls - turn : 0;
	first = step < ncalls - from ? ncalls - step : from;
	for (k = first; k < ncalls; k++) {
		strs_add(&s->step, calls[k].name);
		n = times(from, k, changes);
		if (n < s->repeated)
			continue;
		s->repeated = n;
		free(s->tool);
		s->tool = xstrdup(calls[k].name);
	}
	for (k = ncalls; k > from && calls[k - 1].empty
	     && !changes(calls[k - 1].name); k--)
		s->empty++;
}
