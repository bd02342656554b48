/*
 * skillmenu [-ikpqr] [-f FORM] [-n MAX]
 *     [-l NAME | -L NAME | -t NAME | -c SKILL ...]
 *
 * - Progressive disclosure: the menu says what there is, -l gives the text
 *   of one; a skill with keywords is a playbook, whose text comes by itself
 *   when the user's own words in the last message hold one of them.
 * - A skill is one open and its front matter, once per process;
 *   only those that match are read whole.
 */

#include <stdint.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "fields.h"
#include "file.h"
#include "grant.h"
#include "menu.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "ring.h"
#include "section.h"
#include "settings.h"
#include "skillset.h"
#include "skilltext.h"
#include "template.h"
#include "textfile.h"
#include "usertext.h"

enum { MANY = 1 << 30 };

static const char usage[] =
    "usage: skillmenu [-ikpqr] [-f form] [-n max]\n"
    "       skillmenu -l name\n"
    "       skillmenu -L name\n"
    "       skillmenu -t name\n"
    "       skillmenu -c skill ...\n"
    "\n"
    "  -c, --check         print the faults of these skills\n"
    "  -f, --format FORM   of the menu: opal, xml, brief\n"
    "  -i, --no-intro      no words before the menu\n"
    "  -k, --keyworded     list skills with keywords in the menu too\n"
    "  -l, --load NAME     print the text of this skill\n"
    "  -L, --loaded NAME   is this skill loaded, by the state on standard input?\n"
    "  -n, --max MAX       playbooks at once, or all that match\n"
    "  -p, --playbooks     those of playbooks/ in the menu, and there alone\n"
    "  -q, --quiet         report no skill that is skipped or doubtful\n"
    "  -r, --restore       the texts of loaded skills that were folded away\n"
    "  -t, --trust NAME    ask whether what it may call runs unasked\n";

