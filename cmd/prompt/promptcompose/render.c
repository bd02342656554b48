#include <string.h>

#include "markup.h"
#include "render.h"
#include "template.h"

struct source {
	const struct layout *layout;
	const struct place *place;
	struct span content;
	const struct json *json;
	const char *id;
	int done; /* the content is rendered already */
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
	struct span v = s->content;
	int iscontent = n == 7 && memcmp(name, "content", 7) == 0;

	if (iscontent && (s->done || (s->json != NULL
	    && json_true(s->json, json_get(s->json, 0, "escaped"))))) {
		buf_span(b, v);
		return 1;
	}
	if (!iscontent) {
		buf_reset(&value);
		field(&value, s, name, n);
		v.p = value.p;
		v.n = value.n;
	}
	if (v.n > 0)
		markup_text(b, v.p, v.n, &s->layout->tags, s->place->tag);
	return 1;
}

static void
attribute(struct buf *b, const struct source *s, const char *attr)
{
	static struct buf name, value;
	size_t n = strcspn(attr, "=");
	const char *f = attr[n] == '=' ? attr + n + 1 : attr;

	buf_reset(&value);
	if (!field(&value, s, f, strlen(f)))
		return;
	buf_reset(&name);
	buf_add(&name, attr, n);
	markup_attr(b, buf_cstr(&name), value.p, value.n);
}

static void
dress(struct buf *b, struct source *s)
{
	const struct place *p = s->place;
	int tagged = p->tag != NULL && *p->tag != '\0';

	if (tagged) {
		buf_putc(b, '<');
		buf_puts(b, p->tag);
		if (p->attr != NULL)
			attribute(b, s, p->attr);
		buf_puts(b, ">\n");
	}
	if (p->heading != NULL && *p->heading != '\0') {
		template_expand(b, p->heading, strlen(p->heading), fill, s);
		buf_putc(b, '\n');
	}
	if (p->wrap != NULL)
		template_expand(b, p->wrap, strlen(p->wrap), fill, s);
	else
		fill(b, "content", 7, s);
	if (tagged) {
		buf_puts(b, "\n</");
		buf_puts(b, p->tag);
		buf_putc(b, '>');
	}
}

void
render(struct buf *b, const struct layout *l, const struct place *p,
    struct span content, const struct json *j, const char *id)
{
	struct source s = {l, p, content, j, id, 0};

	dress(b, &s);
}

void
render_round(struct buf *b, const struct layout *l, const struct place *p,
    struct span content)
{
	struct source s = {l, p, content, NULL, "", 1};

	dress(b, &s);
}
