/*
 * reminders [-P PROFILE]
 *
 * - What the model must hear now and never again: a record per file of
 *   share/reminders whose condition holds.  The record dies with its
 *   request, so nobody ever strips one out again.
 * - Of a group only the last that holds is said.
 */

#include <stdlib.h>
#include <string.h>

#include "cond.h"
#include "diag.h"
#include "emit.h"
#include "gauge.h"
#include "opt.h"
#include "path.h"
#include "record.h"
#include "settings.h"
#include "template.h"
#include "yml.h"

static const char usage[] = "usage: reminders [-P profile]\n";

static const struct option options[] = {
    {"profile", required_argument, NULL, 'P'},
    {NULL, 0, NULL, 0},
};

/* A file of the catalogue; text and conditions stay as they were parsed. */
struct reminder {
	struct yml yml;
	const char *path;
	char *id, *group, *say;
	int meant; /* for this profile */
	int due;
};

static struct reminder *all;
static size_t nall, capall;

/* "reminders/40-context-high.yaml" is "context-high". */
static char *
id_of(const char *path)
{
	const char *s = strrchr(path, '/');

	s = s == NULL ? path : s + 1;
	s += strspn(s, "0123456789");
	s += *s == '-';
	return xstrndup(s, strlen(s) - strlen(".yaml"));
}

static int
is_meant(const struct reminder *m, const char *profile)
{
	struct strs l = {0};
	int i = json_get(&m->yml.json, 0, "profiles"), yes;

	if (i < 0)
		return 1;
	if (json_strs(&m->yml.json, i, &l) != 0)
		yml_bad(&m->yml, m->path, i, "expected a list of profiles");
	yes = strs_find(&l, profile) >= 0;
	strs_reset(&l);
	free(l.v);
	return yes;
}

static void
load(const char *profile)
{
	static struct strs files;
	struct reminder *m;
	int bad, say;
	size_t i;

	path_list(&files, "reminders", ".yaml");
	for (i = 0; i < files.n; i++) {
		grow(&all, &capall, nall, sizeof(*all));
		m = &all[nall];
		memset(m, 0, sizeof(*m));
		m->path = files.v[i];
		yml_load(&m->yml, m->path);
		say = json_get(&m->yml.json, 0, "say");
		m->say = json_dup(&m->yml.json, say);
		if (m->say == NULL)
			yml_bad(&m->yml, m->path, say < 0 ? 0 : say,
			    "expected a text to say");
		/* Told when it is read, not when it would be due. */
		if (cond_holds(&m->yml.json,
			json_get(&m->yml.json, 0, "when"), gauge_leaf, NULL,
			&bad) < 0)
			yml_bad(&m->yml, m->path, bad,
			    "expected a condition over the values of "
			    "turnpipe-reminders(5)");
		m->group = json_dup(
		    &m->yml.json, json_get(&m->yml.json, 0, "group"));
		m->id = id_of(m->path);
		m->meant = is_meant(m, profile);
		nall++;
	}
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	char *name = xstrndup(hole, n);
	const char *text;
	double v;
	int found = gauge_get(name, &v, &text) == 0;

	(void)arg;
	if (found)
		buf_puts(b, text);
	free(name);
	return found;
}

static int
hidden(size_t i)
{
	size_t k;

	for (k = i + 1; all[i].group != NULL && k < nall; k++)
		if (all[k].due && all[k].group != NULL
		    && strcmp(all[k].group, all[i].group) == 0)
			return 1;
	return 0;
}

static void
remind(void)
{
	static struct buf b, text;
	const struct json *j;
	size_t i;
	int bad;

	gauge_derive();
	for (i = 0; i < nall; i++) {
		j = &all[i].yml.json;
		all[i].due = all[i].meant
		    && cond_holds(j, json_get(j, 0, "when"),
			   gauge_leaf, NULL, &bad) > 0;
	}
	for (i = 0; i < nall; i++) {
		if (!all[i].due || hidden(i))
			continue;
		buf_reset(&text);
		template_expand(
		    &text, all[i].say, strlen(all[i].say), fill, NULL);
		while (text.n > 0 && text.p[text.n - 1] == '\n')
			text.n--;
		emit_open(&b, '{');
		emit_pair(&b, "type", "reminder");
		emit_pair(&b, "id", all[i].id);
		emit_pairn(&b, "content", text.p, text.n);
		emit_close(&b, '}');
		record_put(&b);
	}
	gauge_reset();
}

int
main(int argc, char **argv)
{
	struct rec r;
	const char *profile = getenv("TURNPIPE_PROFILE");
	int c, on;

	prog = "reminders";
	record_filter();
	while ((c = opt_next(argc, argv, "P:", options, usage)) != -1)
		profile = optarg;
	if (optind < argc)
		opt_die(usage, "expected no operand");
	on = settings_enabled("reminders");
	if (on)
		load(profile != NULL ? profile : "default");
	while (record_next(&r)) {
		if (on && r.type == REC_END)
			remind();
		else if (on)
			gauge_take(&r);
		record_pass(&r);
	}
	return record_close();
}
