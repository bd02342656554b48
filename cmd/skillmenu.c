/*
 * skillmenu [-qsv] [-d DIR] [-f FORM] [-n MAX] [-l NAME | -c DIR ...]
 *
 * - Progressive disclosure: the menu says what there is, -l gives the text
 *   of one; a skill with keywords is a playbook, whose text comes by itself
 *   when the user's last message holds one of them.
 * - A skill is one open and one read of its front matter, once per process.
 */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "heard.h"
#include "keyword.h"
#include "menu.h"
#include "opt.h"
#include "out.h"
#include "prose.h"
#include "record.h"
#include "section.h"
#include "settings.h"
#include "skillset.h"
#include "template.h"

enum { MATCH_MAX = 64, RESOURCES_MAX = 50 };

static const char usage[] =
    "usage: skillmenu [-qsv] [-d dir] [-f opal|xml] [-n max]\n"
    "       skillmenu [-qsv] [-d dir] -l name\n"
    "       skillmenu -c dir ...\n";

static const struct option options[] = {
    {"check", no_argument, NULL, 'c'},
    {"dir", required_argument, NULL, 'd'},
    {"format", required_argument, NULL, 'f'},
    {"load", required_argument, NULL, 'l'},
    {"max", required_argument, NULL, 'n'},
    {"quiet", no_argument, NULL, 'q'},
    {"strict", no_argument, NULL, 's'},
    {"verbose", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static struct skillset set;
static struct strs dirs;
static int xml; /* the menu's form */
static size_t most;  /* playbooks at once */
static long long room; /* bytes of their texts */
static int strict, found;
static enum skillset_say level = SKILLSET_LOST;
static struct skill whole;

static void
silent(const char *file, const char *what, int lost)
{
	if (lost)
		warn("%s: %s", file, what);
}

static void
find(void)
{
	if (!found)
		skillset_find(&set, &dirs, strict, level);
	found = 1;
}

static void
put_skill(const struct skillset_item *it, int matched)
{
	static struct buf b;
	size_t i;

	emit_open(&b, '{');
	emit_pair(&b, "type", "skill");
	emit_pair(&b, "name", it->name);
	emit_pair(&b, "description", it->description);
	emit_pair(&b, "path", it->dir);
	emit_key(&b, "required_tools");
	emit_open(&b, '[');
	for (i = 0; i < it->tools.n; i++)
		emit_cstr(&b, it->tools.v[i]);
	emit_close(&b, ']');
	emit_pairi(&b, "priority", it->priority);
	emit_key(&b, "matched");
	emit_bool(&b, matched);
	emit_close(&b, '}');
	record_put(&b);
}

static void
put_menu(void)
{
	static struct buf b;
	struct section s = {0};
	size_t i, n = 0;

	buf_reset(&b);
	if (prose_read(&b, "prompts/skills.md") == 0)
		buf_puts(&b, "\n\n");
	for (i = 0; i < set.n; i++) {
		if (set.v[i].hidden || set.v[i].keywords.n > 0)
			continue;
		put_skill(&set.v[i], 0);
		menu_item(&b, &set.v[i], xml);
		n++;
	}
	if (n == 0)
		return;
	s.kind = "skills";
	section_put(&s, b.p, b.n - 1);
}

static struct span
body(void)
{
	struct span s = whole.front.body;

	while (s.n > 0 && strchr("\r\n \t", s.p[0]) != NULL) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && strchr("\r\n \t", s.p[s.n - 1]) != NULL)
		s.n--;
	return s;
}

static void
put_playbooks(const struct buf *said)
{
	static struct buf message;
	size_t order[MATCH_MAX], i, n;
	struct section s = {0};
	long long left = room;
	struct span text;

	buf_reset(&message);
	keyword_fold(&message, said->p, said->n);
	n = skillset_match(&set, &message, order, most);
	for (i = 0; i < n; i++) {
		if (skill_read(&whole, set.v[order[i]].dir, 1, 0, silent) < 0)
			continue;
		text = body();
		if ((long long)text.n > left) {
			warn("playbook %s: left out, over %lld bytes in all",
			    whole.name, room);
			continue;
		}
		left -= (long long)text.n;
		put_skill(&set.v[order[i]], 1);
		s.kind = "playbook";
		s.what = s.title = set.v[order[i]].name;
		s.isvolatile = 1;
		section_put(&s, text.p, text.n);
	}
}

static void
resources(struct buf *b, const char *dir)
{
	struct strs l = {0};
	struct dirent *e;
	DIR *d = opendir(dir);
	size_t i;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "SKILL.md") != 0)
			strs_add(&l, e->d_name);
	if (d != NULL)
		closedir(d);
	strs_sort(&l);
	for (i = 0; i < l.n && i < RESOURCES_MAX; i++)
		buf_printf(b, "<file>%s/%s</file>\n", dir, l.v[i]);
	if (b->n > 0)
		b->n--;
	strs_reset(&l);
	free(l.v);
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct span h = {hole, n};

	(void)arg;
	if (span_is(h, "name"))
		buf_puts(b, whole.name);
	else if (span_is(h, "dir"))
		buf_puts(b, whole.dir);
	else if (span_is(h, "body"))
		buf_span(b, body());
	else if (span_is(h, "resources"))
		resources(b, whole.dir);
	else
		return 0;
	return 1;
}

