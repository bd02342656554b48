#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "file.h"
#include "fileshape.h"
#include "record.h"
#include "settings.h"
#include "toolfile.h"
#include "yamlparsed.h"

/* The record type that string i names; 0 if it is unknown. */
static int
with(const struct json *j, int i)
{
	char *s = json_dup(j, i);
	struct span name = {s, s == NULL ? 0 : strlen(s)};
	int type = s == NULL ? REC_OTHER : (int)record_type(name);

	free(s);
	return type;
}

int
toolfile_read(struct toolfile *t, const char *path, const char *name)
{
	enum file_result r;

	buf_reset(&t->text);
	buf_reset(&t->why);
	r = file_read(path, &t->text, TOOLFILE_MAX);
	t->isempty = r == FILE_OK && t->text.n == 0;
	if (r == FILE_OK && t->text.n > 0)
		return toolfile_check(t, path, name);
	buf_printf(&t->why, "%s: %s", path, file_why(r));
	return -1;
}

int
toolfile_check(struct toolfile *t, const char *path, const char *name)
{
	const struct json *j = &t->json;
	struct fileshape f = {path, j, NULL, 0, NULL, 0};
	const struct yamlparsed *p;
	size_t line, col;
	int i;

	buf_reset(&t->why);
	t->flags = t->at = 0;
	p = yamlparsed_same(buf_cstr(&t->text), t->text.n, YAMLFILE_STRICT);
	if (p != NULL) {
		json_tokens(&t->json, (const char *)p->json, p->jsonn, p->ntok);
	} else if (json_parse(&t->json, buf_cstr(&t->text), t->text.n) < 0) {
		json_where(t->text.p, j->at, &line, &col);
		buf_printf(&t->why, "%s:%zu:%zu: %s", path, line, col, j->why);
		return -1;
	}
	if (json_is(j, json_get(j, 0, "type"), "function")
	    && json_kind(j, json_get(j, 0, "function")) == JSON_OBJECT)
		t->at = json_get(j, 0, "function");
	if (p == NULL && fileshape_fit(&f, t->at, "tool", "$defs.tool", &t->why) < 0)
		return -1;
	i = json_get(j, t->at, "name");
	if (i >= 0 && !json_is(j, i, name))
		fileshape_fault(&f, i, "expected the name that the file has",
		    &t->why);
	i = json_get(j, t->at, "with");
	if (i >= 0 && with(j, i) <= 0)
		fileshape_fault(&f, i, "expected a record type", &t->why);
	return t->why.n > 0 ? -1 : 0;
}

int
toolfile_needs(const struct toolfile *t, struct strs *needs)
{
	(void)json_strs(&t->json, json_get(&t->json, t->at, "needs"), needs);
	return with(&t->json, json_get(&t->json, t->at, "with"));
}

int
toolfile_set(const struct toolfile *t)
{
	char *key = json_dup(&t->json, json_get(&t->json, t->at, "setting"));
	struct strs values = {NULL, 0, 0};
	int set;

	set = key == NULL
	    || (settings_words(key, &values) && values.n > 0
		&& *values.v[0] != '\0');
	strs_free(&values);
	free(key);
	return set;
}

int
toolfile_isbatch(const struct toolfile *t)
{
	return json_is(&t->json, json_get(&t->json, t->at, "run"), "batch");
}

static void
copy_key(struct buf *b, const struct toolfile *t, const char *key)
{
	int i = json_get(&t->json, t->at, key);

	if (i < 0)
		return;
	emit_key(b, key);
	emit_compact(b, json_span(&t->json, i));
}

void
toolfile_record(const struct toolfile *t, const char *name,
    const char *exec, struct buf *b)
{
	int at;

	emit_open(b, '{');
	emit_pair(b, "type", "tool");
	emit_pair(b, "name", name);
	copy_key(b, t, "description");
	if (json_get(&t->json, t->at, "parameters") < 0) {
		emit_key(b, "parameters");
		emit_open(b, '{');
		emit_pair(b, "type", "object");
		emit_key(b, "properties");
		emit_open(b, '{');
		emit_close(b, '}');
		emit_close(b, '}');
	}
	copy_key(b, t, "parameters");
	copy_key(b, t, "guidance");
	copy_key(b, t, "readonly");
	copy_key(b, t, "parallel");
	copy_key(b, t, "paths");
	emit_key(b, "run");
	emit_open(b, '{');
	if (!toolfile_isbatch(t))
		emit_pair(b, "exec", exec);
	if (t->flags)
		emit_pair(b, "args", "flags");
	at = json_get(&t->json, t->at, "run");
	if (at >= 0)
		emit_pairj(b, "as", json_span(&t->json, at));
	copy_key(b, t, "agent");
	copy_key(b, t, "timeout");
	copy_key(b, t, "limit");
	copy_key(b, t, "max");
	copy_key(b, t, "speaks");
	emit_close(b, '}');
	emit_close(b, '}');
}
