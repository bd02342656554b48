#include "fileshape.h"
#include "match.h"
#include "toolgroup.h"

int
toolgroup_count(const char *text, const struct strs *names)
{
	static struct table groups;
	static struct strs l;
	const struct json *j;
	size_t i;
	int n = 0, group;

	strs_reset(&l);
	if (*text != '@') {
		strs_add(&l, text);
	} else {
		j = table_read(&groups, "rules/groups.yaml", "groups");
		group = j->ntok == 0 ? -1 : json_get(j, 0, text + 1);
		if (group < 0)
			return -1;
		(void)json_strs(j, group, &l);
	}
	for (i = 0; i < names->n; i++)
		n += match_any(&l, names->v[i]) != NULL;
	return n;
}
