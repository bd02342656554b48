#include <string.h>

#include "markup.h"
#include "menu.h"
#include "template.h"
#include "textfile.h"
#include "utf8.h"

struct item {
	const struct menu *menu;
	const struct skillset_item *it;
};

int
menu_load(struct menu *m)
{
	static struct buf rel;

	buf_reset(&rel);
	buf_printf(&rel, "prompts/skills-%s.md", m->form);
	buf_reset(&m->item);
	return textfile_read(&m->item, buf_cstr(&rel));
}

int
menu_has(const struct menu *m, const struct skillset_item *it)
{
	return !it->hidden && !it->off
	    && (!skillset_isplaybook(it)
		|| (it->aside ? m->playbooks : m->keyworded));
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	const struct item *i = arg;
	struct span h = {hole, n};
	size_t len, start = b->n;

	if (span_is(h, "name")) {
		buf_puts(b, i->it->name);
	} else if (span_is(h, "description")) {
		len = strlen(i->it->description);
		buf_add(b, i->it->description,
		    utf8_cut(i->it->description, len, i->menu->description));
		if (b->n - start < len)
			buf_puts(b, "...");
	} else if (span_is(h, "dir")) {
		textfile_name(b, span_of(i->it->dir));
	} else if (span_is(h, "path")) {
		textfile_name(b, span_of(i->it->dir));
		buf_putc(b, '/');
		textfile_name(b, span_of(i->it->file));
	} else {
		return 0;
	}
	return 1;
}

size_t
menu_put(const struct menu *m, struct buf *b, const struct skillset *s)
{
	static struct buf text, one, count;
	struct hole holes[] = {{"count", {NULL, 0}}, {NULL, {NULL, 0}}};
	struct item item = {m, NULL};
	size_t i, left = 0, start = b->n, first;

	if (m->intro && textfile_read(b, "prompts/skills.md") == 0)
		buf_puts(b, "\n\n");
	first = b->n;
	for (i = 0; i < s->n; i++) {
		if (!menu_has(m, &s->v[i]))
			continue;
		buf_reset(&one);
		item.it = &s->v[i];
		if (left == 0)
			markup_expand(
			    &one, m->item.p, m->item.n, fill, &item);
		if (left > 0 || b->n - first + one.n > m->max) {
			left++;
			continue;
		}
		if (b->n > first)
			buf_putc(b, '\n');
		buf_add(b, one.p, one.n);
	}
	if (b->n == first) {
		b->n = start;
	} else if (left > 0) {
		buf_reset(&text);
		if (textfile_read(&text, "prompts/skills-more.md") == 0) {
			buf_putc(b, '\n');
			buf_reset(&count);
			buf_printf(&count, "%zu", left);
			holes[0].value = buf_view(&count);
			template_holes(b, text.p, text.n, holes);
		}
	}
	return left;
}
