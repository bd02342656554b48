#include <stdlib.h>
#include <string.h>

#include "speech.h"
#include "tool.h"

enum { NEAR_NAME = 64 }; /* longer names are compared up to here */

static void
release(struct tool *t)
{
	free(t->name);
	free(t->exec);
	free(t->server);
	free(t->original);
	free(t->agent);
	free(t->limit);
	strs_free(&t->agents);
	strs_free(&t->fence);
	strs_free(&t->load);
	free(t->text);
	free(t->barred);
	strs_free(&t->paths);
	json_free(&t->json);
	memset(t, 0, sizeof(*t));
}

static long long
number(const struct json *j, int i)
{
	double v;

	return json_num(j, i, &v) == 0 && v > 0 && v < 1e15 ? (long long)v : 0;
}

void
tools_add(struct tools *t, const struct rec *r)
{
	struct strs speaks = { NULL, 0, 0 };
	struct tool x;
	struct json *j;
	int at, run;
	size_t i;

	memset(&x, 0, sizeof(x));
	j = record_json(r);
	at = json_get(j, 0, "function");
	x.name = json_dup(j, json_get(j, at >= 0 ? at : 0, "name"));
	if (x.name == NULL || *x.name == '\0')
		record_bad(r, json_get(j, at >= 0 ? at : 0, "name"),
		    "expected a tool's name");
	run = json_get(j, 0, "run");
	x.exec = json_dup(j, json_get(j, run, "exec"));
	if (x.exec != NULL && *x.exec != '/')
		record_bad(r, json_get(j, run, "exec"),
		    "expected an absolute path");
	if (x.exec == NULL && json_get(j, run, "mcp") >= 0
	    && json_get(j, run, "tool") >= 0) {
		x.server = json_dup(j, json_get(j, run, "mcp"));
		x.original = json_dup(j, json_get(j, run, "tool"));
		if (x.server == NULL || x.original == NULL)
			record_bad(r, run, "expected mcp and tool as strings");
	}
	(void)json_strs(j, json_get(j, run, "load"), &x.load);
	(void)json_strs(j, json_get(j, run, "speaks"), &speaks);
	if (strs_find(&speaks, "context") >= 0)
		x.speaks |= SPEECH_CONTEXT;
	if (strs_find(&speaks, "tools") >= 0)
		x.speaks |= SPEECH_TOOLS;
	x.barred = json_dup(j, json_get(j, 0, "barred"));
	strs_free(&speaks);
	x.isflags = json_is(j, json_get(j, run, "args"), "flags");
	x.isagent = json_is(j, json_get(j, run, "as"), "agent");
	x.isbatch = json_is(j, json_get(j, run, "as"), "batch");
	x.agent = json_dup(j, json_get(j, run, "agent"));
	(void)json_strs(j, json_get(j, run, "agents"), &x.agents);
	(void)json_strs(j, json_get(j, run, "tools"), &x.fence);
	x.isparallel = json_true(j, json_get(j, 0, "parallel"));
	x.timeout = number(j, json_get(j, run, "timeout"));
	x.limit = json_dup(j, json_get(j, run, "limit"));
	x.max = number(j, json_get(j, run, "max"));
	x.isreadonly = json_true(j, json_get(j, 0, "readonly"));
	(void)json_strs(j, json_get(j, 0, "paths"), &x.paths);
	x.isrequired = json_true(j, json_get(j, 0, "required"));
	x.text = xstrndup(r->s, r->n);
	json_tokens(&x.json, x.text, r->n, r->ntok);
	at = json_get(&x.json, 0, "function");
	x.parameters = json_get(&x.json, at >= 0 ? at : 0, "parameters");
	for (i = 0; i < t->n; i++)
		if (strcmp(t->v[i].name, x.name) == 0)
			break;
	if (i < t->n) {
		release(&t->v[i]);
	} else {
		grow(&t->v, &t->cap, t->n, sizeof(*t->v));
		t->n++;
	}
	t->v[i] = x;
}

const struct tool *
tools_find(const struct tools *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (strcmp(t->v[i].name, name) == 0)
			return &t->v[i];
	return NULL;
}

/* Letters and digits only, in lower case: ReadFile is read_file. */
static size_t
plain_name(char *to, const char *s)
{
	size_t n = 0;

	for (; *s != '\0' && n < NEAR_NAME; s++) {
		if (*s >= 'A' && *s <= 'Z')
			to[n++] = (char)(*s - 'A' + 'a');
		else if ((*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9')
		    || (unsigned char)*s >= 0x80)
			to[n++] = *s;
	}
	to[n] = '\0';
	return n;
}

/* Edits from one to the other (Levenshtein). */
static size_t
edits(const char *a, size_t an, const char *b, size_t bn)
{
	size_t row[NEAR_NAME + 1];
	size_t i, k, corner, old, best;

	for (k = 0; k <= bn; k++)
		row[k] = k;
	for (i = 0; i < an; i++) {
		corner = row[0];
		row[0] = i + 1;
		for (k = 0; k < bn; k++) {
			old = row[k + 1];
			best = corner + (a[i] != b[k]);
			if (old + 1 < best)
				best = old + 1;
			if (row[k] + 1 < best)
				best = row[k] + 1;
			row[k + 1] = best;
			corner = old;
		}
	}
	return row[bn];
}

int
tool_alike(const char *x, const char *y)
{
	char a[NEAR_NAME + 1], b[NEAR_NAME + 1];
	size_t an = plain_name(a, x), bn = plain_name(b, y);

	if (an == 0 || bn == 0)
		return 0;
	if ((an >= 3 && strstr(b, a) != NULL)
	    || (bn >= 3 && strstr(a, b) != NULL))
		return 1;
	return edits(a, an, b, bn) <= (an > bn ? an : bn) / 3;
}

void
tools_near(const struct tools *t, const char *name, size_t max,
    struct buf *b)
{
	size_t i, n = 0;
	int all;

	for (all = 0; all < 2 && n == 0; all++)
		for (i = 0; i < t->n && n < max; i++) {
			if (!all && !tool_alike(name, t->v[i].name))
				continue;
			if (n++ > 0)
				buf_puts(b, ", ");
			buf_puts(b, t->v[i].name);
		}
}

void
tools_reset(struct tools *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		release(&t->v[i]);
	t->n = 0;
}
