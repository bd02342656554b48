#include "emit.h"
#include "question.h"
#include "record.h"

void
question_put(const struct buf *id, const char *model, const struct buf *text)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "request");
	if (id != NULL)
		emit_pairn(&b, "id", id->p, id->n);
	emit_pair(&b, "model", model);
	emit_key(&b, "messages");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "role", "user");
	emit_pairn(&b, "content", text->p, text->n);
	emit_close(&b, '}');
	emit_close(&b, ']');
	emit_close(&b, '}');
	record_put(&b);
	buf_puts(&b, "{\"type\":\"end\"}");
	record_put(&b);
}
