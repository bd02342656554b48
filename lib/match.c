#include <stddef.h>

#include "match.h"

/* Only the last star is ever tried again, so the time is no worse than n*m. */
int
match_name(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;

	while (*name != '\0') {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star != NULL) {
			pattern = star;
			name = ++from;
		} else {
			return 0;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
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
