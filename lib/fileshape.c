#include "diag.h"
#include "fileshape.h"
#include "path.h"
#include "schemafit.h"
#include "yamlparsed.h"

/* The schema of that name; the one used last is kept. */
static struct schema
named(const char *name)
{
	static struct buf file, last;
	static struct json j;
	const struct yamlparsed *p;

	buf_reset(&file);
	buf_printf(&file, "share/schemas/%s.json", name);
	if (!span_same(buf_view(&file), buf_view(&last))) {
		p = yamlparsed_find(buf_cstr(&file));
		if (p == NULL)
			die(EX_SOFTWARE, "%s: not built in", buf_cstr(&file));
		json_tokens(&j, (const char *)p->json, p->jsonn, p->ntok);
		buf_reset(&last);
		buf_span(&last, buf_view(&file));
	}
	return (struct schema){&j, 0, 0};
}

void
fileshape_fault(const struct fileshape *f, int i, const char *what,
    struct buf *b)
{
	const struct json *j = f->json;
	size_t line, col;

	if (f->marks != NULL) {
		line = f->marks[i].line;
		col = f->marks[i].col;
	} else {
		json_where(j->s, (size_t)(json_span(j, i).p - j->s), &line,
		    &col);
		if (f->line > 0)
			line += f->line - 1;
	}
	buf_printf(b, "%s:%zu:%zu: %s", f->path, line, col, what);
}

static void
report_unknown(void *shape, int key, const char *why)
{
	static struct buf b;
	const struct fileshape *f = shape;

	buf_reset(&b);
	fileshape_fault(f, key, why, &b);
	f->unknown(buf_cstr(&b));
}

int
fileshape_fit(const struct fileshape *f, int at, const char *name,
    const char *def, struct buf *why)
{
	static struct buf what;
	struct fileshape own = *f;
	struct schemafit_file file = {f->istext,
	    f->unknown != NULL ? report_unknown : NULL, &own};
	struct schema s = named(name);

	if (def != NULL)
		s.at = json_at(s.j, 0, def);
	buf_reset(&what);
	if (schemafit_file(s, f->json, at, &file, &at, &what) == 0)
		return 0;
	fileshape_fault(f, at, buf_cstr(&what), why);
	return -1;
}

int
fileshape_uses(const char *name, const char *key)
{
	struct schema s = named(name);
	int at = json_get(s.j, json_get(s.j, 0, "properties"), key);

	return !json_is(s.j, json_get(s.j, at, "$ref"), "#/$defs/unused");
}

void
fileshape_check(const struct yamlfile *y, const char *name)
{
	struct fileshape f = {y->path, &y->json, y->marks, 0, NULL, 0};
	struct buf why = {0};

	if (!yamlfile_isbuilt(y) && fileshape_fit(&f, 0, name, NULL, &why) < 0)
		die(EX_CONFIG, "%s", buf_cstr(&why));
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
