/*
 * toolpick [-v] [-a GLOB] ... [-n COUNT] [-r NAME] ... [-x GLOB] ...
 *
 * - What is not allowed never comes back: neither a playbook nor -r can ask
 *   for it.  The other steps only choose among what is allowed.
 * - Tools wait for the end, since what decides about them (the agent's
 *   configuration, playbooks, the message) may come behind them.
 */

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "fields.h"
#include "opt.h"
#include "out.h"
#include "recent.h"
#include "record.h"
#include "route.h"
#include "settings.h"
#include "toolallow.h"
#include "toolrec.h"
#include "toolselect.h"
#include "usertext.h"

static const char usage[] =
    "usage: toolpick [-v] [-a glob] ... [-n count] [-r name] ...\n"
    "                [-x glob] ...\n"
    "\n"
    "  -a, --allow GLOB     only tools of this name\n"
    "  -n, --max COUNT      at most so many (0: all)\n"
    "  -r, --require NAME   must be called before the turn ends\n"
    "  -v, --verbose        say which tools are left out, and why\n"
    "  -x, --deny GLOB      no tools of this name\n";

static const struct option options[] = {
    {"allow", required_argument, NULL, 'a'},
    {"max", required_argument, NULL, 'n'},
    {"require", required_argument, NULL, 'r'},
    {"verbose", no_argument, NULL, 'v'},
    {"deny", required_argument, NULL, 'x'},
    {NULL, 0, NULL, 0},
};

static struct strs allow, deny, require; /* of the user, here */
static struct strs core, common, owndeny, ownallow; /* of the settings */
static long long max = -1, sticky;
static int on, routing, verbose;
static double cooler, sure;

static struct toolselect choice;
static struct fields config;
static struct recent recent;
static struct strs wanted, who; /* by playbooks, and by which */
static struct strs ordered;     /* by the configuration */

static void
set(void)
{
	on = settings_enabled("toolpick");
	routing = settings_bool("toolpick.route", 0);
	sticky = settings_int("toolpick.sticky", 3);
	if (max < 0)
		max = settings_int("toolpick.max", 0);
	cooler = settings_num("toolpick.temperature_max", -1);
	sure = settings_num("toolpick.sure", 0.6);
	settings_strs("toolpick.core", &core);
	if (!settings_strs("toolpick.default", &common))
		strs_add(&common, "*");
	settings_strs("toolpick.allow", &ownallow);
	settings_strs("toolpick.deny", &owndeny);
}

static void
take(const struct rec *r)
{
	char *name = toolrec_name(r);
	const struct json *j = record_json(r);
	struct span s = {r->s, r->n};
	double score = 0;
	size_t i;

	for (i = 0; i < choice.n; i++)
		if (strcmp(choice.v[i].name, name) == 0) {
			warn("tool %s is there twice: the first one stays",
			    name);
			free(name);
			return;
		}
	(void)json_num(j, json_get(j, 0, "score"), &score);
	toolselect_add(&choice, name, s, score);
}

static void
note_skill(const struct json *j)
{
	static struct buf b;
	size_t n;

	if (!json_true(j, json_get(j, 0, "matched")))
		return;
	buf_reset(&b);
	buf_puts(&b, "playbook ");
	(void)json_str(j, json_get(j, 0, "name"), &b);
	(void)json_strs(j, json_get(j, 0, "required_tools"), &wanted);
	for (n = who.n; n < wanted.n; n++)
		strs_add(&who, buf_cstr(&b));
}

static void
permit(void)
{
	toolselect_deny(&choice, &deny);
	toolselect_deny(&choice, &owndeny);
	if (allow.n > 0)
		toolselect_allow(&choice, &allow);
	if (ownallow.n > 0)
		toolselect_allow(&choice, &ownallow);
	strs_reset(&ordered);
	toolallow_apply(fields_json(&config), &choice, &ordered);
}

