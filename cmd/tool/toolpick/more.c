#include <string.h>

#include "diag.h"
#include "emit.h"
#include "more.h"
#include "record.h"
#include "section.h"
#include "template.h"
#include "textfile.h"
#include "token.h"
#include "utf8.h"

enum {
	LINES = 80,   /* tools that are named in the section */
	SENTENCE = 96 /* bytes of what a tool does */
};

static struct strs names; /* of those left out */
static struct buf all, item, left, loader;
static int loaded, usable;

/* What the model reads of it: files of share/, any of which may be off. */
static void
load(void)
{
	if (!loaded)
		usable = textfile_read(&all, "prompts/tools-more.md") == 0
		    && textfile_read(&item, "prompts/tool-catalogue.md") == 0
		    && textfile_read(&loader, "prompts/load_tools.json") == 0;
	(void)(loaded || textfile_read(&left, "prompts/tools-left.md"));
	loaded = 1;
}

/* Tokens of what a provider gets of a tool. */
static size_t
cost(const struct toolselect *c, const struct toolselect_tool *t)
{
	static const char *const sent[] = {"name", "description",
	    "parameters"};
	static struct json j;
	struct span s;
	size_t i, n = 0;
	int f;

	/* It came through the gate once, so this does not fail. */
	(void)json_parse(&j, c->text.p + t->at, t->n);
	f = json_get(&j, 0, "function");
	for (i = 0; i < sizeof(sent) / sizeof(*sent); i++) {
		s = json_span(&j, json_get(&j, f < 0 ? 0 : f, sent[i]));
		n += s.n == 0 ? 0 : token_count(s.p, s.n);
	}
	return n;
}

size_t
more_fit(struct toolselect *c, double room)
{
	struct toolselect_tool **v;
	double used = 0, most = 0;
	size_t i, n, k, tokens;

	strs_reset(&names);
	v = toolselect_order(c, &n);
	/* A token has a byte at least: few tools need no count. */
	for (i = 0; i < n; i++)
		most += (double)v[i]->n;
	if (most <= room)
		return 0;
	for (i = 0; i < n; i++)
		used += (double)cost(c, v[i]);
	if (used <= room)
		return 0;
	load();
	if (!usable)
		return 0;
	used = 0;
	for (k = 0; k < 2; k++)
		for (i = 0; i < n; i++) {
			if (k != (v[i]->rank != TOOLSELECT_CORE && !v[i]->kept))
				continue;
			tokens = cost(c, v[i]);
			if (k == 1 && used + (double)tokens > room)
				toolselect_drop(c, v[i],
				    "over the share of the window, named "
				    "in tools-more");
			else
				used += (double)tokens;
		}
	for (i = 0; i < n; i++)
		if (!v[i]->on)
			strs_add(&names, v[i]->name);
	return names.n;
}

/* The first sentence of a description, on one line. */
static void
sentence(struct buf *b, const struct toolselect *c,
    const struct toolselect_tool *t)
{
	static struct json j;
	static struct buf raw;
	struct span s;
	size_t i, start = b->n, n;
	int f;

	(void)json_parse(&j, c->text.p + t->at, t->n);
	f = json_get(&j, 0, "function");
	buf_reset(&raw);
	(void)json_str(&j, json_get(&j, f < 0 ? 0 : f, "description"), &raw);
	s = span_trim(buf_view(&raw));
	for (i = 0; i + 1 < s.n; i++)
		if (s.p[i] == '.' && (s.p[i + 1] == ' ' || s.p[i + 1] == '\n'))
			break;
	textfile_line(b, (struct span){s.p, i + 1 < s.n ? i + 1 : s.n});
	n = utf8_cut(b->p + start, b->n - start, SENTENCE);
	if (n < b->n - start) {
		b->n = start + n;
		buf_puts(b, "...");
	}
}

static void
put_section(const struct toolselect *c)
{
	static struct buf list, text, one;
	struct hole tool[] = {{"name", {0}}, {"description", {0}}, {0}};
	struct hole count[] = {{"count", {0}}, {0}};
	struct hole tools[] = {{"tools", {0}}, {0}};
	struct section s = {0};
	size_t i;

	buf_reset(&list);
	for (i = 0; i < names.n && i < LINES; i++) {
		buf_reset(&one);
		sentence(&one, c, toolselect_find(c, names.v[i]));
		tool[0].value = span_of(names.v[i]);
		tool[1].value = buf_view(&one);
		buf_puts(&list, i > 0 ? "\n" : "");
		template_holes(&list, item.p, item.n, tool);
	}
	if (i < names.n && left.n > 0) {
		buf_reset(&one);
		buf_printf(&one, "%zu", names.n - i);
		count[0].value = buf_view(&one);
		buf_putc(&list, '\n');
		template_holes(&list, left.p, left.n, count);
	}
	buf_reset(&text);
	tools[0].value = buf_view(&list);
	template_holes(&text, all.p, all.n, tools);
	s.kind = "tools-more";
	section_put(&s, text.p, text.n);
}

void
more_put(const struct toolselect *c)
{
	static struct json j;
	static struct buf b;
	int k;

	if (json_parse(&j, loader.p, loader.n) < 0)
		die(EX_CONFIG, "prompts/load_tools.json: %s", j.why);
	if (json_kind(&j, 0) != JSON_OBJECT)
		die(EX_CONFIG, "prompts/load_tools.json: expected an object");
	emit_open(&b, '{');
	emit_pair(&b, "type", "tool");
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k)) {
		emit_keyj(&b, json_span(&j, k));
		emit_compact(&b, json_span(&j, k + 1));
	}
	emit_pairb(&b, "readonly", 1);
	emit_key(&b, "run");
	emit_open(&b, '{');
	emit_strs(&b, "load", &names);
	emit_close(&b, '}');
	emit_close(&b, '}');
	record_put(&b);
	put_section(c);
}
