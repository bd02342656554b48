#include <stdlib.h>
#include <string.h>

#include "tooldef.h"

int
tooldef_named(const struct json *request, struct span name)
{
	int t = json_first(request, json_get(request, 0, "tools")), f;
	char *s;

	if (name.n == 0 || memchr(name.p, '\0', name.n) != NULL)
		return -1;
	s = xstrndup(name.p, name.n);
	for (f = -1; t >= 0; t = json_next(request, t)) {
		f = json_get(request, t, "function");
		if (f < 0)
			f = t;
		if (json_is(request, json_get(request, f, "name"), s))
			break;
	}
	free(s);
	return t < 0 ? -1 : f;
}

int
tooldef_find(const struct json *request, const struct json *j, int i)
{
	struct buf name = {0};
	int t = -1;

	if (json_str(j, i, &name) == 0)
		t = tooldef_named(request, buf_view(&name));
	buf_free(&name);
	return t;
}

struct schema
tooldef_schema(const struct json *request, int tool)
{
	struct schema s = {request, 0, -1};

	s.at = json_get(request, tool, "parameters");
	/* References are those of the schema, not of the request. */
	s.root = s.at;
	return s;
}
