#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "diag.h"
#include "emit.h"
#include "file.h"
#include "json.h"
#include "path.h"

enum { AGENT_MAX = 1 << 20 };

int
agent_read(struct agent *a, const char *path)
{
	enum file_result r;

	buf_reset(&a->why);
	buf_reset(&a->text);
	free(a->path);
	a->path = xstrdup(path);
	r = file_read(path, &a->text, AGENT_MAX);
	if (r != FILE_OK) {
		buf_printf(&a->why, "%s: %s", path, file_why(r));
		return -1;
	}
	if (frontmatter_parse(&a->front, buf_cstr(&a->text), a->text.n) < 0) {
		buf_printf(&a->why, "%s:%zu:%zu: %s", path, a->front.line,
		    a->front.col, a->front.why);
		return -1;
	}
	a->body = span_trim(a->front.body);
	return 0;
}

void
agent_others(struct strs *l, const char *path)
{
	static struct strs all;
	static struct agent a;
	size_t i;

	path_list(&all, "agents", ".md");
	for (i = 0; i < all.n; i++) {
		if (strcmp(all.v[i], path) == 0)
			continue;
		if (agent_read(&a, all.v[i]) < 0)
			warn("%s", buf_cstr(&a.why));
		else if (json_get(&a.front.yml.json, 0, "description") >= 0)
			strs_add(l, all.v[i]);
	}
	strs_reset(&all);
}

/* What no configuration may say: what a record is, and whose word it is. */
static int
reserved(const char *key)
{
	return strcmp(key, "type") == 0 || strcmp(key, "by") == 0;
}

/* Take a field out of the object that is open in b. */
static void
drop(struct buf *b, const char *key)
{
	static struct buf whole;
	static struct json j;
	size_t start, end;
	struct span v;
	int i;

	buf_reset(&whole);
	buf_add(&whole, b->p, b->n);
	emit_close(&whole, '}');
	if (json_parse(&j, whole.p, whole.n) < 0
	    || (i = json_get(&j, 0, key)) < 0)
		return;
	v = json_span(&j, i);
	start = (size_t)(json_span(&j, i - 1).p - whole.p);
	end = (size_t)(v.p - whole.p) + v.n;
	if (whole.p[start - 1] == ',')
		start--;
	else if (whole.p[end] == ',')
		end++;
	memmove(b->p + start, b->p + end, b->n - end);
	b->n -= end - start;
}

void
agent_field(struct buf *b, const char *key, const char *value, size_t n)
{
	static struct json j;

	drop(b, key);
	emit_key(b, key);
	if (json_parse(&j, value, n) == 0 && json_kind(&j, 0) != JSON_STRING)
		emit_raw(b, value, n);
	else
		emit_str(b, value, n);
}

int
agent_pair(struct buf *b, const char *arg)
{
	const char *eq = strchr(arg, '=');
	char *key;
	int r = -1;

	if (eq == NULL || eq == arg)
		return -1;
	key = xstrndup(arg, (size_t)(eq - arg));
	if (!reserved(key)) {
		agent_field(b, key, eq + 1, strlen(eq + 1));
		r = 0;
	}
	free(key);
	return r;
}

/* Front matter is written for other programs too; what we know of it. */
static int
known(const struct json *j, int k)
{
	static const char *const keys[] = {"name", "description", "model",
	    "tools", "tools_deny", "required_tools", "requirements",
	    "max_steps", "max_seconds", "max_tokens", "context_window",
	    "temperature", "temperature_max", "top_p", "top_k", "min_p",
	    "seed", "stop", "presence_penalty", "frequency_penalty",
	    "reasoning_effort", "reasoning", "thinking", "verbosity",
	    "response_format", "tool_choice", "parallel_tool_calls",
	    "service_tier"};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (json_is(j, k, keys[i]))
			return 1;
	return 0;
}

void
agent_unknown(const struct agent *a)
{
	const struct json *j = &a->front.yml.json;
	const struct yamlfile_mark *m;
	char *key;
	int k;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		if (known(j, k))
			continue;
		m = &a->front.yml.marks[k];
		key = json_dup(j, k);
		warn("%s:%zu:%zu: expected a key of turnpipe-agents(5), not "
		     "'%s': it is not used", a->path, m->line, m->col,
		    key == NULL ? "" : key);
		free(key);
	}
}

void
agent_config(const struct agent *a, struct buf *b)
{
	static struct buf text;
	const struct json *j = &a->front.yml.json;
	char *key;
	int k;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		key = json_dup(j, k);
		buf_reset(&text);
		if (key == NULL || strcmp(key, "name") == 0
		    || strcmp(key, "description") == 0 || !known(j, k)) {
			free(key);
			continue;
		}
		if (json_str(j, k + 1, &text) == 0) {
			agent_field(b, key, text.p, text.n);
		} else {
			drop(b, key);
			emit_pairj(b, key, json_span(j, k + 1));
		}
		free(key);
	}
}
