#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "mcptools.h"
#include "record.h"
#include "resulttext.h"
#include "toolrec.h"
#include "warnonce.h"

static struct strs names; /* of all servers so far */

static const char *const kinds[] = { "", "object", "array", "string",
	"number", "boolean", "boolean", "null" };

static void
left_out(const char *server, const char *tool, const char *why)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "server %s: tool %s: left out: %s", server, tool, why);
	warnonce(buf_cstr(&b));
}

static void
full_name(struct buf *b, const char *server, const char *tool)
{
	size_t i;

	buf_reset(b);
	buf_printf(b, "%s_%s", server, tool);
	for (i = 0; i < b->n; i++)
		if (strchr("abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
			b->p[i]) == NULL || b->p[i] == '\0')
			b->p[i] = '_';
	if (b->n > TOOLREC_NAME)
		b->n = TOOLREC_NAME;
}

static void
put(const struct json *j, int i, const char *server, int istrusted)
{
	static struct buf b, name;
	int schema = json_get(j, i, "inputSchema");
	int text = json_get(j, i, "description");
	char *tool = json_dup(j, json_get(j, i, "name"));

	if (tool == NULL || *tool == '\0') {
		left_out(server, "", "expected a name");
		free(tool);
		return;
	}
	full_name(&name, server, tool);
	if (!json_is(j, json_get(j, schema, "type"), "object")) {
		left_out(server, tool, "expected an inputSchema of type "
				       "object");
		free(tool);
		return;
	}
	if (json_is(j, json_at(j, i, "execution.taskSupport"), "required")) {
		left_out(server, tool, "it runs as a task only");
		free(tool);
		return;
	}
	if (strs_find(&names, buf_cstr(&name)) >= 0) {
		left_out(server, tool, "another tool has the same name");
		free(tool);
		return;
	}
	strs_add(&names, buf_cstr(&name));
	if (json_kind(j, text) != JSON_STRING || json_is(j, text, ""))
		text = json_get(j, i, "title");
	emit_open(&b, '{');
	emit_pair(&b, "type", "tool");
	emit_pair(&b, "name", buf_cstr(&name));
	if (json_kind(j, text) == JSON_STRING)
		emit_pairj(&b, "description", json_span(j, text));
	else
		emit_pair(&b, "description", tool);
	emit_key(&b, "parameters");
	emit_compact(&b, json_span(j, schema));
	if (istrusted
	    && json_true(j, json_at(j, i, "annotations.readOnlyHint")))
		emit_pairb(&b, "readonly", 1);
	emit_key(&b, "run");
	emit_open(&b, '{');
	emit_pair(&b, "mcp", server);
	emit_pair(&b, "tool", tool);
	emit_close(&b, '}');
	emit_close(&b, '}');
	record_put(&b);
	free(tool);
}

void
mcptools_put(const struct json *j, int i, const char *server)
{
	static struct buf b, content;
	const char *pairs[] = { "server", NULL, "content", NULL, NULL };
	char *text;
	int said = json_get(j, i, "instructions"), k;
	int istrusted = json_true(j, json_get(j, i, "trust"));

	k = json_first(j, json_get(j, i, "tools"));
	if (k >= 0 && said >= 0) {
		text = json_dup(j, said);
		pairs[1] = server;
		pairs[3] = text != NULL ? text : "";
		buf_reset(&content);
		resulttext(&content, "mcp_instructions", pairs);
		free(text);
		emit_open(&b, '{');
		emit_pair(&b, "type", "section");
		emit_pair(&b, "id", "mcp-server");
		emit_pair(&b, "source", server);
		emit_pair(&b, "tag", "mcp-server");
		emit_pair(&b, "phase", "tools");
		emit_pairn(&b, "content", buf_cstr(&content), content.n);
		emit_close(&b, '}');
		record_put(&b);
	}
	for (; k >= 0; k = json_next(j, k))
		put(j, k, server, istrusted);
}

/* May a value be of this kind?  Without a type it may be of any. */
static int
allows(const struct strs *types, const char *kind)
{
	if (types->n == 0 || strs_find(types, kind) >= 0)
		return 1;
	return strcmp(kind, "number") == 0
	    && strs_find(types, "integer") >= 0;
}

static void
argument(struct buf *b, const struct json *j, int schema, const char *arg)
{
	static struct json v;
	struct strs types = { 0 };
	const char *eq = strchr(arg, '=');
	char *key;
	int isjson;

	if (eq == NULL || eq == arg)
		die(EX_USAGE, "expected KEY=VALUE, got '%s'", arg);
	key = xstrndup(arg, (size_t)(eq - arg));
	(void)json_strs(j, json_get(j, json_get(j,
	    json_get(j, schema, "properties"), key), "type"), &types);
	isjson = json_parse(&v, eq + 1, strlen(eq + 1)) == 0
	    && json_kind(&v, 0) != JSON_STRING
	    && allows(&types, kinds[json_kind(&v, 0)]);
	if (types.n > 0 && strs_find(&types, "string") >= 0)
		isjson = 0;
	else if (types.n > 0 && !isjson)
		die(EX_USAGE, "%s: expected a value of type %s, got '%s'",
		    key, types.v[0], eq + 1);
	emit_key(b, key);
	if (isjson)
		emit_compact(b, json_span(&v, 0));
	else
		emit_cstr(b, eq + 1);
	free(key);
	strs_free(&types);
}

void
mcptools_arguments(struct buf *b, const struct json *j, int schema,
    char *const *args)
{
	emit_open(b, '{');
	for (; *args != NULL; args++)
		argument(b, j, schema, *args);
	emit_close(b, '}');
}
