#include "json.h"
#include "origin.h"
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

/* Append text i of a message, or what of it is a person's own. */
static void
add(const struct json *j, int i, struct origins *at, int own)
{
	static struct buf said;
	size_t done, n;
	enum origin o;

	buf_reset(&said);
	json_str(j, i, &said);
	for (done = 0; (n = origin_next(at, said.n - done, &o)) > 0; done += n)
		if (!own || origin_isown(o))
			buf_add(&text, said.p + done, n);
}

static const struct buf *
read_text(int own)
{
	static struct json j;
	struct origins at;
	int i, k;

	buf_reset(&text);
	if (line.n == 0 || json_parse(&j, line.p, line.n) < 0)
		return &text;
	origin_begin(&at, &j);
	i = json_get(&j, 0, "content");
	if (json_kind(&j, i) != JSON_ARRAY)
		add(&j, i, &at, own);
	for (k = json_first(&j, i); k >= 0; k = json_next(&j, k)) {
		if (text.n > 0 && text.p[text.n - 1] != '\n')
			buf_putc(&text, '\n');
		add(&j, json_get(&j, k, "text"), &at, own);
	}
	return &text;
}

const struct buf *
usertext_text(void)
{
	return read_text(0);
}

const struct buf *
usertext_own(void)
{
	return read_text(1);
}

void
usertext_reset(void)
{
	buf_reset(&line);
}
