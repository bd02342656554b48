#include <stdlib.h>

#include "diag.h"
#include "emit.h"
#include "record.h"
#include "session.h"
#include "settings.h"
#include "unasked.h"

/*
 * The id of a call that was not run, and what it called; of an agent that is
 * the call that gave it its task.
 */
static int
find(const struct rec *r, char **id, char **name)
{
	const struct json *j = record_json(r);

	if (r->type == REC_MESSAGE
	    && json_true(j, json_at(j, 0, "tp.unasked"))) {
		*id = json_dup(j, json_get(j, 0, "tool_call_id"));
		*name = json_dup(j, json_get(j, 0, "name"));
	} else if (r->type == REC_MARK
	    && json_true(j, json_get(j, 0, "unasked"))) {
		*id = json_dup(j, json_get(j, 0, "call"));
		*name = json_dup(j, json_get(j, 0, "agent"));
	}
	return *id != NULL && *name != NULL;
}

int
unasked_put(struct tail *t)
{
	static struct strs ids, names;
	static struct buf b, why;
	struct rec r;
	size_t i;

	while (session_prev(t, &r)) {
		char *id = NULL, *name = NULL;

		if (r.type == REC_MESSAGE && span_is(r.role, "user"))
			break;
		if (find(&r, &id, &name)) {
			strs_add(&ids, id);
			strs_add(&names, name);
		}
		free(id);
		free(name);
	}
	if (ids.n == 0 || settings_bool("ok_denied"))
		return 0;
	buf_puts(&why, "not allowed, and no user was asked: ");
	for (i = ids.n; i-- > 0;)
		buf_printf(&why, "%s (%s)%s", names.v[i], ids.v[i],
		    i > 0 ? ", " : "");
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", "turnpipe");
	emit_pairi(&b, "code", EX_NOPERM);
	emit_pairn(&b, "message", why.p, why.n);
	emit_key(&b, "calls");
	emit_open(&b, '[');
	for (i = ids.n; i-- > 0;)
		emit_cstr(&b, ids.v[i]);
	emit_close(&b, ']');
	emit_close(&b, '}');
	record_put(&b);
	prog = "turnpipe"; /* whose status it is */
	warn("%s", buf_cstr(&why));
	return 1;
}
