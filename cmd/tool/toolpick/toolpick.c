/*
 * toolpick [-w] [-c GLOB] ... [-x GLOB] ...
 *
 * - What is not allowed never comes back: no playbook can ask for it.  The other steps only choose among what is allowed.
 * - Hold tools until the end record: records that decide about them (the
 *   agent's configuration, playbooks, the message) may come later.
 * - A child has never more than its parent is permitted: see fence.h.
 * - What load_tools put on offer stands in its results, nowhere else.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bm25.h"
#include "diag.h"
#include "emit.h"
#include "fence.h"
#include "fields.h"
#include "level.h"
#include "more.h"
#include "opt.h"
#include "out.h"
#include "recent.h"
#include "record.h"
#include "route.h"
#include "score.h"
#include "settings.h"
#include "toolrec.h"
#include "toolselect.h"
#include "usertext.h"

static const char usage[] =
    "usage: toolpick [-w] [-c glob] ... [-x glob] ...\n"
    "\n"
    "  -c, --core GLOB   always offered, if they are allowed\n"
    "  -w, --when-asked  hold back toolpick.when_asked until it is wanted\n"
    "  -x, --deny GLOB   no tools of this name\n";

static const struct option options[] = {
    {"core", required_argument, NULL, 'c'},
    {"when-asked", no_argument, NULL, 'w'},
    {"deny", required_argument, NULL, 'x'},
    {NULL, 0, NULL, 0},
};

/* What options and settings say. */
static struct strs allow, deny, hidden, core, on_request;
static long long max, best, top;
static double least;
static int routing, waiting;

/* The conversation. */
static struct toolselect choice;
static struct fields config, state;
static struct recent recent;
static struct strs called; /* lately */
static struct strs config_deny;
static struct buf heard; /* all that the user said, for on_request */
static struct strs required_by_playbook, playbook_names; /* in pairs */
static struct strs required_by_skill; /* those that were loaded */

static void
take(const struct rec *r)
{
	const struct json *j;
	struct toolselect_tool *t;
	char *name, *server;
	size_t n;

	j = record_json(r);
	name = toolrec_name(r, j);
	if (toolselect_find(&choice, name) != NULL) {
		warn("tool %s is there twice: the first one stays", name);
		free(name);
		return;
	}
	t = toolselect_add(&choice, name, (struct span){r->s, r->n});
	t->starts = fence_starts(j);
	server = json_dup(j, json_at(j, 0, "run.mcp"));
	n = server != NULL ? strlen(server) : 0;
	if (n > 0 && strncmp(name, server, n) == 0 && name[n] == '_') {
		t->own = n + 1;
		if (routing)
			route_server(server);
	}
	free(server);
}

static int
is_loaded(const char *name)
{
	static struct strs names;
	const struct json *j = fields_json(&state);

	strs_reset(&names);
	json_strs(j, json_get(j, 0, "skills_loaded"), &names);
	return strs_find(&names, name) >= 0;
}

/* The tools of a playbook that is shown, and of a skill that was loaded. */
static void
note_skill(const struct json *j)
{
	static struct buf b;
	int shown = json_true(j, json_get(j, 0, "matched"));
	int needs = json_get(j, 0, "required_tools");

	buf_reset(&b);
	buf_puts(&b, shown ? "playbook " : "");
	(void)json_str(j, json_get(j, 0, "name"), &b);
	if (shown)
		(void)json_strs(j, needs, &required_by_playbook);
	else if (is_loaded(buf_cstr(&b)))
		(void)json_strs(j, needs, &required_by_skill);
	while (playbook_names.n < required_by_playbook.n)
		strs_add(&playbook_names, buf_cstr(&b));
}

/* A list of patterns, also "a, b"; 0 if the configuration has none. */
static int
listed(const struct json *j, const char *key, struct strs *l)
{
	int i = json_get(j, 0, key);
	char *s, *word;

	switch (json_kind(j, i)) {
	case JSON_NONE:
	case JSON_NULL:
		return 0;
	case JSON_STRING:
		s = json_dup(j, i);
		for (word = s == NULL ? NULL : strtok(s, ", \t\n");
		    word != NULL; word = strtok(NULL, ", \t\n"))
			strs_add(l, word);
		free(s);
		return 1;
	default:
		if (json_strs(j, i, l) != 0)
			die(EX_DATAERR, "config: %s: expected tool names", key);
		return 1;
	}
}

/* What any record denies is denied: an agent's list takes nothing back. */
static void
leave_denied(void)
{
	toolselect_hide(&choice, &hidden);
	toolselect_deny(&choice, &deny);
	toolselect_deny(&choice, &config_deny);
}

/* Whoever allows, all must. */
static void
keep_allowed(void)
{
	static struct strs agent;

	strs_reset(&agent);
	if (allow.n > 0)
		toolselect_allow(&choice, &allow);
	/* An agent's empty list means no tools, not all. */
	if (listed(fields_json(&config), "tools", &agent))
		toolselect_allow(&choice, &agent);
}

static void
keep_fenced(void)
{
	fence_apply(&choice, fields_json(&config));
}

