#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "toolallow.h"

static struct strs deny;

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

void
toolallow_take(const struct json *j)
{
	listed(j, "tools_deny", &deny);
}

void
toolallow_apply(
    const struct json *j, struct toolselect *c, struct strs *required)
{
	static struct strs allow;

	strs_reset(&allow);
	toolselect_deny(c, &deny);
	/* An agent's empty list means no tools, not all. */
	if (listed(j, "tools", &allow))
		toolselect_allow(c, &allow);
	listed(j, "required_tools", required);
}

void
toolallow_reset(void)
{
	strs_reset(&deny);
}
