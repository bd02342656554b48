#include <string.h>

#include "emit.h"
#include "escapetags.h"
#include "markup.h"
#include "settings.h"

/* Append the string i if a tag is in it that it may not have: 1, else 0. */
static int
disarm(struct buf *b, const struct json *j, int i, const struct strs *tags)
{
	static struct buf said, text;
	struct span raw = json_span(j, i);

	if (raw.n == 0 || !markup_may(raw.p, raw.n, tags, 1))
		return 0;
	buf_reset(&said);
	buf_reset(&text);
	if (json_str(j, i, &said) < 0 || said.n == 0)
		return 0;
	markup_text(&text, said.p, said.n, tags, NULL);
	if (text.n == said.n)
		return 0;
	emit_str(b, text.p, text.n);
	return 1;
}

/* The same of part i of a content, by its text. */
static int
disarm_part(struct buf *b, const struct json *j, int i,
    const struct strs *tags)
{
	static struct buf text;

	buf_reset(&text);
	if (!disarm(&text, j, json_get(j, i, "text"), tags))
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
	int role = json_get(j, 0, "role");

	buf_reset(b);
	if (tags == NULL || tags->n == 0
	    || (!json_is(j, role, "user") && !json_is(j, role, "tool")))
		return 0;
	if (json_kind(j, i) != JSON_ARRAY)
		return disarm(b, j, i, tags);
	emit_open(b, '[');
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (disarm_part(b, j, k, tags))
			found = 1;
		else
			emit_span(b, json_span(j, k));
	emit_close(b, ']');
	return found;
}

void
escapetags_tags(struct strs *tags, const struct layout *l)
{
	size_t i;

	settings_strs("toolrun.escape_tags", tags);
	if (l->trailing.tag != NULL)
		strs_add(tags, l->trailing.tag);
	for (i = 0; i < l->n; i++)
		if (l->v[i].where == WHERE_MESSAGE && l->v[i].tag != NULL)
			strs_add(tags, l->v[i].tag);
}
