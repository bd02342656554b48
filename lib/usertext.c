#include "json.h"
#include "usertext.h"

static struct buf line, text;

void
usertext_take(const struct rec *r)
{
	if (r->type != REC_MESSAGE || !span_is(r->role, "user"))
		return;
	if (record_has(r, "skill")
	    && json_at(record_json(r), 0, "tp.skill") >= 0)
		return;
	buf_reset(&line);
	buf_add(&line, r->s, r->n);
}

const struct buf *
usertext_text(void)
{
	static struct json j;
	int i, k;

	buf_reset(&text);
	if (line.n == 0 || json_parse(&j, line.p, line.n) < 0)
		return &text;
	i = json_get(&j, 0, "content");
	if (json_str(&j, i, &text) == 0 || json_kind(&j, i) != JSON_ARRAY)
		return &text;
	for (k = json_first(&j, i); k >= 0; k = json_next(&j, k)) {
		if (text.n > 0 && text.p[text.n - 1] != '\n')
			buf_putc(&text, '\n');
		json_str(&j, json_get(&j, k, "text"), &text);
	}
	return &text;
}

void
usertext_reset(void)
{
	buf_reset(&line);
}
