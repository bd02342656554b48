#include <stdlib.h>
#include <string.h>

#include "recent.h"

/* Is this key, quotes and all, in a record?  In a string its quotes are \". */
static int
has_key(const struct rec *r, const char *key)
{
	const char *p = r->s, *end = r->s + r->n;
	size_t n = strlen(key);

	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		if ((size_t)(end - p) >= n && memcmp(p, key, n) == 0)
			return 1;
		p++;
	}
	return 0;
}

static void
note_call(struct recent *r, char *name)
{
	if (name == NULL)
		return;
	grow(&r->v, &r->cap, r->n, sizeof(*r->v));
	r->v[r->n].name = name;
	r->v[r->n++].turn = r->turn;
}

void
recent_note(struct recent *r, const struct rec *message)
{
	const struct json *j;
	int k;

	if (span_is(message->role, "assistant")) {
		/* Most of a talk is neither: not worth its tokens. */
		if (!has_key(message, "\"tool_calls\""))
			return;
		j = record_json(message);
		for (k = json_first(j, json_get(j, 0, "tool_calls")); k >= 0;
		    k = json_next(j, k))
			note_call(r,
			    json_dup(j, json_at(j, k, "function.name")));
	} else if (span_is(message->role, "tool")) {
		if (!has_key(message, "\"loaded\""))
			return;
		j = record_json(message);
		(void)json_strs(j, json_at(j, 0, "tp.loaded"), &r->loaded);
	} else if (span_is(message->role, "user")) {
		/* A skill's text in the form of one is of the same turn. */
		if (has_key(message, "\"skill\"")) {
			j = record_json(message);
			if (json_at(j, 0, "tp.skill") >= 0)
				return;
		}
		r->turn++;
		strs_reset(&r->loaded);
	}
}

void
recent_tools(
    const struct recent *r, long long turns, size_t max, struct strs *l)
{
	size_t i, k, n = l->n;

	for (i = r->n; i-- > 0;) {
		if ((long long)(r->turn - r->v[i].turn) >= turns
		    || (max > 0 && l->n - n == max))
			return;
		for (k = n; k < l->n; k++)
			if (strcmp(l->v[k], r->v[i].name) == 0)
				break;
		if (k == l->n)
			strs_add(l, r->v[i].name);
	}
}

void
recent_reset(struct recent *r)
{
	while (r->n > 0)
		free(r->v[--r->n].name);
	r->turn = 0;
	strs_reset(&r->loaded);
}