static void
narrow(void)
{
	static struct strs l;

	toolselect_rank(&choice, &core, TOOLSELECT_CORE);
	/* What the last turns have used is not taken away again. */
	strs_reset(&l);
	recent_tools(&recent, sticky, &l);
	toolselect_rank(&choice, &l, TOOLSELECT_CALLED);
	if (routing) {
		strs_reset(&l);
		toolselect_rank(&choice,
		    route_match(&l, buf_view(usertext_text())) > 0
			? &l : &common, TOOLSELECT_CALLED);
		toolselect_called(&choice);
	}
	if (max > 0)
		toolselect_cap(&choice, (size_t)max);
}

static void
force(const char *name, int isrequired, const char *by)
{
	long n = toolselect_force(&choice, name, isrequired);

	if (n <= 0)
		warn("%s requires tool %s, which is not %s", by, name,
		    n < 0 ? "allowed" : "there");
}

static void
offer(void)
{
	static struct buf b;
	const struct toolselect_tool *t;
	struct span s;
	double best = toolselect_best(&choice);
	double now = fields_num(&config, "temperature_max", -1);
	size_t i;

	for (i = 0; i < choice.n; i++) {
		t = &choice.v[i];
		s.p = choice.text.p + t->at;
		s.n = t->n;
		if (!t->on)
			continue;
		if (t->required)
			toolrec_require(&b, s);
		else
			buf_span(&b, s);
		record_put(&b);
	}
	if (cooler < 0 || best <= sure || (now >= 0 && now <= cooler))
		return;
	emit_open(&b, '{');
	emit_pair(&b, "type", "config");
	emit_pairf(&b, "temperature_max", cooler);
	emit_close(&b, '}');
	record_put(&b);
}

static void
pick(void)
{
	size_t i;

	choice.verbose = verbose;
	permit();
	narrow();
	for (i = 0; i < wanted.n; i++)
		force(wanted.v[i], 0, who.v[i]);
	for (i = 0; i < require.n; i++)
		force(require.v[i], 1, "-r");
	/* What can not be called would be missed in vain, answer by answer. */
	for (i = 0; i < ordered.n; i++)
		if (toolselect_force(&choice, ordered.v[i], 1) <= 0)
			die(EX_CONFIG, "required tool %s is not there or not "
			    "allowed", ordered.v[i]);
	offer();
}

static void
forget(void)
{
	toolselect_reset(&choice);
	fields_reset(&config);
	toolallow_reset();
	recent_reset(&recent);
	usertext_reset();
	strs_reset(&wanted);
	strs_reset(&who);
}

static void
arguments(int argc, char **argv)
{
	int c;

	while ((c = opt_next(argc, argv, "a:n:r:vx:", options, usage)) != -1)
		switch (c) {
		case 'a':
			strs_add(&allow, optarg);
			break;
		case 'n':
			max = opt_int("-n", optarg, 0, 100000);
			break;
		case 'r':
			strs_add(&require, optarg);
			break;
		case 'v':
			verbose = 1;
			break;
		case 'x':
			strs_add(&deny, optarg);
			break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
}

int
main(int argc, char **argv)
{
	struct rec r;

	prog = "toolpick";
	record_filter(1);
	arguments(argc, argv);
	set();
	while (record_next(&r)) {
		if (r.type == REC_TOOL && on) {
			take(&r);
			continue;
		}
		if (r.type == REC_CONFIG) {
			fields_merge(&config, record_json(&r));
			toolallow_take(record_json(&r));
		}
		if (r.type == REC_SKILL)
			note_skill(record_json(&r));
		if (r.type == REC_MESSAGE && (routing || max > 0)) {
			recent_note(&recent, record_json(&r));
			usertext_take(&r);
		}
		if (r.type == REC_END && on)
			pick();
		record_pass(&r);
		if (r.type == REC_END)
			forget();
	}
	return record_close();
}
