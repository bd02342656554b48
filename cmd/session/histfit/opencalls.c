#include <stdlib.h>

#include "opencalls.h"
#include "out.h"
#include "record.h"
#include "session.h"

static struct span *lines;
static size_t nlines, cap;
static struct strs results;

static int
is_mark(const struct rec *r, const struct json *j)
{
	return r->type == REC_MARK
	    && json_is(j, json_get(j, 0, "what"), "deferred");
}

/* Take a record, the last one first; 0 once the answer was taken. */
static int
take_record(const struct rec *r, int *open)
{
	const struct json *j = record_json(r);
	int mark = is_mark(r, j);
	char *id = NULL;

	if (r->type != REC_MESSAGE && !mark)
		return 1;
	if (span_is(r->role, "user"))
		*open = 0;
	if (!mark && !span_is(r->role, "tool")
	    && !span_is(r->role, "assistant"))
		return 0;
	grow(&lines, &cap, nlines, sizeof(*lines));
	lines[nlines++] = (struct span){r->s, r->n};
	if (mark)
		id = json_dup(j, json_get(j, 0, "id"));
	else if (span_is(r->role, "tool"))
		id = json_dup(j, json_get(j, 0, "tool_call_id"));
	if (mark)
		*open |= id != NULL && strs_find(&results, id) < 0;
	else if (id != NULL)
		strs_add(&results, id);
	free(id);
	return !span_is(r->role, "assistant");
}

int
opencalls_put(struct tail *tail)
{
	static struct buf end;
	struct rec r;
	int open = 0, more = 1;

	while (more && session_prev(tail, &r))
		more = take_record(&r, &open);
	if (more || !open)
		return 0;
	while (record_next(&r))
		if (r.type == REC_TOOL)
			record_pass(&r);
	for (; nlines > 0; nlines--) {
		out_add(lines[nlines - 1].p, lines[nlines - 1].n);
		out_add("\n", 1);
	}
	buf_puts(&end, "{\"type\":\"end\"}");
	record_put(&end);
	return 1;
}
