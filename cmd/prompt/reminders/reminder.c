#include <stdlib.h>
#include <string.h>

#include "cond.h"
#include "emit.h"
#include "file.h"
#include "fileshape.h"
#include "match.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "reminder.h"
#include "section.h"
#include "template.h"
#include "values.h"
#include "yamlfile.h"

/* A file of the catalogue. */
struct reminder {
	struct yamlfile yml;
	char *id, *group, *say;
	char *section; /* the kind it is said as; NULL for a reminder */
	int when; /* its condition's token, or -1 */
	int meant; /* for this profile */
	int due;
};

static struct reminder *all;
static size_t nall, capall;

/* "reminders/40-context-high.yaml" is "context-high". */
static char *
id_of(const char *path)
{
	const char *s = file_name(path);

	s += strspn(s, "0123456789");
	s += *s == '-';
	return xstrndup(s, strlen(s) - strlen(".yaml"));
}

/* The text at key; NULL if it is missing. */
static char *
text(const struct reminder *m, const char *key)
{
	return json_dup(&m->yml.json, json_get(&m->yml.json, 0, key));
}

/* One of its patterns fits, and none after a '!'. */
static int
is_meant(const struct reminder *m, const char *profile)
{
	struct strs l = {NULL, 0, 0};
	int i = json_get(&m->yml.json, 0, "profiles"), yes = 1;
	size_t k;

	json_strs(&m->yml.json, i, &l);
	for (k = 0; k < l.n; k++)
		if (l.v[k][0] != '!')
			yes = 0;
	for (k = 0; k < l.n; k++)
		if (l.v[k][0] != '!' && match_name(l.v[k], profile))
			yes = 1;
	for (k = 0; k < l.n; k++)
		if (l.v[k][0] == '!' && match_name(l.v[k] + 1, profile))
			yes = 0;
	strs_free(&l);
	return yes;
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	char *name = xstrndup(hole, n);
	const char *s;
	double v;
	int found = values_get(name, &v, &s) == 0;

	(void)arg;
	if (found)
		buf_puts(b, s);
	free(name);
	return found;
}

/* Faults are reported now, not when the reminder would be due. */
static void
check(struct reminder *m)
{
	static struct buf b;
	const struct json *j = &m->yml.json;
	int bad;

	m->when = json_get(j, 0, "when");
	if (cond_holds(j, m->when, values_leaf, NULL, &bad) < 0)
		yamlfile_bad(&m->yml, bad,
		    "expected a condition over the values of "
		    "turnpipe-reminders(5)");
	m->say = text(m, "say");
	buf_reset(&b);
	if (template_expand(&b, m->say, strlen(m->say), fill, NULL) > 0)
		yamlfile_bad(&m->yml, json_get(j, 0, "say"),
		    "expected only holes of turnpipe-reminders(5)");
}

void
reminder_load(const char *profile)
{
	static struct strs files;
	struct reminder *m;
	size_t i;

	values_derive(); /* from here on it knows its names */
	path_list(&files, "reminders", ".yaml");
	for (i = 0; i < files.n; i++) {
		grow(&all, &capall, nall, sizeof(*all));
		m = &all[nall++];
		memset(m, 0, sizeof(*m));
		yamlfile_load(&m->yml, files.v[i]);
		fileshape_check(&m->yml, "reminder");
		check(m);
		m->group = text(m, "group");
		m->section = text(m, "section");
		m->id = id_of(files.v[i]);
		m->meant = is_meant(m, profile);
	}
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
put(const struct reminder *m)
{
	static struct buf b, said;
	struct section s = {.isvolatile = 1};

	buf_reset(&said);
	template_expand(&said, m->say, strlen(m->say), fill, NULL);
	while (said.n > 0 && said.p[said.n - 1] == '\n')
		said.n--;
	if (m->section != NULL) {
		s.kind = m->section;
		section_put(&s, buf_cstr(&said), said.n);
		return;
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "reminder");
	emit_pair(&b, "id", m->id);
	emit_pairn(&b, "content", buf_cstr(&said), said.n);
	emit_close(&b, '}');
	record_put(&b);
}

void
reminder_put(void)
{
	size_t i;
	int bad;

	for (i = 0; i < nall; i++)
		all[i].due = all[i].meant
		    && cond_holds(&all[i].yml.json, all[i].when, values_leaf,
			   NULL, &bad) > 0;
	for (i = 0; i < nall; i++)
		if (all[i].due && !hidden(i))
			put(&all[i]);
}

void
reminder_list(void)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < nall; i++) {
		if (!all[i].meant)
			continue;
		buf_printf(&b, "%s\t%s", all[i].id, all[i].yml.path);
		out_record(&b);
	}
}
