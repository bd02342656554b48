#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "file.h"
#include "jsonrepair.h"
#include "outschema.h"
#include "schemacheck.h"
#include "schemafit.h"
#include "template.h"
#include "textfile.h"

enum { SHAPE_MAX = 1 << 20, LONGEST = 64 };

static const char schema_path[] = "response_format.json_schema.schema";

static struct buf format; /* the value of response_format */

/* Providers want one; a title will do if it is of the right letters. */
static const char *
name(const struct json *j)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	static struct buf b;

	buf_reset(&b);
	if (json_str(j, json_get(j, 0, "title"), &b) < 0 || b.n == 0
	    || b.n > LONGEST || strspn(buf_cstr(&b), chars) != b.n)
		return "answer";
	return buf_cstr(&b);
}

void
outschema_open(const char *path)
{
	static struct buf text;
	static struct json j;
	struct schema s = {&j, 0, 0};
	enum file_result r;
	const char *why;
	size_t line, col;
	int at;

	buf_reset(&text);
	buf_reset(&format);
	r = file_read(path, &text, SHAPE_MAX);
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	if (json_parse(&j, text.p, text.n) < 0) {
		json_where(text.p, j.at, &line, &col);
		die_at(EX_DATAERR, path, line, col, j.why);
	}
	at = schemacheck_fault(s, &why);
	if (at >= 0) {
		json_where(text.p, (size_t)(json_span(&j, at).p - text.p),
		    &line, &col);
		die_at(EX_DATAERR, path, line, col, why);
	}
	emit_open(&format, '{');
	emit_pair(&format, "type", "json_schema");
	emit_key(&format, "json_schema");
	emit_open(&format, '{');
	emit_pair(&format, "name", name(&j));
	emit_pairb(&format, "strict", schemacheck_strict(s));
	emit_key(&format, "schema");
	emit_compact(&format, json_span(&j, 0));
	emit_close(&format, '}');
	emit_close(&format, '}');
}

int
outschema_request(struct buf *b, const struct json *j)
{
	int i = json_get(j, 0, "response_format"), k;

	if (format.n == 0 || (i >= 0 && json_kind(j, i) != JSON_NULL))
		return 0;
	emit_open(b, '{');
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k))
		if (k + 1 != i)
			emit_member(b, j, k);
	emit_pairj(b, "response_format", buf_view(&format));
	emit_close(b, '}');
	return 1;
}

/* What the model reads of the schema. */
static struct span
prose(struct span schema)
{
	static struct buf raw, text;
	static int read;
	struct hole holes[] = {{"schema", schema}, {NULL, {NULL, 0}}};

	if (!read)
		textfile_read(&raw, "prompts/schema.md");
	read = 1;
	buf_reset(&text);
	template_holes(&text, buf_cstr(&raw), raw.n, holes);
	return buf_view(&text);
}

static void
put_system(struct buf *b, struct span text)
{
	emit_open(b, '{');
	emit_pair(b, "role", "system");
	emit_pairn(b, "content", text.p, text.n);
	emit_close(b, '}');
}

/* The messages, with text after that of the first if it is the system's. */
static void
put_messages(struct buf *b, const struct json *j, struct span text)
{
	static struct buf s, both;
	int m = json_first(j, json_get(j, 0, "messages"));

	emit_open(b, '[');
	buf_reset(&s);
	if (text.n > 0 && json_is(j, json_get(j, m, "role"), "system")
	    && json_str(j, json_get(j, m, "content"), &s) == 0) {
		buf_puts(&s, "\n\n");
		buf_span(&s, text);
		buf_reset(&both);
		emit_str(&both, s.p, s.n);
		emit_object(b, j, m, "content", buf_view(&both));
		m = json_next(j, m);
	} else if (text.n > 0) {
		put_system(b, text);
	}
	for (; m >= 0; m = json_next(j, m))
		emit_span(b, json_span(j, m));
	emit_close(b, ']');
}

