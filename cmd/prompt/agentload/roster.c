#include <string.h>

#include "definition.h"
#include "diag.h"
#include "emit.h"
#include "match.h"
#include "out.h"
#include "ring.h"
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

/* Does it say what it is for, and may self know of it? */
static int
is_offered(const struct definition *d, const struct definition *self)
{
	static struct buf name;
	const struct json *j = &d->json;
	struct strs from = { 0 };
	int is = json_get(j, 0, "description") >= 0
	    && !json_is(j, json_get(j, 0, "mode"), "primary")
	    && !json_true(j, json_get(j, 0, "hidden"));

	buf_reset(&name);
	buf_span(&name, buf_view(&self->name));
	if (json_strs(j, json_get(j, 0, "visible_from_agents"), &from) == 0)
		is = is && match_any(&from, buf_cstr(&name)) != NULL;
	strs_free(&from);
	return is;
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
	int r;

	buf_reset(&list);
	(void)json_strs(j, json_get(j, 0, "agents"), &globs);
	if (globs.n > 0)
		definition_names(&all);
	for (i = 0; i < all.n; i++) {
		if (match_any(&globs, all.v[i]) == NULL
		    || span_is(buf_view(&self->name), all.v[i]))
			continue;
		r = definition_find(&d, all.v[i], 0);
		if (r == DEFINITION_BAD) {
			warn("%s", buf_cstr(&d.why));
		} else if (r == 0 && is_offered(&d, self)) {
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

	/* In a ring each conversation has an agent of its own. */
	if (!looked || ring_isset()) {
		buf_reset(&made);
		strs_reset(&names);
		make(self, &made, &names);
	}
	looked = 1;
	out_add(made.p, made.n);
	for (i = 0; i < names.n; i++)
		if (is_mentioned(message, names.v[i]))
			strs_add(named, names.v[i]);
}

/* What a user wants to know of it, as a record. */
static void
add_facts(struct buf *b, const struct definition *d)
{
	static const char *const keys[] = {"description", "model", "tools",
	    "tools_deny", "mode"};
	const struct json *j = &d->json;
	size_t i;
	int k;

	emit_open(b, '{');
	emit_pairn(b, "name", d->name.p, d->name.n);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		k = json_get(j, 0, keys[i]);
		if (k >= 0)
			emit_pairj(b, keys[i], json_span(j, k));
	}
	emit_pairn(b, "path", d->path.p, d->path.n);
	emit_close(b, '}');
}

void
roster_list(int facts)
{
	static struct strs all;
	static struct definition d;
	static struct buf line;
	size_t i;
	int r;

	definition_names(&all);
	for (i = 0; i < all.n; i++) {
		buf_reset(&line);
		r = definition_find(&d, all.v[i], 0);
		if (r == DEFINITION_BAD)
			warn("%s", buf_cstr(&d.why));
		if (r < 0)
			continue;
		if (facts)
			add_facts(&line, &d);
		else
			buf_puts(&line, all.v[i]);
		buf_putc(&line, '\n');
		out_add(line.p, line.n);
	}
	out_end();
}
