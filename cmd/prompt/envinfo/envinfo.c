/*
 * envinfo [-j text] [-s list]
 *
 * - A filter that adds sections on where the agent works: one per template
 *   of prompts/env/ that the settings name, without label or tag, since the
 *   layout has them.
 * - What a template says with a hole that changes from turn to turn is a
 *   volatile section; they are not listed here.
 * - What was found out stays for the life of the process; only the clock is
 *   read again for each conversation.
 * - All is found out before the input is looked at: the pipe fills meanwhile.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "envvalue.h"
#include "file.h"
#include "opt.h"
#include "path.h"
#include "record.h"
#include "ring.h"
#include "section.h"
#include "settings.h"
#include "template.h"

static const char usage[] =
    "usage: envinfo [-j text] [-s list]\n"
    "\n"
    "  -j, --joiner TEXT    between the names of a list\n"
    "  -s, --sections LIST  KIND or KIND=FORM, commas between\n";

static const struct option options[] = {
    {"joiner", required_argument, NULL, 'j'},
    {"sections", required_argument, NULL, 's'},
    {NULL, 0, NULL, 0},
};

enum { TEMPLATE_MAX = 65536 };

struct part {
	char *kind;
	char *file;
	struct buf text;    /* the template */
	struct buf content; /* what it came to */
	struct envvalue_use use;
};

static struct envvalue_spec spec;
static struct part *parts;
static size_t nparts, capparts;

static void
defaults(struct strs *sections)
{
	settings_strs("envinfo.sections", sections);
	if (spec.joiner == NULL)
		spec.joiner = settings_str("envinfo.joiner");
	spec.gitstatus = settings_bool("envinfo.git_status");
	spec.gitms = (long long)settings_count("envinfo.git_timeout");
	spec.toolms = (long long)settings_count("envinfo.tool_timeout");
	spec.tree.depth = settings_count("envinfo.tree.depth");
	if (spec.tree.depth > 64)
		spec.tree.depth = 64;
	spec.tree.entries = settings_count("envinfo.tree.entries");
	spec.tree.perdir = settings_count("envinfo.tree.per_directory");
	spec.tree.hidden = settings_bool("envinfo.tree.hidden");
}

/* A section as it is asked for: "git" or "clock=iso". */
static void
add(const char *item, int code)
{
	static struct buf b, file, kind;
	enum file_result res;
	const char *form;
	struct part p;
	int found;

	memset(&p, 0, sizeof(p));
	buf_reset(&kind);
	buf_add(&kind, item, strcspn(item, "="));
	form = item + kind.n + (item[kind.n] == '=');
	if (kind.n == 0 || strspn(buf_cstr(&kind), "abcdefghijklmnopqrstuvwxyz"
		"0123456789-") != kind.n || strchr(form, '/') != NULL)
		die(code, "expected KIND or KIND=FORM, got '%s'", item);
	if (item[kind.n] == '\0') {
		buf_reset(&b);
		buf_printf(&b, "envinfo.forms.%s", kind.p);
		form = settings_str(buf_cstr(&b));
		form = form != NULL ? form : "";
	}
	buf_reset(&b);
	buf_printf(&b, "prompts/env/%s%s%s.md", kind.p, *form ? "-" : "", form);
	found = path_find(&file, buf_cstr(&b));
	if (found == -2)
		die(code, "%s: not on the search path", b.p);
	if (found < 0)
		return;
	p.kind = xstrdup(kind.p);
	p.file = xstrdup(buf_cstr(&file));
	res = file_read(p.file, &p.text, TEMPLATE_MAX);
	if (res != FILE_OK)
		die(EX_CONFIG, "%s: %s", p.file, file_why(res));
	grow(&parts, &capparts, nparts, sizeof(*parts));
	parts[nparts++] = p;
	envvalue_expect(p.text.p, p.text.n);
}

static void
add_all(struct strs *sections, const char *list)
{
	size_t i, n;

	for (i = 0; list == NULL && i < sections->n; i++)
		add(sections->v[i], EX_CONFIG);
	if (list == NULL)
		return;
	strs_reset(sections);
	for (; *list != '\0'; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		strs_addn(sections, list, n);
		add(sections->v[sections->n - 1], EX_USAGE);
	}
}

/* A stretch of a template; 0 if one of its holes has no value. */
static int
stretch(struct part *p, struct buf *b, const char *s, size_t n)
{
	size_t start = b->n;

	p->use.missing = 0;
	if (template_expand(b, s, n, envvalue_fill, &p->use) > 0)
		die(EX_CONFIG, "%s: no such hole in '%.*s'", p->file,
		    (int)(n < 200 ? n : 200), s);
	if (p->use.missing)
		b->n = start;
	return !p->use.missing;
}

/* One line; a part in [[ ]] is left out alone if it has no value. */
static void
line(struct part *p, const char *s, size_t n)
{
	static struct buf text, b;
	const char *at, *close;

	buf_reset(&b);
	buf_reset(&text);
	buf_add(&text, s, n);
	for (s = buf_cstr(&text); (at = strstr(s, "[[")) != NULL;
	    s = close + 2) {
		if ((close = strstr(at + 2, "]]")) == NULL)
			die(EX_CONFIG, "%s: expected ]] after [[", p->file);
		if (!stretch(p, &b, s, (size_t)(at - s)))
			return;
		(void)stretch(p, &b, at + 2, (size_t)(close - at - 2));
	}
	if (!stretch(p, &b, s, strlen(s)) || b.n == 0)
		return;
	if (p->content.n > 0)
		buf_putc(&p->content, '\n');
	buf_add(&p->content, b.p, b.n);
}

static void
make(struct part *p)
{
	const char *s = p->text.p, *end = s + p->text.n, *nl;

	buf_reset(&p->content);
	memset(&p->use, 0, sizeof(p->use));
	for (; s < end; s = nl + (nl < end)) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			nl = end;
		line(p, s, (size_t)(nl - s));
	}
}

static void
put(void)
{
	struct section s = {0};
	size_t i;

	for (i = 0; i < nparts; i++) {
		if (parts[i].use.timed)
			make(&parts[i]);
		if (parts[i].content.n == 0)
			continue;
		s.kind = parts[i].kind;
		s.isvolatile = parts[i].use.isvolatile;
		section_put(&s, parts[i].content.p, parts[i].content.n);
	}
}

static void
make_all(void)
{
	size_t i;

	envvalue_start();
	for (i = 0; i < nparts; i++)
		make(&parts[i]);
}

int
main(int argc, char **argv)
{
	static struct strs sections;
	const char *list = NULL;
	struct rec r;
	int c;

	prog = "envinfo";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "j:s:", options, usage)) != -1)
		switch (c) {
		case 'j': spec.joiner = optarg; break;
		case 's': list = optarg; break;
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
	defaults(&sections);
	envvalue_init(&spec);
	if (settings_enabled("envinfo")) {
		add_all(&sections, list);
		if (!ring_isset())
			make_all();
	}
	while (record_next(&r)) {
		if (r.type == REC_END && !record_isfaulty()) {
			if (ring_isset()) {
				envvalue_reset();
				make_all();
			}
			put();
		}
		record_pass(&r);
		ring_enter(&r);
	}
	return record_close();
}