/* The user's words and the names that the last turns called. */
static void
score(void)
{
	static struct buf b;
	const struct buf *said = usertext_text();
	size_t i, n;

	buf_reset(&b);
	bm25_ends(&b, said->p, said->n);
	n = b.n;
	for (i = 0; i < called.n; i++)
		score_name(&b, called.v[i]);
	/* "tool_33" is found by its parts, too. */
	if (n > 0 && memchr(b.p, '_', n) != NULL) {
		buf_putc(&b, ' ');
		for (i = 0; i < n; i++)
			buf_putc(&b, b.p[i] == '_' ? ' ' : b.p[i]);
	}
	score_all(&choice, buf_view(&b));
}

/* How full the window is, and how much of it there is. */
static double
window(double *used)
{
	double n = fields_num(&config, "context_window",
	    settings_num("context_window"));

	*used = n > 0 ? floor(100 * fields_num(&state, "context_tokens", 0) / n)
		      : 0;
	return n;
}

/* Tokens that schemas may take; 0: no limit. */
static double
room(void)
{
	double used;

	return settings_share("toolpick.share") * window(&used);
}

/* Does a rule ask for scores?  Tools that fit the window are not ranked. */
static int
scores_matter(void)
{
	double most = room();

	return best > 0 || least > 0 || max > 0
	    || settings_has("toolpick.temperature_max") || choice.verbose
	    || (most > 0 && (double)choice.text.n > most);
}

static void
rank_core(void)
{
	toolselect_rank(&choice, &core, "core:", &core, TOOLSELECT_CORE);
}

/* What the last turns have used is not taken away again. */
static void
rank_called(void)
{
	struct toolselect_tool *t;
	size_t i;

	strs_reset(&called);
	recent_tools(&recent, settings_int("toolpick.sticky"),
	    settings_count("toolpick.sticky_max"), &called);
	toolselect_rank(&choice, &called, "called lately", NULL, TOOLSELECT_CALLED);
	for (i = 0; i < called.n; i++)
		if ((t = toolselect_find(&choice, called.v[i])) != NULL)
			t->kept = 1;
}

/* Routes that lead from a text to tools; their number. */
static size_t
route(struct strs *tools, struct strs *by, const struct buf *said)
{
	strs_reset(tools);
	strs_reset(by);
	return route_match(tools, by, buf_view(said));
}

/* What routes and scores call for, where one of them is on; where neither
   finds any, what is common. */
static void
rank_wanted(void)
{
	static struct strs tools, by;
	static struct buf ends;
	const struct buf *said = usertext_text();
	int scoring = best > 0 || least > 0, found = 0;

	if (scores_matter())
		score();
	if (routing) {
		buf_reset(&ends);
		bm25_ends(&ends, said->p, said->n);
		found = route(&tools, &by, &ends) > 0;
		toolselect_rank(&choice, &tools, "route", &by,
		    TOOLSELECT_CALLED);
	}
	if (scoring)
		found |= toolselect_best(
			     &choice, (size_t)best, least, (size_t)top) > 0;
	if (on_request.n > 0) {
		(void)route(&tools, &by, &heard);
		toolselect_ask(&choice, &on_request, &tools, &by);
	}
	if (!routing && !scoring)
		return;
	if (!found) {
		strs_reset(&tools);
		settings_strs("toolpick.default", &tools);
		toolselect_rank(&choice, &tools, "nothing fits the message:",
		    &tools, TOOLSELECT_CALLED);
	}
	toolselect_called(&choice, !scoring ? "no route leads to it"
		: routing ? "neither route nor score" : "scores too little");
}

static void
cap(void)
{
	if (max > 0)
		toolselect_cap(&choice, (size_t)max);
}

static void
force(const char *name, const char *by)
{
	long n = toolselect_force(&choice, name, 0, by);

	if (n <= 0)
		warn("%s requires tool %s, which is not %s", by, name,
		    n < 0 ? "allowed" : "there");
}

static void
add_loaded(void)
{
	size_t i;

	for (i = 0; i < recent.loaded.n; i++)
		(void)toolselect_force(&choice, recent.loaded.v[i], 0,
		    "loaded in this turn");
	for (i = 0; i < required_by_skill.n; i++)
		(void)toolselect_force(&choice, required_by_skill.v[i], 0,
		    "of a loaded skill");
	for (i = 0; i < required_by_playbook.n; i++)
		force(required_by_playbook.v[i], playbook_names.v[i]);
}

static void
add_required(void)
{
	static struct strs by_config;
	size_t i;

	strs_reset(&by_config);
	(void)listed(fields_json(&config), "required_tools", &by_config);
	/* What cannot be called would be missed in vain, answer by answer. */
	for (i = 0; i < by_config.n; i++)
		if (toolselect_force(&choice, by_config.v[i], 1,
			"required_tools") <= 0)
			die(EX_CONFIG, "required tool %s is not there or not "
			    "allowed", by_config.v[i]);
}

