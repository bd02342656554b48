#include <string.h>

#include "cond.h"

static int weigh(
    const struct json *j, int i, cond_leaf *leaf, void *arg, int *bad);

/*
 * How many elements of the list at i hold, of *n; -1 for a fault.  *sum,
 * unless it is NULL, gets what they weigh.
 */
static int
tally(const struct json *j, int i, cond_leaf *leaf, void *arg, int *n,
    long long *sum, int *bad)
{
	int list = json_kind(j, i) == JSON_ARRAY;
	int k, r, holds = 0;

	*n = 0;
	for (k = list ? json_first(j, i) : i; k >= 0;
	    k = list ? json_next(j, k) : -1) {
		r = weigh(j, k, leaf, arg, bad);
		if (r < 0)
			return -1;
		holds += r > 0;
		if (sum != NULL)
			*sum += r;
		++*n;
	}
	return holds;
}

static int
count(const struct json *j, int i, cond_leaf *leaf, void *arg, int *bad)
{
	long long min = 1, max = -1, sum = 0;
	int k, n;

	*bad = i;
	if (json_kind(j, i) != JSON_OBJECT || json_get(j, i, "of") < 0)
		return -1;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		*bad = k;
		if (json_is(j, k, "min") && json_int(j, k + 1, &min) == 0)
			continue;
		if (json_is(j, k, "max") && json_int(j, k + 1, &max) == 0)
			continue;
		if (!json_is(j, k, "of"))
			return -1;
	}
	if (tally(j, json_get(j, i, "of"), leaf, arg, &n, &sum, bad) < 0)
		return -1;
	return sum >= min && (max < 0 || sum <= max);
}

static int
mapping(const struct json *j, int i, cond_leaf *leaf, void *arg, int *bad)
{
	int k, n, r, holds = 1;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "count")) {
			r = count(j, k + 1, leaf, arg, bad);
			if (r == 0)
				holds = 0;
		} else if (json_is(j, k, "all")) {
			r = tally(j, k + 1, leaf, arg, &n, NULL, bad);
			if (r != n)
				holds = 0;
		} else if (json_is(j, k, "any")) {
			r = tally(j, k + 1, leaf, arg, &n, NULL, bad);
			if (r == 0)
				holds = 0;
		} else if (json_is(j, k, "none")) {
			r = tally(j, k + 1, leaf, arg, &n, NULL, bad);
			if (r > 0)
				holds = 0;
		} else {
			*bad = k;
			r = -1;
		}
		if (r < 0)
			return -1;
	}
	return holds;
}

/* What a condition adds to a count: a leaf as much as it says, others 1. */
static int
weigh(const struct json *j, int i, cond_leaf *leaf, void *arg, int *bad)
{
	static struct buf text;
	int n, r;

	switch (json_kind(j, i)) {
	case JSON_NONE:
	case JSON_NULL:
		return 1;
	case JSON_STRING:
		buf_reset(&text);
		(void)json_str(j, i, &text);
		r = strlen(buf_cstr(&text)) != text.n ? -1 : leaf(text.p, arg);
		break;
	case JSON_ARRAY:
		r = tally(j, i, leaf, arg, &n, NULL, bad);
		return r < 0 ? -1 : r == n;
	case JSON_OBJECT:
		return mapping(j, i, leaf, arg, bad);
	default:
		r = -1;
	}
	if (r < 0)
		*bad = i;
	return r;
}

int
cond_holds(
    const struct json *j, int i, cond_leaf *leaf, void *arg, int *bad)
{
	int r = weigh(j, i, leaf, arg, bad);

	return r < 0 ? -1 : r > 0;
}
