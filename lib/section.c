#include "emit.h"
#include "file.h"
#include "record.h"
#include "section.h"

void
section_add(
    struct buf *b, const struct section *s, const char *content, size_t n)
{
	static struct buf id;

	buf_reset(&id);
	buf_puts(&id, s->kind);
	if (s->what != NULL) {
		buf_putc(&id, ':');
		buf_puts(&id, s->what);
	}
	file_note("section", buf_cstr(&id));
	emit_open(b, '{');
	emit_pair(b, "type", "section");
	emit_pairn(b, "id", id.p, id.n);
	emit_pair(b, "title", s->title);
	emit_pair(b, "source", s->source);
	if (s->isvolatile)
		emit_pairb(b, "volatile", 1);
	emit_pairn(b, "content", content, n);
	emit_close(b, '}');
}

void
section_put(const struct section *s, const char *content, size_t n)
{
	static struct buf b;

	section_add(&b, s, content, n);
	record_put(&b);
}
