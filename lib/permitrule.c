#include <string.h>

#include "permitrule.h"

int
permit_check(const char *rule)
{
	const char *open = strchr(rule, '(');
	size_t n = strlen(rule);

	if (n == 0 || open == rule)
		return -1;
	if (open != NULL && rule[n - 1] != ')')
		return -1;
	return open == NULL && strchr(rule, ')') != NULL ? -1 : 0;
}