static const struct option options[] = {
    {"check", no_argument, NULL, 'c'},
    {"format", required_argument, NULL, 'f'},
    {"no-intro", no_argument, NULL, 'i'},
    {"keyworded", no_argument, NULL, 'k'},
    {"load", required_argument, NULL, 'l'},
    {"loaded", required_argument, NULL, 'L'},
    {"max", required_argument, NULL, 'n'},
    {"playbooks", no_argument, NULL, 'p'},
    {"quiet", no_argument, NULL, 'q'},
    {"restore", no_argument, NULL, 'r'},
    {"trust", required_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

static struct skillset set;
static struct skill whole;
static struct menu menu;
static int form; /* of its item: switched off, or none at all */
static struct fields state;
static int restoring; /* what was loaded and is no longer shown */
static int quiet;
static long long most = -1; /* playbooks at once */
static int all;		    /* as many as match, of whatever length */
static size_t room;	    /* bytes of all their texts */
static size_t look;	    /* bytes of a message that are looked at */

static void
defaults(void)
{
	const char *given = menu.form;

	if (most < 0)
		most = (long long)settings_count("skillmenu.playbooks");
	room = all ? SIZE_MAX
	    : settings_count("skillmenu.playbook_bytes");
	look = settings_count("skillmenu.match_bytes");
	menu.max = settings_count("skillmenu.menu_bytes");
	menu.description = settings_count("skillmenu.description_bytes");
	menu.keyworded |= settings_bool("skillmenu.keyworded");
	menu.playbooks |= settings_bool("skillmenu.playbook_menu");
	menu.intro = menu.intro == 0;
	if (given == NULL)
		menu.form = settings_str("skillmenu.format");
	form = menu_load(&menu);
	if (form == -2 && given != NULL)
		opt_die(usage, "no form '%s'", given);
	quiet |= settings_bool("skillmenu.quiet");
}

static void
file(struct buf *b, const struct skillset_item *it)
{
	buf_reset(b);
	buf_puts(b, it->dir);
	buf_putc(b, '/');
	buf_puts(b, it->file);
}

static void
add_skill(struct buf *b, const struct skillset_item *it, int matched)
{
	static struct buf path;

	file(&path, it);
	emit_open(b, '{');
	emit_pair(b, "type", "skill");
	emit_pair(b, "name", it->name);
	emit_pair(b, "description", it->description);
	emit_pairn(b, "path", path.p, path.n);
	if (it->priority != 0)
		emit_pairf(b, "priority", it->priority);
	if (it->tools.n > 0)
		emit_strs(b, "required_tools", &it->tools);
	if (it->allowed.n > 0)
		emit_strs(b, "allowed_tools", &it->allowed);
	if (matched)
		emit_pairb(b, "matched", 1);
	emit_close(b, '}');
	buf_putc(b, '\n');
}

/* The records of the menu; how many skills found no room in its section. */
static size_t
add_menu(struct buf *b)
{
	static struct buf text;
	struct section s = {.kind = "skills"};
	size_t i, left, n = 0;

	for (i = 0; i < set.n; i++)
		if (menu_has(&menu, &set.v[i])) {
			add_skill(b, &set.v[i], 0);
			n++;
		}
	if (n > 0 && form == -2)
		settings_bad("skillmenu.format", "expected the FORM of a "
		    "prompts/skills-FORM.md");
	left = form < 0 ? 0 : menu_put(&menu, &text, &set);
	if (text.n > 0) {
		section_add(b, &s, text.p, text.n);
		buf_putc(b, '\n');
	}
	return left;
}

/* The same for every conversation. */
static void
put_menu(void)
{
	static struct buf b;
	static size_t left;
	static int made;

	if (!made)
		left = add_menu(&b);
	made = 1;
	if (left > 0)
		skillset_tell(quiet, "menu: %zu left out, over %zu bytes", left,
		    menu.max);
	out_add(b.p, b.n);
}

/* One playbook, if it is to be had and there is room; 1 if so. */
static int
put_playbook(const struct skillset_item *it, size_t *left)
{
	static struct buf b, path;
	struct section s = {0};
	struct span text;
	const char *why;

	if (skill_body(&whole, it->dir, &text, &why) < 0) {
		skillset_tell(quiet, "%s: %s", it->dir, why);
		return 0;
	}
	if (text.n > *left) {
		skillset_tell(quiet, "playbook %s: left out, over %zu bytes in all",
		    it->name, room);
		return 0;
	}
	*left -= text.n;
	file(&path, it);
	add_skill(&b, it, 1);
	out_add(b.p, b.n);
	buf_reset(&b);
	s.kind = "playbook";
	s.what = s.title = it->name;
	s.source = buf_cstr(&path);
	s.isvolatile = 1;
	section_put(&s, text.p, text.n);
	return 1;
}

/* Was it loaded, and is its text still among the messages or restored? */
static int
is_loaded(const char *name)
{
	static struct strs loaded, folded;
	const struct json *j = fields_json(&state);

	strs_reset(&loaded);
	strs_reset(&folded);
	json_strs(j, json_get(j, 0, "skills_loaded"), &loaded);
	if (!restoring)
		json_strs(j, json_get(j, 0, "skills_folded"), &folded);
	return strs_find(&loaded, name) >= 0 && strs_find(&folded, name) < 0;
}

static void
put_playbooks(const struct buf *said)
{
	static struct keyword_text text;
	static size_t *order;
	size_t i, n, left = room;
	long long put = 0;

	if (order == NULL)
		order = xreallocarray(NULL, set.n + 1, sizeof(*order));
	keyword_text(&text, said->p, said->n, look);
	n = skillset_match(&set, &text, !menu.playbooks, order);
	for (i = 0; i < n && put < most; i++)
		put += put_playbook(&set.v[order[i]], &left);
	if (i < n && most > 0)
		skillset_tell(quiet, "%zu more playbooks match than are shown",
		    n - i);
}

/* Report that there is no such skill, or why it cannot be read. */
static int
miss(const char *name, const char *why)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < set.n; i++)
		if (!set.v[i].hidden && !set.v[i].off)
			buf_printf(&b, "%s%s", b.n > 0 ? ", " : "",
			    set.v[i].name);
	if (why != NULL)
		warn("skill '%s': %s", name, why);
	else
		warn("no skill '%s'; there are: %s", name,
		    b.n == 0 ? "none" : buf_cstr(&b));
	return EXIT_NO;
}

/* The skill of that name, or NULL. */
static const struct skillset_item *
get(const char *name)
{
	record_filter(0);
	skillset_find(&set, 1);
	return skillset_get(&set, name);
}

/* Ask for the user's word about what a skill would have run unasked. */
static int
ask(const char *name)
{
	const struct skillset_item *it = get(name);

	if (it == NULL)
		return miss(name, NULL);
	return grant_isgiven(it) || grant_ask(it) ? 0 : EXIT_NO;
}

/* Show the user the tools that a loaded skill asks for and does not have. */
static void
tell_wishes(void)
{
	static struct strs loaded;
	const struct json *j = fields_json(&state);
	const struct skillset_item *it;
	size_t i;

	strs_reset(&loaded);
	json_strs(j, json_get(j, 0, "skills_loaded"), &loaded);
	for (i = 0; i < loaded.n; i++) {
		it = skillset_get(&set, loaded.v[i]);
		if (it != NULL && !grant_isgiven(it))
			skillset_tell(quiet, "the skill %s would run unasked: %s; "
			    "'turnpipe skills trust %s' shows it and asks",
			    it->name, grant_text(it), it->name);
	}
}

