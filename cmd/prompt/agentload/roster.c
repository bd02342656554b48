#include <string.h>

#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "match.h"
#include "out.h"
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

static void
add_record(struct buf *b, const struct definition *d)
{
	const struct json *j = &d->json;

	emit_open(b, '{');
	emit_pair(b, "type", "agent");
	emit_pairn(b, "name", d->name.p, d->name.n);
	emit_pairj(b, "description",
	    json_span(j, json_get(j, 0, "description")));
	emit_close(b, '}');
	buf_putc(b, '\n');
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

static void
text_of(const struct definition *d, const char *key, const char *before,
    struct buf *b)
{
	static struct buf raw;
	const struct json *j = &d->json;

	buf_reset(b);
	buf_reset(&raw);
	if (json_str(j, json_get(j, 0, key), &raw) < 0)
		return;
	buf_puts(b, before);
	textfile_line(b, span_trim(buf_view(&raw)));
}

static void
put_agent(const struct definition *d, struct buf *records, struct buf *list)
{
	static struct buf description, usage;
	struct hole holes[] = {{"name", buf_view(&d->name)},
	    {"description", {NULL, 0}}, {"usage", {NULL, 0}},
	    {NULL, {NULL, 0}}};

	add_record(records, d);
	text_of(d, "description", "", &description);
	text_of(d, "usage_guidelines", " ", &usage);
	holes[1].value = buf_view(&description);
	holes[2].value = buf_view(&usage);
	if (list->n > 0)
		buf_putc(list, '\n');
	template_holes(list, form.p, form.n, holes);
}

/*
 * The records and the section of the agents with a description that self may
 * give work to, and their names.
 */
static void
make(const struct definition *self, struct buf *b, struct strs *l)
{
	static const struct section s = {.kind = "agents"};
	static struct definition d;
	static struct buf list;
	const struct json *j = &self->json;
	struct strs all = { 0 }, globs = { 0 };
	size_t i;

	(void)json_strs(j, json_get(j, 0, "agents"), &globs);
	if (globs.n > 0)
		definition_names(&all);
	for (i = 0; i < all.n; i++) {
		if (match_any(&globs, all.v[i]) == NULL
		    || span_is(buf_view(&self->name), all.v[i]))
			continue;
		if (definition_find(&d, all.v[i], 0) == DEFINITION_BAD) {
			warn("%s", buf_cstr(&d.why));
		} else if (json_get(&d.json, 0, "description") >= 0) {
			strs_add(l, all.v[i]);
			put_agent(&d, b, &list);
		}
	}
	strs_free(&all);
	strs_free(&globs);
	if (form.n > 0 && list.n > 0) {
		section_add(b, &s, list.p, list.n);
		buf_putc(b, '\n');
	}
}

void
roster_put(const struct definition *self, const struct buf *message,
    struct strs *named)
{
	static struct strs names;
	static struct buf made;
	static int looked;
	size_t i;

	if (!looked)
		make(self, &made, &names);
	looked = 1;
	out_add(made.p, made.n);
	for (i = 0; i < names.n; i++)
		if (is_mentioned(message, names.v[i]))
			strs_add(named, names.v[i]);
}

void
roster_list(void)
{
	static struct strs all;
	static struct buf line;
	size_t i;

	definition_names(&all);
	for (i = 0; i < all.n; i++) {
		buf_reset(&line);
		buf_printf(&line, "%s\n", all.v[i]);
		out_add(line.p, line.n);
	}
	out_end();
}
