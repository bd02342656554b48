#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "match.h"

int
match_name(const char *pattern, const char *name)
{
	/* Most are plain names, and fnmatch is slow to find that out. */
	if (strpbrk(pattern, "*?[\\") == NULL)
		return strcmp(pattern, name) == 0;
	return fnmatch(pattern, name, 0) == 0;
}

const char *
match_any(const struct strs *patterns, const char *name)
{
	size_t i;

	for (i = 0; i < patterns->n; i++)
		if (match_name(patterns->v[i], name))
			return patterns->v[i];
	return NULL;
}
