#include <string.h>

#include "cond.h"
#include "file.h"
#include "fileshape.h"
#include "match.h"
#include "path.h"
#include "rule.h"
#include "toolgroup.h"
#include "yamlfile.h"

struct rule {
	struct yamlfile yml;
	int bysaid; /* asks for what the user said */
};

static struct rule *rules;
static size_t nrules, caprules;
static int asked; /* some leaf did, for what the user said */

static int
isgroups(const char *path)
{
	return strcmp(file_name(path), "groups.yaml") == 0;
}

/* What follows "NAME:" in text, or NULL. */
static const char *
after_name(const char *text, const char *name)
{
	size_t n = strlen(name);

	return strncmp(text, name, n) == 0 ? text + n : NULL;
}

static int
said(const struct rule_facts *f, const char *key)
{
	static struct buf b;

	asked = 1;
	buf_reset(&b);
	keyword_fold(&b, key, strlen(key));
	return b.n == 0 ? -1 : keyword_in(f->said, buf_cstr(&b));
}

/* How many of the names the pattern fits, or one of the group's patterns. */
static int
leaf(const char *text, void *arg)
{
	const struct rule_facts *f = arg;
	const char *s;

	if ((s = after_name(text, "text:")) != NULL)
		return said(f, s);
	if ((s = after_name(text, "profile:")) != NULL)
		return match_name(s, f->profile);
	return toolgroup_count(text, f->names);
}

/* Faults are reported when the rule is read, not when it fires. */
static void
check(struct rule *r)
{
	static const struct strs none;
	static const struct keyword_text nothing;
	struct rule_facts f = {&none, "", &nothing, 0};
	const struct json *j = &r->yml.json;
	int bad;

	asked = 0;
	if (cond_holds(j, json_get(j, 0, "when"), leaf, &f, &bad) < 0)
		yamlfile_bad(&r->yml, bad,
		    "expected a condition over tool names");
	r->bysaid = asked;
}

/* Room for one more, made or left from an earlier load. */
static struct rule *
next(void)
{
	static size_t made;

	if (nrules == made) {
		grow(&rules, &caprules, made, sizeof(*rules));
		memset(&rules[made++], 0, sizeof(*rules));
	}
	return &rules[nrules++];
}

void
rule_load(void)
{
	static struct strs files;
	struct rule *r;
	size_t i;

	nrules = 0;
	strs_reset(&files);
	path_list(&files, "rules", ".yaml");
	for (i = 0; i < files.n; i++) {
		if (isgroups(files.v[i]))
			continue;
		r = next();
		yamlfile_load(&r->yml, files.v[i]);
		fileshape_check(&r->yml, "rule");
		check(r);
	}
}

int
rule_bysaid(void)
{
	size_t i;

	for (i = 0; i < nrules && !rules[i].bysaid; i++)
		;
	return i < nrules;
}

static int
rule_holds(const struct rule *r, const struct rule_facts *f)
{
	static struct strs l;
	const struct json *j = &r->yml.json;
	int bad, i;

	i = json_get(j, 0, "profiles");
	strs_reset(&l);
	if (json_strs(j, i, &l) == 0 && match_any(&l, f->profile) == NULL)
		return 0;
	if (!f->first && json_true(j, json_get(j, 0, "first_turn")))
		return 0;
	return cond_holds(j, json_get(j, 0, "when"), leaf, (void *)f, &bad)
	    > 0;
}

/* One bullet; what the text has of lines stays below it. */
static void
bullet(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	while (n > 0 && s[n - 1] == '\n')
		n--;
	if (n == 0)
		return;
	buf_puts(b, b->n == 0 ? "- " : "\n- ");
	for (; n > 0; s++, n--) {
		buf_putc(b, *s);
		if (*s == '\n')
			buf_puts(b, "  ");
	}
}

void
rule_say(struct buf *b, const struct rule_facts *f, int bysaid)
{
	static struct strs l;
	const struct json *j;
	size_t i, k;

	for (i = 0; i < nrules; i++) {
		if (rules[i].bysaid != bysaid || !rule_holds(&rules[i], f))
			continue;
		j = &rules[i].yml.json;
		strs_reset(&l);
		(void)json_strs(j, json_get(j, 0, "say"), &l);
		for (k = 0; k < l.n; k++)
			bullet(b, l.v[k]);
	}
}