/* As toolpick(1) has them. */
static void (*const rules[])(void) = {leave_denied, keep_allowed, keep_fenced,
    rank_core, rank_called, rank_wanted, cap, add_loaded, add_required};

/* What a tool of the last step did not let be called stays on offer. */
static void
bar(struct buf *b, const char *name)
{
	static struct buf globs;

	if (!recent_bars(&recent, name, &globs))
		return;
	while (b->p[--b->n] != '}')
		continue;
	emit_pair(b, "barred", buf_cstr(&globs));
	emit_close(b, '}');
}

static void
offer(void)
{
	static struct buf b, fenced;
	const struct toolselect_tool *t;
	struct span s;
	double first = toolselect_top(&choice);
	double now = fields_num(&config, "temperature_max", -1), most;
	size_t i;

	for (i = 0; i < choice.n; i++) {
		t = &choice.v[i];
		s.p = choice.text.p + t->at;
		s.n = t->n;
		if (!t->on)
			continue;
		buf_reset(&fenced);
		fence_put(&fenced, s, t, &choice, fields_json(&config));
		if (t->required)
			toolrec_require(&b, buf_view(&fenced));
		else
			buf_span(&b, buf_view(&fenced));
		level_lower(&b);
		bar(&b, t->name);
		record_put(&b);
	}
	if (!settings_has("toolpick.temperature_max")
	    || first <= settings_num("toolpick.sure"))
		return;
	most = settings_num("toolpick.temperature_max");
	if (now >= 0 && now <= most)
		return;
	emit_open(&b, '{');
	emit_pair(&b, "type", "config");
	emit_pairf(&b, "temperature_max", most);
	emit_close(&b, '}');
	record_put(&b);
}

static void
explain(void)
{
	const struct toolselect_tool *t;
	size_t i;

	for (i = 0; i < choice.n; i++) {
		t = &choice.v[i];
		warn("%s %s: %s, score %.2f", t->name, t->on ? "in" : "out",
		    t->why != NULL ? t->why : "nothing leaves it out",
		    t->score);
	}
}

static void
pick(void)
{
	double most = room(), used, all = window(&used);
	size_t i, left;

	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		rules[i]();
	left = most > 0 ? more_fit(&choice, most) : 0;
	level_at(all > 0 ? used : -1);
	if (choice.verbose)
		explain();
	offer();
	if (left > 0)
		more_put(&choice);
}

/* A message of the user: the last one counts, or all. */
static void
hear(const struct rec *r)
{
	const struct buf *said;

	usertext_take(r);
	if (on_request.n == 0 || !span_is(r->role, "user"))
		return;
	said = usertext_text();
	bm25_ends(&heard, said->p, said->n);
	buf_putc(&heard, '\n');
}

static void
forget(void)
{
	buf_reset(&heard);
	toolselect_reset(&choice);
	fields_reset(&config);
	fields_reset(&state);
	strs_reset(&config_deny);
	recent_reset(&recent);
	route_forget();
	usertext_reset();
	strs_reset(&required_by_playbook);
	strs_reset(&required_by_skill);
	strs_reset(&playbook_names);
}

static void
arguments(int argc, char **argv)
{
	int c;

	while ((c = opt_next(argc, argv, "c:wx:", options, usage)) != -1)
		switch (c) {
		case 'c': strs_add(&core, optarg); break;
		case 'w': waiting = 1; break;
		case 'x': strs_add(&deny, optarg); break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
}

static void
read_settings(void)
{
	static struct strs levels;

	max = settings_int("toolpick.max");
	best = settings_int("toolpick.best");
	top = settings_int("toolpick.top");
	least = settings_share("toolpick.score");
	routing = settings_bool("toolpick.route");
	choice.verbose = settings_bool("toolpick.verbose");
	settings_strs("toolpick.allow", &allow);
	settings_strs("toolpick.core", &core);
	settings_strs("toolpick.hidden", &hidden);
	settings_strs("toolpick.deny", &deny);
	if (waiting)
		settings_strs("toolpick.when_asked", &on_request);
	settings_strs("toolpick.result_levels", &levels);
	level_set(&levels);
}

int
main(int argc, char **argv)
{
	struct rec r;
	int on;

	prog = "toolpick";
	opt_set = settings_set;
	record_filter(1);
	arguments(argc, argv);
	read_settings();
	fence_set();
	/* A fence holds where nothing is chosen, too. */
	on = settings_enabled("toolpick") || fence_isset();
	while (record_next(&r)) {
		if (r.type == REC_TOOL && on) {
			take(&r);
			continue;
		}
		if (r.type == REC_CONFIG) {
			fields_merge(&config, record_json(&r));
			(void)listed(record_json(&r), "tools_deny",
			    &config_deny);
		}
		if (r.type == REC_SKILL)
			note_skill(record_json(&r));
		if (r.type == REC_STATE)
			fields_merge(&state, record_json(&r));
		if (r.type == REC_MESSAGE && on) {
			recent_note(&recent, &r);
			hear(&r);
		}
		if (r.type == REC_END && on)
			pick();
		record_pass(&r);
		if (r.type == REC_END)
			forget();
	}
	return record_close();
}
