#include "diag.h"
#include "fileshape.h"
#include "path.h"
#include "schemafit.h"
#include "yamlparsed.h"

void
fileshape_check(const struct yamlfile *y, const char *name)
{
	static struct buf file, why;
	static struct json j;
	const struct yamlparsed *p;
	struct schema s = {&j, 0, 0};
	int at;

	if (yamlfile_isbuilt(y))
		return;
	buf_reset(&file);
	buf_printf(&file, "share/schemas/%s.json", name);
	p = yamlparsed_find(buf_cstr(&file));
	if (p == NULL)
		die(EX_SOFTWARE, "%s: not built in", buf_cstr(&file));
	json_tokens(&j, (const char *)p->json, p->jsonn, p->ntok);
	buf_reset(&why);
	if (schemafit_token(s, &y->json, 0, &at, &why) < 0)
		yamlfile_bad(y, at, buf_cstr(&why));
}

const struct json *
table_read(struct table *t, const char *rel, const char *name)
{
	static struct buf path;

	if (!t->sought && path_find(&path, rel) == 0) {
		yamlfile_load(&t->yml, buf_cstr(&path));
		if (name != NULL)
			fileshape_check(&t->yml, name);
	}
	t->sought = 1;
	return &t->yml.json;
}
