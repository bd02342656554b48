#include "path.h"
#include "persona.h"
#include "section.h"
#include "textfile.h"

/* Does the file say anything?  What it says is in b then. */
static int
says(struct buf *b, const char *path)
{
	buf_reset(b);
	textfile_load(b, path);
	return span_trim(buf_view(b)).n > 0;
}

void
persona_put(const char *name, const char *prompt, const struct agent *self)
{
	static struct buf own, rel, text, user, over;
	struct section s = {0};

	buf_reset(&rel);
	buf_printf(&rel, "agents/%s/instructions.md", name);
	s.kind = "identity";
	if (prompt != NULL && *prompt != '\0' && says(&text, prompt)) {
		s.kind = "custom-prompt";
		s.source = prompt;
	} else if (path_find(&own, buf_cstr(&rel)) == 0
	    && says(&text, buf_cstr(&own))) {
		s.source = own.p;
	} else {
		buf_reset(&text);
		buf_span(&text, self->body);
		s.source = self->path;
	}
	if (path_find(&user, "persona.md") == 0
	    && says(&over, buf_cstr(&user))) {
		s.kind = "identity";
		s.source = user.p;
		section_put(&s, over.p, over.n);
	} else if (text.n > 0) {
		section_put(&s, text.p, text.n);
	}
}
