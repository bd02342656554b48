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

const char *
persona_find(struct buf *b, const char *prompt, const struct definition *self,
    const char **source)
{
	static struct buf own, rel, user, path;

	if (path_find(&user, "persona.md") == 0 && says(b, buf_cstr(&user))) {
		*source = buf_cstr(&user);
		return "identity";
	}
	buf_reset(&path);
	buf_span(&path, buf_view(&self->path));
	buf_reset(&rel);
	buf_puts(&rel, "agents/");
	buf_span(&rel, buf_view(&self->name));
	buf_puts(&rel, "/instructions.md");
	if (prompt != NULL && *prompt != '\0' && says(b, prompt)) {
		*source = prompt;
		return "custom-prompt";
	}
	if (!self->isfirst && path_find(&own, buf_cstr(&rel)) == 0
	    && says(b, buf_cstr(&own))) {
		*source = buf_cstr(&own);
		return "identity";
	}
	buf_reset(b);
	buf_span(b, buf_view(&self->prompt));
	*source = buf_cstr(&path);
	if (b->n == 0)
		return NULL;
	return self->isfirst ? "custom-prompt" : "identity";
}

void
persona_put(const char *prompt, const struct definition *self)
{
	static struct buf text;
	struct section s = {0};

	s.kind = persona_find(&text, prompt, self, &s.source);
	if (s.kind != NULL)
		section_put(&s, text.p, text.n);
}
