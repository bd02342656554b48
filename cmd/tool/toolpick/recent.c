#include <stdlib.h>
#include <string.h>

#include "match.h"
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

/* The list of a result, if it has one. */
static void
note_only(struct recent *r, const struct json *j, int i)
{
	if (i < 0)
		return;
	(void)json_strs(j, i, &r->only);
	strs_add(&r->only, "");
}

void
recent_note(struct recent *r, const struct rec *message)
{
	static struct json calls;
	const struct json *j;
	struct span s;
	int k;

	if (span_is(message->role, "assistant")) {
		strs_reset(&r->only);
		/* Not worth the tokens of the whole message. */
		s = record_member(message, "tool_calls");
		if (s.p == NULL || json_parse(&calls, s.p, s.n) < 0)
			return;
		for (k = json_first(&calls, 0); k >= 0;
		    k = json_next(&calls, k))
			note_call(r, json_dup(&calls,
			    json_at(&calls, k, "function.name")));
	} else if (span_is(message->role, "tool")) {
		if (!record_has(message, "loaded")
		    && !record_has(message, "parts")
		    && !record_has(message, "tools"))
			return;
		j = record_json(message);
		note_only(r, j, json_at(j, 0, "tp.tools"));
		(void)json_strs(j, json_at(j, 0, "tp.loaded"), &r->loaded);
		/* What a batch has called. */
		for (k = json_first(j, json_at(j, 0, "tp.parts")); k >= 0;
		    k = json_next(j, k)) {
			note_call(r, json_dup(j, json_get(j, k, "name")));
			note_only(r, j, json_get(j, k, "tools"));
		}
	} else if (span_is(message->role, "user")) {
		/* A skill's text in the form of one is of the same turn. */
		if (record_has(message, "skill")) {
			j = record_json(message);
			if (json_at(j, 0, "tp.skill") >= 0)
				return;
		}
		r->turn++;
		strs_reset(&r->loaded);
		strs_reset(&r->only);
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

int
recent_bars(const struct recent *r, const char *name, struct buf *b)
{
	size_t i;
	int fits = 0;

	buf_reset(b);
	for (i = 0; i < r->only.n; i++) {
		if (*r->only.v[i] != '\0') {
			fits |= match_name(r->only.v[i], name);
			buf_printf(b, "%s%s", b->n > 0 ? ", " : "",
			    r->only.v[i]);
			continue;
		}
		if (!fits) {
			buf_puts(b, b->n == 0 ? "(none)" : "");
			return 1;
		}
		fits = 0;
		buf_reset(b);
	}
	return 0;
}

void
recent_reset(struct recent *r)
{
	while (r->n > 0)
		free(r->v[--r->n].name);
	r->turn = 0;
	strs_reset(&r->loaded);
	strs_reset(&r->only);
}