enum way { NATIVE, INSIDE, OBJECT, PROMPT };

/*
 * How the schema of j is sent, and what of it: in text, which is the whole
 * one where the provider takes all words.
 */
static enum way
way(struct span *text, const struct json *j, const struct provider *p,
    const char *model)
{
	static struct buf less;
	static struct json l;
	const struct json *q = provider_json(p);
	int at = json_at(j, 0, schema_path);
	int how = provider_word(p, "schema", model);
	struct strs drop = {NULL, 0, 0};
	struct schema s = {j, at, at};
	int strict;

	*text = json_span(j, at);
	if (json_is(q, how, "object"))
		return OBJECT;
	if (json_is(q, how, "prompt"))
		return PROMPT;
	strict = schemacheck_strict(s);
	if (json_strs(q, provider_at(p, "schema_drop"), &drop) >= 0) {
		buf_reset(&less);
		schemacheck_without(&less, s, &drop);
		*text = buf_view(&less);
		s = (struct schema){&l, 0, 0};
		strict = json_parse(&l, less.p, less.n) == 0
		    && schemacheck_strict(s);
	}
	strs_free(&drop);
	if (json_is(q, how, "inside"))
		return INSIDE;
	if (!json_is(q, how, "strict") || strict)
		return NATIVE;
	*text = json_span(j, at);
	return PROMPT;
}

/* response_format with another schema in it. */
static void
put_native(struct buf *b, const struct json *j, struct span schema)
{
	static struct buf in;
	int i = json_get(j, 0, "response_format");

	buf_reset(&in);
	emit_object(&in, j, json_get(j, i, "json_schema"), "schema", schema);
	emit_object(b, j, i, "json_schema", buf_view(&in));
}

static void
put_format(struct buf *b, const struct json *j, enum way how,
    struct span schema)
{
	if (how == PROMPT)
		return;
	emit_key(b, "response_format");
	if (how == NATIVE) {
		put_native(b, j, schema);
		return;
	}
	emit_open(b, '{');
	emit_pair(b, "type", "json_object");
	if (how == INSIDE)
		emit_pairj(b, "schema", schema);
	emit_close(b, '}');
}

int
outschema_adapt(struct buf *b, const struct json *j, const struct provider *p,
    const char *model)
{
	int schema = json_at(j, 0, schema_path), k;
	struct span sent, text = {"", 0};
	enum way how;

	if (schema < 0)
		return 0;
	how = way(&sent, j, p, model);
	if (how == NATIVE && sent.n == json_span(j, schema).n)
		return 0;
	if (how == OBJECT || how == PROMPT)
		text = prose(sent);
	emit_open(b, '{');
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		if (json_is(j, k, "response_format"))
			continue;
		emit_keyj(b, json_span(j, k));
		if (json_is(j, k, "messages"))
			put_messages(b, j, text);
		else
			emit_span(b, json_span(j, k + 1));
	}
	put_format(b, j, how, sent);
	emit_close(b, '}');
	return 1;
}

int
outschema_check(const struct json *j, struct span text, struct span *bare,
    struct buf *why)
{
	static struct json a;
	static struct buf path, what;
	struct schema s = {j, 0, -1};
	size_t line, col;

	*bare = text;
	s.root = s.at = json_at(j, 0, schema_path);
	if (s.at < 0)
		return 0;
	if (json_parse(&a, text.p, text.n) < 0) {
		json_where(text.p, a.at, &line, &col);
		buf_printf(why, "answer:%zu:%zu: %s", line, col, a.why);
		*bare = jsonrepair_unfence(text);
		if (bare->n == text.n
		    || json_parse(&a, bare->p, bare->n) < 0) {
			*bare = text;
			return -1;
		}
		buf_reset(why);
	}
	buf_reset(&path);
	buf_reset(&what);
	if (schemafit(s, &a, 0, &path, &what) == 0)
		return 0;
	buf_printf(why, "answer%s: %s", buf_cstr(&path), buf_cstr(&what));
	return -1;
}
