#include <string.h>

#include "agent.h"
#include "emit.h"
#include "file.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "roster.h"
#include "section.h"
#include "template.h"
#include "textfile.h"
#include "utf8.h"

static struct buf form;

int
roster_form(const char *name)
{
	static struct buf rel;

	buf_reset(&form);
	buf_reset(&rel);
	if (name == NULL)
		buf_puts(&rel, "prompts/agents.md");
	else
		buf_printf(&rel, "prompts/agents-%s.md", name);
	return textfile_read(&form, buf_cstr(&rel));
}

/* The file's name without ".md". */
static void
base(struct buf *b, const char *path)
{
	buf_reset(b);
	buf_puts(b, file_name(path));
	b->n -= strlen(".md");
}

static void
put_record(const struct agent *a, const char *name)
{
	static struct buf b;
	const struct json *j = &a->front.yml.json;

	emit_open(&b, '{');
	emit_pair(&b, "type", "agent");
	emit_pair(&b, "name", name);
	emit_pairj(&b, "description",
	    json_span(j, json_get(j, 0, "description")));
	emit_close(&b, '}');
	record_put(&b);
}

/* Does a name or an address of mail, as in "ann@bob.org", go on at p? */
static int
goes_on(const char *p, size_t n)
{
	uint32_t cp;

	return utf8_get(p, n, &cp) > 0 && (utf8_isword(cp) || cp == '-');
}

static int
begins(const char *text, size_t at)
{
	size_t i = at;

	while (i > 0 && ((unsigned char)text[--i] & 0xc0) == 0x80)
		;
	return at == 0 || (text[i] != '.' && !goes_on(text + i, at - i));
}

/* Is "@name" said in the text? */
static int
is_mentioned(const struct buf *text, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i + n < text->n; i++)
		if (text->p[i] == '@'
		    && memcmp(text->p + i + 1, name, n) == 0
		    && begins(text->p, i)
		    && !goes_on(text->p + i + 1 + n, text->n - i - 1 - n))
			return 1;
	return 0;
}

void
roster_put(const struct strs *paths, const struct buf *message,
    struct strs *named)
{
	static const struct section s = {"agents", NULL, NULL, NULL, 0};
	static struct agent a;
	static struct buf name, description, line, list;
	const struct json *j = &a.front.yml.json;
	struct hole holes[] = {{"name", {NULL, 0}},
	    {"description", {NULL, 0}}, {NULL, {NULL, 0}}};
	size_t i;

	buf_reset(&list);
	for (i = 0; i < paths->n && agent_read(&a, paths->v[i]) == 0; i++) {
		buf_reset(&description);
		base(&name, a.path);
		put_record(&a, buf_cstr(&name));
		json_str(j, json_get(j, 0, "description"), &description);
		buf_reset(&line);
		textfile_line(&line, buf_view(&description));
		holes[0].value = buf_view(&name);
		holes[1].value = buf_view(&line);
		if (list.n > 0)
			buf_putc(&list, '\n');
		template_holes(&list, form.p, form.n, holes);
		if (is_mentioned(message, name.p))
			strs_add(named, name.p);
	}
	if (form.n > 0 && list.n > 0)
		section_put(&s, list.p, list.n);
}

void
roster_list(void)
{
	static struct strs all;
	static struct buf name;
	size_t i;

	path_list(&all, "agents", ".md");
	for (i = 0; i < all.n; i++) {
		base(&name, all.v[i]);
		buf_putc(&name, '\n');
		out_add(name.p, name.n);
	}
	out_end();
}
