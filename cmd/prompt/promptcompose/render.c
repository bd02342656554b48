#include <string.h>

#include "markup.h"
#include "render.h"
#include "template.h"
#include "textfile.h"

struct source {
	struct span content;
	const struct json *json;
	const char *id;
};

static void
what(struct buf *b, const char *id)
{
	size_t n = layout_kind(id);

	if (id[n] == ':')
		buf_puts(b, id + n + 1);
}

/* Append a field of the record; 0 if it has none. */
static int
field(struct buf *b, const struct source *s, const char *name, size_t n)
{
	static struct buf key;
	size_t start = b->n;
	int i = -1;

	buf_reset(&key);
	buf_add(&key, name, n);
	if (s->json != NULL)
		i = json_get(s->json, 0, buf_cstr(&key));
	if (json_str(s->json, i, b) < 0 && json_kind(s->json, i) == JSON_NUMBER)
		buf_span(b, json_span(s->json, i));
	/* A section that has no title is called what its id says. */
	else if (i < 0 && (strcmp(buf_cstr(&key), "what") == 0
	    || strcmp(key.p, "title") == 0))
		what(b, s->id);
	return b->n > start;
}

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	static struct buf value;
	const struct source *s = arg;

	if (span_is((struct span){name, n}, "content")) {
		buf_span(b, s->content);
		return 1;
	}
	buf_reset(&value);
	if (field(&value, s, name, n))
		textfile_name(b, buf_view(&value));
	return 1;
}

static void
attribute(struct buf *b, const struct source *s, const char *attr)
{
	static struct buf value;
	size_t n = strcspn(attr, "=");
	const char *f = attr[n] == '=' ? attr + n + 1 : attr;

	buf_reset(&value);
	if (!field(&value, s, f, strlen(f)))
		return;
	buf_putc(b, ' ');
	buf_add(b, attr, n);
	buf_puts(b, "=\"");
	markup_attr(b, value.p, value.n);
	buf_putc(b, '"');
}

void
render(struct buf *b, const struct place *p, struct span content,
    const struct json *j, const char *id)
{
	static struct buf inner, tag;
	struct source s = {content, j, id};

	buf_reset(&inner);
	if (p->heading != NULL && *p->heading != '\0') {
		template_expand(&inner, p->heading, strlen(p->heading), fill, &s);
		buf_putc(&inner, '\n');
	}
	if (p->wrap != NULL)
		template_expand(&inner, p->wrap, strlen(p->wrap), fill, &s);
	else
		buf_span(&inner, content);
	if (p->tag == NULL || *p->tag == '\0') {
		buf_span(b, buf_view(&inner));
		return;
	}
	buf_reset(&tag);
	markup_element(&tag, p->tag, buf_view(&inner));
	buf_putc(b, '<');
	buf_span(b, buf_view(&tag));
	if (p->attr != NULL)
		attribute(b, &s, p->attr);
	buf_puts(b, ">\n");
	buf_span(b, buf_view(&inner));
	if (inner.n > 0)
		buf_putc(b, '\n');
	buf_puts(b, "</");
	buf_span(b, buf_view(&tag));
	buf_putc(b, '>');
}
