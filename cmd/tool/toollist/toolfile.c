#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "file.h"
#include "record.h"
#include "settings.h"
#include "toolfile.h"

/* What each key must be. */
static const struct {
	const char *key;
	enum { TEXT, LIST, OBJECT, BOOL, NUMBER, SAME, RECORD,
		FUNCTION, SPEAKS, RUN } kind;
	const char *why;
} keys[] = {
	{"name", SAME, "expected the name that the file has"},
	{"description", TEXT, "expected a text"},
	{"parameters", OBJECT, "expected a JSON Schema of type object"},
	{"guidance", TEXT, "expected a text"},
	{"readonly", BOOL, "expected true or false"},
	{"timeout", NUMBER, "expected seconds, a whole number over 0"},
	{"max", NUMBER, "expected bytes, a whole number over 0"},
	{"needs", LIST, "expected a list of commands"},
	{"paths", LIST, "expected a list of arguments"},
	{"with", RECORD, "expected a record type"},
	{"speaks", SPEAKS, "expected a list of context and tools"},
	{"setting", TEXT, "expected the name of a setting"},
	{"run", RUN, "expected \"agent\" or \"batch\""},
	{"agent", TEXT, "expected the name of an agent"},
	{"parallel", BOOL, "expected true or false"},
	/* Of OpenAI's shape, which says the same of fewer things. */
	{"type", FUNCTION, "expected \"function\""},
	{"strict", BOOL, "expected true or false"},
};

static int
bad(struct toolfile *t, int i, const char *why)
{
	struct span s = json_span(&t->json, i);

	t->why = why;
	json_where(t->text.p, (size_t)(s.p - t->text.p), &t->line, &t->col);
	return -1;
}

static int
isnames(const struct json *j, int i)
{
	int k;

	if (json_kind(j, i) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (json_kind(j, k) != JSON_STRING || json_is(j, k, ""))
			return 0;
	return 1;
}

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

/* What a tool may say on descriptor 3. */
static int
isspeech(const struct json *j, int i)
{
	int k;

	if (!isnames(j, i) || json_count(j, i) == 0)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (!json_is(j, k, "context") && !json_is(j, k, "tools"))
			return 0;
	return 1;
}

static int
fits(const struct json *j, int i, int kind, const char *name)
{
	enum json_kind is = json_kind(j, i);
	long long v;

	switch (kind) {
	case TEXT:
		return is == JSON_STRING && !json_is(j, i, "");
	case SAME:
		return json_is(j, i, name);
	case BOOL:
		return is == JSON_TRUE || is == JSON_FALSE;
	case NUMBER:
		return json_int(j, i, &v) == 0 && v > 0;
	case RECORD:
		return with(j, i) > 0;
	case SPEAKS:
		return isspeech(j, i);
	case FUNCTION:
		return json_is(j, i, "function");
	case RUN:
		return json_is(j, i, "agent") || json_is(j, i, "batch");
	case OBJECT:
		return is == JSON_OBJECT
		    && json_is(j, json_get(j, i, "type"), "object");
	default:
		return isnames(j, i);
	}
}

static int
check(struct toolfile *t, const char *name)
{
	const struct json *j = &t->json;
	size_t i, n = sizeof(keys) / sizeof(*keys);
	int k;

	t->at = 0;
	if (json_kind(j, 0) != JSON_OBJECT)
		return bad(t, 0, "expected an object");
	if (json_is(j, json_get(j, 0, "type"), "function")
	    && json_kind(j, json_get(j, 0, "function")) == JSON_OBJECT)
		t->at = json_get(j, 0, "function");
	for (k = json_first(j, t->at); k >= 0; k = json_next(j, k)) {
		for (i = 0; i < n && !json_is(j, k, keys[i].key); i++)
			continue;
		if (i == n)
			return bad(t, k, "expected a key of turnpipe-tools(5)");
		if (!fits(j, k + 1, (int)keys[i].kind, name))
			return bad(t, k + 1, keys[i].why);
	}
	if (json_get(j, t->at, "description") < 0)
		return bad(t, t->at, "expected a description");
	return 0;
}

int
toolfile_read(struct toolfile *t, const char *path, const char *name)
{
	enum file_result r;

	buf_reset(&t->text);
	t->isempty = 0;
	r = file_read(path, &t->text, TOOLFILE_MAX);
	if (r != FILE_OK) {
		t->line = t->col = 0;
		t->why = r == FILE_ERRNO ? strerror(errno) : file_why(r);
		return -1;
	}
	t->isempty = t->text.n == 0;
	return t->isempty ? -1 : toolfile_check(t, name);
}

int
toolfile_check(struct toolfile *t, const char *name)
{
	t->line = t->col = 0;
	t->flags = 0;
	if (json_parse(&t->json, buf_cstr(&t->text), t->text.n) < 0) {
		t->why = t->json.why;
		json_where(t->text.p, t->json.at, &t->line, &t->col);
		return -1;
	}
	return check(t, name);
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
	copy_key(b, t, "max");
	copy_key(b, t, "speaks");
	emit_close(b, '}');
	emit_close(b, '}');
}
