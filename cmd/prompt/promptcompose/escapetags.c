#include <string.h>

#include "emit.h"
#include "escapetags.h"
#include "markup.h"
#include "origin.h"

/* Who wrote the next text of a message; of a tool's result never the user. */
struct writer {
	struct origins at;
	int isuser;
};

/*
 * Append the string i if a tag is in it that it may not have: 1, else 0.
 */
static int
disarm(struct buf *b, const struct json *j, int i, const struct strs *tags,
    struct writer *w)
{
	static struct buf said, text;
	enum origin o;
	size_t at = 0, n;

	buf_reset(&said);
	buf_reset(&text);
	if (json_str(j, i, &said) < 0 || said.n == 0)
		return 0;
	for (; at < said.n; at += n) {
		n = said.n - at;
		o = ORIGIN_UNKNOWN;
		if (w->isuser)
			n = origin_next(&w->at, n, &o);
		if (o == ORIGIN_TYPED)
			buf_add(&text, said.p + at, n);
		else
			markup_text(&text, said.p + at, n, tags);
	}
	if (text.n == said.n)
		return 0;
	emit_str(b, text.p, text.n);
	return 1;
}

/* The same of part i of a content, by its text. */
static int
disarm_part(struct buf *b, const struct json *j, int i,
    const struct strs *tags, struct writer *w)
{
	static struct buf text;

	buf_reset(&text);
	if (!disarm(&text, j, json_get(j, i, "text"), tags, w))
		return 0;
	emit_object(b, j, i, "text", buf_view(&text));
	return 1;
}

int
escapetags_may(const struct rec *r, struct span content,
    const struct strs *tags)
{
	return tags != NULL && tags->n > 0 && content.n > 0
	    && (span_is(r->role, "user") || span_is(r->role, "tool"))
	    && markup_may(content.p, content.n, tags, r->hasu);
}

int
escapetags_content(struct buf *b, const struct json *j, const struct strs *tags)
{
	int i = json_get(j, 0, "content"), k, found = 0;
	struct writer w = {.isuser = json_is(j, json_get(j, 0, "role"), "user")};

	buf_reset(b);
	origin_begin(&w.at, j);
	if (json_kind(j, i) != JSON_ARRAY)
		return disarm(b, j, i, tags, &w);
	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (disarm_part(b, j, k, tags, &w))
			found = 1;
		else
			emit_span(b, json_span(j, k));
	emit_close(b, ']');
	return found;
}
