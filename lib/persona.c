#include "path.h"
#include "persona.h"
#include "prose.h"
#include "section.h"

void
persona_put(const char *name, const char *prompt, const struct agent *self)
{
	static struct buf path, rel, text;
	struct section s = {0};

	buf_reset(&text);
	buf_reset(&rel);
	s.kind = "identity";
	if (prompt != NULL) {
		s.kind = "custom-prompt";
		s.source = prompt;
		prose_file(&text, prompt);
	}
	buf_printf(&rel, "agents/%s/instructions.md", name);
	if (s.source == NULL && path_find(&path, buf_cstr(&rel)) == 0) {
		s.source = buf_cstr(&path);
		prose_file(&text, s.source);
	}
	if (s.source == NULL && self->body.n > 0) {
		s.source = self->path;
		buf_span(&text, self->body);
	}
	if (path_find(&path, "persona.md") == 0) {
		buf_reset(&text);
		s.kind = "identity";
		s.source = buf_cstr(&path);
		prose_file(&text, s.source);
	}
	if (text.n > 0)
		section_put(&s, text.p, text.n);
}
