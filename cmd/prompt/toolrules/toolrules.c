/*
 * toolrules [-c] [-P PROFILE]
 *
 * - Says only what the tools on offer call for: a rule about a tool that is
 *   not there would make the model look for it.
 * - Texts that depend on the message are apart from the others.
 * - The rules are files; adding one adds a rule, an empty one in front of it
 *   takes it away.
 */

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "env.h"
#include "fields.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "rule.h"
#include "section.h"
#include "settings.h"
#include "template.h"
#include "textfile.h"
#include "toolrec.h"
#include "usertext.h"

static const char usage[] =
    "usage: toolrules [-c] [-P profile]\n"
    "\n"
    "  -c, --catalogue      list the tools as text, too\n"
    "  -P, --profile NAME   the profile that rules may be made for\n";

static const struct option options[] = {
    {"catalogue", no_argument, NULL, 'c'},
    {"profile", required_argument, NULL, 'P'},
    {NULL, 0, NULL, 0},
};

enum { SAID_MAX = 16384 }; /* bytes that are looked at, of both ends */

/* What a tool says of itself. */
struct guidance {
	char *name;
	char *description; /* or NULL */
	char *text;	   /* how it is used, or NULL */
};

/* As the tools came. */
static struct guidance *guidances;
static size_t nguidances, capguidances;
static const struct guidance **tools; /* each name once, sorted */
static size_t ntools, captools;
static struct strs names; /* of those, as they came */
static struct fields state;
static const char *profile;
static int catalogue;

static char *
describe(const struct json *j)
{
	int i = json_get(j, 0, "description");

	if (i < 0)
		i = json_get(j, json_get(j, 0, "function"), "description");
	return json_dup(j, i);
}

static void
add_guidance(const struct rec *r)
{
	const struct json *j;
	struct guidance *g;

	j = record_json(r);
	grow(&guidances, &capguidances, nguidances, sizeof(*g));
	g = &guidances[nguidances++];
	g->name = toolrec_name(r, j);
	g->description = describe(j);
	g->text = json_dup(j, json_get(j, 0, "guidance"));
}

static int
compare(const void *a, const void *b)
{
	return strcmp((*(const struct guidance *const *)a)->name,
	    (*(const struct guidance *const *)b)->name);
}

/* The first tool of a name counts. */
static void
sort(void)
{
	size_t i;

	strs_reset(&names);
	ntools = 0;
	for (i = 0; i < nguidances; i++) {
		if (strs_find(&names, guidances[i].name) >= 0)
			continue;
		strs_add(&names, guidances[i].name);
		grow(&tools, &captools, ntools, sizeof(*tools));
		tools[ntools++] = &guidances[i];
	}
	if (ntools > 1)
		qsort(tools, ntools, sizeof(*tools), compare);
}

/* A line for each tool, as the template has it. */
static void
add_catalogue(struct buf *b)
{
	static struct buf item, line;
	struct hole holes[] = {{"name", {NULL, 0}},
	    {"description", {NULL, 0}}, {NULL, {NULL, 0}}};
	const struct guidance *g;
	size_t i;

	buf_reset(&item);
	if (textfile_read(&item, "prompts/tool-catalogue.md") < 0)
		return;
	for (i = 0; i < ntools; i++) {
		if (b->n > 0)
			buf_putc(b, '\n');
		g = tools[i];
		buf_reset(&line);
		if (g->description != NULL)
			textfile_line(&line, span_of(g->description));
		holes[0].value = span_of(g->name);
		holes[1].value = buf_view(&line);
		template_holes(b, item.p, item.n, holes);
	}
}

static void
add_guidances(struct buf *b)
{
	const char *text;
	size_t i, n;

	for (i = 0; i < ntools; i++) {
		text = tools[i]->text;
		if (text == NULL || *text == '\0')
			continue;
		n = strlen(text);
		while (n > 0 && text[n - 1] == '\n')
			n--;
		if (b->n > 0)
			buf_puts(b, "\n\n");
		buf_add(b, text, n);
	}
}

/* The first turn of a session that has no title yet. */
static int
first_turn(void)
{
	const struct json *j = fields_json(&state);
	int title = json_get(j, 0, "title");

	return fields_int(&state, "turn", 0) == 1
	    && (json_kind(j, title) != JSON_STRING || json_is(j, title, ""));
}

static void
section(struct buf *to, const char *kind, const char *what, struct buf *b)
{
	struct section s = {0};

	s.kind = kind;
	s.what = what;
	s.isvolatile = what != NULL;
	if (b->n > 0) {
		section_add(to, &s, b->p, b->n);
		buf_putc(to, '\n');
	}
	buf_reset(b);
}

/* What is said whatever the message is: the sections' records. */
static void
add_lasting(struct buf *to, const struct rule_facts *f)
{
	static struct buf b;

	if (catalogue)
		add_catalogue(&b);
	section(to, "tool-catalogue", NULL, &b);
	rule_say(&b, f, 0);
	section(to, "tool-guidelines", NULL, &b);
	add_guidances(&b);
	section(to, "tool-usage", NULL, &b);
}

static void
put_sections(void)
{
	static struct buf b, own;
	static struct keyword_text said;
	const struct buf *heard = usertext_text();
	struct rule_facts f = {&names, profile, &said, first_turn()};

	keyword_text(&said, heard->p, heard->n, SAID_MAX);
	sort();
	buf_reset(&own);
	add_lasting(&own, &f);
	/* Apart from what all messages hear, which a provider's cache keeps. */
	rule_say(&b, &f, 1);
	section(&own, "tool-guidelines", "message", &b);
	out_add(own.p, own.n);
}

static void
forget(void)
{
	while (nguidances > 0) {
		free(guidances[--nguidances].name);
		free(guidances[nguidances].description);
		free(guidances[nguidances].text);
	}
	fields_reset(&state);
	usertext_reset();
}

int
main(int argc, char **argv)
{
	struct rec r;
	int c, on;

	prog = "toolrules";
	opt_set = settings_set;
	record_filter(1);
	profile = env_get("TURNPIPE_PROFILE");
	while ((c = opt_next(argc, argv, "cP:", options, usage)) != -1)
		switch (c) {
		case 'c': catalogue = 1; break;
		case 'P': profile = optarg; break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
	on = settings_enabled("toolrules");
	if (profile == NULL || *profile == '\0')
		profile = "default";
	/* Before there is input: the commands in front work meanwhile. */
	if (on)
		rule_load();
	while (record_next(&r)) {
		if (on && rule_bysaid())
			usertext_take(&r);
		if (r.type == REC_TOOL && on)
			add_guidance(&r);
		else if (r.type == REC_STATE)
			fields_merge(&state, record_json(&r));
		else if (r.type == REC_END && on)
			put_sections();
		record_pass(&r);
		if (r.type == REC_END)
			forget();
	}
	return record_close();
}
