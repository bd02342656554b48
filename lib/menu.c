#include <string.h>

#include "menu.h"

static void
escape(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		switch (*s) {
		case '<': buf_puts(b, "&lt;"); break;
		case '>': buf_puts(b, "&gt;"); break;
		case '&': buf_puts(b, "&amp;"); break;
		default: buf_putc(b, *s);
		}
}

/* One line of text, whatever the YAML had. */
static void
line(struct buf *b, const char *s)
{
	size_t start = b->n;

	for (; *s != '\0'; s++) {
		if (strchr(" \t\r\n", *s) == NULL)
			buf_putc(b, *s);
		else if (b->n > start && b->p[b->n - 1] != ' ')
			buf_putc(b, ' ');
	}
	while (b->n > start && b->p[b->n - 1] == ' ')
		b->n--;
}

void
menu_item(struct buf *b, const struct skillset_item *it, int xml)
{
	static struct buf text;

	buf_reset(&text);
	line(&text, it->description);
	if (!xml) {
		buf_printf(b, "- **%s**: %s\n", it->name, buf_cstr(&text));
		return;
	}
	buf_puts(b, "<skill>\n<name>");
	escape(b, it->name);
	buf_puts(b, "</name>\n<description>");
	escape(b, buf_cstr(&text));
	buf_puts(b, "</description>\n<location>");
	escape(b, it->dir);
	buf_puts(b, "/SKILL.md</location>\n</skill>\n");
}
