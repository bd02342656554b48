#include "path.h"
#include "table.h"

const struct json *
table_read(struct table *t, const char *rel)
{
	if (!t->sought) {
		t->sought = 1;
		if (path_find(&t->path, rel) == 0)
			yml_load(&t->yml, buf_cstr(&t->path));
	}
	return &t->yml.json;
}
