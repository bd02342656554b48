#include "emit.h"
#include "mishap.h"

/* Do events met now belong to a call that has not succeeded since? */
static int
unsettled(struct mishap *m, const struct chat *c)
{
	const struct chat_msg *msg;

	for (; m->looked < c->n; m->looked++) {
		msg = &c->v[m->looked];
		m->settled |= msg->role != CHAT_ASSISTANT
		    || !(msg->partial || (msg->empty && msg->ncalls == 0));
	}
	return !m->settled;
}

void
mishap_take(struct mishap *m, const struct rec *r, const struct chat *c)
{
	const struct json *j = record_json(r);

	if (r->type == REC_MARK && json_is(j, json_get(j, 0, "what"), "retry"))
		m->retries += unsettled(m, c);
	else if (r->type == REC_ERROR && m->error.p == NULL && unsettled(m, c))
		m->error = json_span(j, 0);
}

void
mishap_put(struct buf *b, const struct mishap *m)
{
	if (m->retries > 0)
		emit_pairi(b, "retries", m->retries);
	if (m->error.p != NULL)
		emit_pairj(b, "error", m->error);
}