/* Print one skill's text for the model. */
static int
load(const char *name)
{
	static struct buf b;
	const struct skillset_item *it = get(name);
	struct span text;
	const char *why = NULL;

	if (it != NULL && skill_body(&whole, it->dir, &text, &why) == 0) {
		skilltext_put(&b, "prompts/skill.md", it->name, it->dir, text,
		    settings_count("skillmenu.resources"));
		out_add(b.p, b.n);
		out_end();
		grant_use(it);
		return 0;
	}
	return miss(name, why);
}

/* Is a skill loaded, by the state records of the stream? */
static int
answer_loaded(const char *name)
{
	struct rec r;

	record_filter(0);
	while (record_next(&r))
		if (r.type == REC_STATE)
			fields_merge(&state, record_json(&r));
	return is_loaded(name) ? 0 : EXIT_NO;
}

static int faults; /* of the skill at hand */

static void
report_fault(const char *what, int lost)
{
	(void)lost;
	faults++;
	warn("%s", what);
}

static void
cut_slashes(struct buf *b)
{
	while (b->n > 1 && b->p[b->n - 1] == '/')
		b->n--;
	buf_cstr(b);
}

/* A skill's directory, by a name that can be compared. */
static void
skill_directory(struct buf *b, const char *arg)
{
	buf_reset(b);
	buf_puts(b, arg);
	cut_slashes(b);
	if (strcmp(file_name(b->p), "SKILL.md") == 0
	    || strcmp(file_name(b->p), "skill.md") == 0) {
		b->n = (size_t)(file_name(b->p) - b->p);
		if (b->n == 0)
			buf_putc(b, '.');
		cut_slashes(b);
	}
	if (strcmp(b->p, ".") == 0) {
		buf_reset(b);
		buf_puts(b, path_cwd());
		buf_cstr(b);
	}
}

/*
 * Report each fault of these skills, a directory or the file in it each; the
 * list ends with NULL.  Number of skills with faults.
 */
static size_t
check_skills(char *const *skills)
{
	static struct skill skill;
	static struct buf dir;
	struct skill_rules rules = {1, report_fault};
	enum skill_result r;
	size_t n = 0;

	for (; *skills != NULL; skills++) {
		faults = 0;
		skill_directory(&dir, *skills);
		r = skill_read(&skill, -1, dir.p, &rules);
		if (r == SKILL_NONE || r == SKILL_EMPTY) {
			buf_puts(&dir, r == SKILL_NONE ? ": no SKILL.md"
			    : ": expected front matter");
			report_fault(buf_cstr(&dir), 1);
		}
		n += faults > 0;
	}
	return n;
}

int
main(int argc, char **argv)
{
	struct rec r;
	const char *name = NULL, *loaded = NULL, *trusted = NULL;
	int c, cflag = 0, on;

	prog = "skillmenu";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "cf:ikl:L:n:pqrt:", options, usage))
	    != -1)
		switch (c) {
		case 'c': cflag = 1; break;
		case 'f': menu.form = optarg; break;
		case 'i': menu.intro = 1; break;
		case 'k': menu.keyworded = 1; break;
		case 'l': name = optarg; break;
		case 'L': loaded = optarg; break;
		case 'n':
			all = strcmp(optarg, "all") == 0;
			most = all ? MANY : opt_int("-n", optarg, 0, MANY);
			break;
		case 'p': menu.playbooks = 1; break;
		case 'q': quiet = 1; break;
		case 'r': restoring = 1; break;
		case 't': trusted = optarg; break;
		}
	if (cflag + (name != NULL) + (loaded != NULL) + (trusted != NULL) > 1)
		opt_die(usage, "-c, -l, -L and -t exclude each other");
	if (cflag && optind == argc)
		opt_die(usage, "-c: expected a skill");
	if (cflag)
		return check_skills(argv + optind) ? EXIT_NO : 0;
	if (optind < argc)
		opt_die(usage, "expected no operand");
	if (name != NULL)
		return load(name);
	if (trusted != NULL)
		return ask(trusted);
	if (loaded != NULL)
		return answer_loaded(loaded);
	defaults();
	/* Before there is input: the commands in front work meanwhile. */
	on = settings_enabled("skillmenu");
	if (on && !ring_isset())
		skillset_find(&set, quiet);
	while (record_next(&r)) {
		usertext_take(&r);
		if (r.type == REC_STATE)
			fields_merge(&state, record_json(&r));
		if (r.type == REC_END && on && !record_isfaulty()) {
			if (ring_isset())
				skillset_find(&set, quiet);
			put_menu();
			tell_wishes();
			if (restoring)
				skilltext_restore(&set, &state, quiet);
			put_playbooks(usertext_own());
			fields_reset(&state);
			usertext_reset();
		}
		record_pass(&r);
		ring_enter(&r);
	}
	return record_close();
}
