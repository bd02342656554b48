#include <string.h>

#include "diag.h"
#include "failure.h"
#include "fileshape.h"

const struct json *
failure_table(void)
{
	static struct table t;

	return table_read(&t, "faults.yaml", "faults");
}

const char *
failure_class(int status)
{
	static const char *const classes[] = { "again", "later", "final" };
	const struct json *j = failure_table();
	int top = j->ntok > 0 ? json_get(j, 0, "classes") : -1, i;
	long long v;
	size_t k;

	if (top < 0)
		die(EX_CONFIG, "faults.yaml: expected classes, a map");
	for (k = 0; k < sizeof(classes) / sizeof(*classes); k++)
		for (i = json_first(j, json_get(j, top, classes[k])); i >= 0;
		     i = json_next(j, i))
			if (json_int(j, i, &v) == 0 && v == status)
				return classes[k];
	return NULL;
}

int
failure_isfinal(int status)
{
	const char *class = status == 0 ? "final" : failure_class(status);

	return class != NULL && strcmp(class, "final") == 0;
}
