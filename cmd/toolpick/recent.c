#include <stdlib.h>

#include "recent.h"

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
recent_note(struct recent *r, const struct json *j)
{
	int k;

	for (k = json_first(j, json_get(j, 0, "tool_calls")); k >= 0;
	    k = json_next(j, k))
		note_call(r, json_dup(j, json_at(j, k, "function.name")));
	if (json_is(j, json_get(j, 0, "role"), "user"))
		r->turn++;
}

void
recent_tools(const struct recent *r, long long turns, struct strs *l)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if ((long long)(r->turn - r->v[i].turn) < turns)
			strs_add(l, r->v[i].name);
}

void
recent_reset(struct recent *r)
{
	while (r->n > 0)
		free(r->v[--r->n].name);
	r->turn = 0;
}
