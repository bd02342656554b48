#include "match.h"
#include "path.h"
#include "toolgroup.h"
#include "yamlfile.h"

static struct yamlfile groups;
static int looked, found;

static void
load(void)
{
	static struct buf path;
	static struct strs l;
	const struct json *j = &groups.json;
	int k;

	looked = 1;
	if (path_find(&path, "rules/groups.yaml") != 0)
		return;
	found = 1;
	yamlfile_load(&groups, buf_cstr(&path));
	if (json_kind(j, 0) != JSON_OBJECT)
		yamlfile_bad(&groups, 0, "expected groups by name");
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		strs_reset(&l);
		if (json_strs(j, k + 1, &l) != 0)
			yamlfile_bad(&groups, k + 1,
			    "expected a list of tool names");
	}
}

int
toolgroup_count(const char *text, const struct strs *names)
{
	static struct strs l;
	size_t i;
	int n = 0, group;

	strs_reset(&l);
	if (*text != '@') {
		strs_add(&l, text);
	} else {
		if (!looked)
			load();
		group = !found ? -1 : json_get(&groups.json, 0, text + 1);
		if (group < 0)
			return -1;
		(void)json_strs(&groups.json, group, &l);
	}
	for (i = 0; i < names->n; i++)
		n += match_any(&l, names->v[i]) != NULL;
	return n;
}