/* Print one skill's text for the model. */
static int
load(const char *name)
{
	static struct buf text, b;
	const struct skillset_item *it;
	size_t i;

	level = SKILLSET_QUIET;
	find();
	it = skillset_get(&set, name);
	if (it == NULL || skill_read(&whole, it->dir, 1, 0, silent) < 0) {
		for (i = 0; i < set.n; i++)
			if (!set.v[i].hidden)
				buf_printf(&b, "%s%s", b.n > 0 ? ", " : "",
				    set.v[i].name);
		warn("no skill '%s'; there are: %s", name, buf_cstr(&b));
		return EXIT_NO;
	}
	if (prose_read(&text, "prompts/skill.md") < 0)
		buf_puts(&text, "{{body}}");
	template_expand(&b, text.p, text.n, fill, NULL);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
	out_end();
	return 0;
}

static int faults;

static void
checked(const char *file, const char *what, int lost)
{
	(void)lost;
	faults = 1;
	warn("%s: %s", file, what);
}

static int
check(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (skill_read(&whole, argv[i], 1, 0, checked) < 0 && !faults)
			checked(argv[i], "expected a SKILL.md", 1);
	return faults ? EXIT_NO : 0;
}

int
main(int argc, char **argv)
{
	struct rec r;
	const char *form = NULL, *name = NULL;
	int c, cflag = 0;

	prog = "skillmenu";
	record_filter();
	while ((c = opt_next(argc, argv, "cd:f:l:n:qsv", options, usage)) != -1)
		switch (c) {
		case 'c': cflag = 1; break;
		case 'd': strs_add(&dirs, optarg); break;
		case 'f': form = optarg; break;
		case 'l': name = optarg; break;
		case 'n':
			most = (size_t)opt_int("-n", optarg, 1, MATCH_MAX);
			break;
		case 'q': level = SKILLSET_QUIET; break;
		case 's': strict = 1; break;
		case 'v': level = SKILLSET_ALL; break;
		}
	if (cflag)
		return check(argc - optind, argv + optind);
	if (optind < argc)
		opt_die(usage, "expected no operand");
	if (name != NULL)
		return load(name);
	if (form == NULL)
		form = settings_str("skillmenu.format", "opal");
	if (strcmp(form, "opal") != 0 && strcmp(form, "xml") != 0)
		opt_die(usage, "expected opal or xml, not '%s'", form);
	xml = strcmp(form, "xml") == 0;
	if (most == 0)
		most = (size_t)settings_int("skillmenu.playbooks", 3);
	most = most > MATCH_MAX ? MATCH_MAX : most;
	room = settings_int("skillmenu.playbook_bytes", 16384);
	while (record_next(&r)) {
		heard_take(&r);
		if (r.type == REC_END && settings_enabled("skillmenu")) {
			find();
			put_menu();
			put_playbooks(heard_text());
			heard_reset();
		}
		record_pass(&r);
	}
	return record_close();
}
