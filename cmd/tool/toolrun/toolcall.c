#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chat.h"
#include "hash.h"
#include "jsonstr.h"
#include "resulttext.h"
#include "schemafit.h"
#include "toolcall.h"

enum { NEAR_MAX = 20 }; /* tools named in place of an unknown one */

void
toolcalls_reset(struct toolcalls *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		free(c->v[i].id);
		free(c->v[i].name);
		buf_free(&c->v[i].text);
		json_free(&c->v[i].args);
		strs_free(&c->v[i].agreed);
		strs_free(&c->v[i].led);
		free(c->v[i].cwd);
		buf_free(&c->v[i].mark);
	}
	c->n = 0;
	free(c->slots);
	c->slots = NULL;
	c->nslots = 0;
	c->ispartial = 0;
	c->isresumed = 0;
	c->issilent = 0;
}

/* Arguments come as a JSON text in a string, or as the object itself. */
void
toolcalls_add(
    struct toolcalls *c, const char *id, const struct json *j, int i)
{
	struct toolcall *x;
	int at = json_get(j, i, "arguments");

	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	x = &c->v[c->n++];
	memset(x, 0, sizeof(*x));
	x->id = xstrdup(id);
	x->name = json_dup(j, json_get(j, i, "name"));
	if (x->name == NULL)
		x->name = xstrdup("");
	if (json_str(j, at, &x->text) < 0 && at >= 0
	    && json_kind(j, at) != JSON_NULL)
		buf_span(&x->text, json_span(j, at));
	if (x->text.n == 0)
		buf_puts(&x->text, "{}");
	buf_putc(&x->text, '\n');
}

static void
add_call(struct toolcalls *c, const struct rec *r, const struct json *j, int i)
{
	char *id = json_dup(j, json_get(j, i, "id"));

	if (id == NULL || *id == '\0')
		record_bad(r, i, "expected a tool call with an id");
	toolcalls_add(c, id, j, json_get(j, i, "function"));
	if (*c->v[c->n - 1].name == '\0')
		record_bad(r, i, "expected a tool call with a name");
	free(id);
}

struct toolcall *
toolcalls_find(struct toolcalls *c, const char *id)
{
	size_t i, at, size;

	if (c->nslots == 0 && c->n > 0) {
		for (size = 4; size < 2 * c->n; size *= 2)
			continue;
		c->slots = xreallocarray(NULL, size, sizeof(*c->slots));
		memset(c->slots, 0, size * sizeof(*c->slots));
		c->nslots = size;
		for (i = 0; i < c->n; i++) {
			at = hash_bytes(c->v[i].id, strlen(c->v[i].id))
			    & (size - 1);
			while (c->slots[at] != 0 && strcmp(
				c->v[c->slots[at] - 1].id, c->v[i].id) != 0)
				at = (at + 1) & (size - 1);
			if (c->slots[at] == 0)
				c->slots[at] = i + 1;
		}
	}
	if (c->nslots == 0)
		return NULL;
	at = hash_bytes(id, strlen(id)) & (c->nslots - 1);
	for (; c->slots[at] != 0; at = (at + 1) & (c->nslots - 1))
		if (strcmp(c->v[c->slots[at] - 1].id, id) == 0)
			return &c->v[c->slots[at] - 1];
	return NULL;
}

/* The call with this id, a JSON value, has its result. */
static void
answer(struct toolcalls *c, struct span id)
{
	static struct buf b;
	struct toolcall *x;

	if (c->n == 0 || id.n < 2 || *id.p != '"')
		return;
	buf_reset(&b);
	jsonstr_text(&b, id);
	x = strlen(buf_cstr(&b)) == b.n ? toolcalls_find(c, b.p) : NULL;
	if (x != NULL)
		x->answered = 1;
}

void
toolcalls_take(struct toolcalls *c, const struct rec *r)
{
	const struct json *j;
	int calls, i;

	if (span_is(r->role, "tool"))
		answer(c, record_member(r, "tool_call_id"));
	if (!span_is(r->role, "assistant") && !span_is(r->role, "user"))
		return;
	toolcalls_reset(c);
	if (span_is(r->role, "user"))
		return;
	j = record_json(r);
	c->ispartial = json_true(j, json_at(j, 0, "tp.partial"));
	calls = json_get(j, 0, "tool_calls");
	for (i = json_first(j, calls); i >= 0; i = json_next(j, i))
		add_call(c, r, j, i);
	c->issilent = c->n == 0 && chat_silent(j);
}

/* One more problem: at a member, if path tells one. */
static void
problem(struct buf *b, const struct buf *path, struct span why)
{
	struct span at = buf_view(path);

	buf_puts(b, b->n > 0 ? "; " : "");
	if (at.n > 0 && *at.p == '.') {
		at.p++;
		at.n--;
	}
	buf_span(b, at);
	buf_puts(b, at.n > 0 ? ": " : "");
	buf_span(b, why);
}

/* All that is wrong at the top, and of each member the first. */
static void
compare(const struct tool *t, const struct json *j, struct buf *b)
{
	struct schema s = { &t->json, t->parameters, t->parameters }, in;
	struct buf name = { 0 }, path = { 0 }, why = { 0 };
	int k;

	s = schema_ref(s);
	k = json_first(s.j, json_get(s.j, s.at, "required"));
	for (; k >= 0; k = json_next(s.j, k)) {
		buf_reset(&name);
		if (json_str(s.j, k, &name) < 0
		    || json_get(j, 0, buf_cstr(&name)) >= 0)
			continue;
		buf_reset(&why);
		buf_puts(&why, "expected a member ");
		buf_span(&why, json_span(s.j, k));
		problem(b, &path, buf_view(&why));
	}
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		buf_reset(&path);
		buf_reset(&why);
		json_str(j, k, &name);
		in = schema_member(s, buf_view(&name));
		schema_enter(&path, buf_view(&name));
		if (json_kind(in.j, in.at) == JSON_FALSE)
			buf_puts(&why, "expected no such member");
		else
			schemafit(in, j, k + 1, &path, &why);
		if (why.n > 0)
			problem(b, &path, buf_view(&why));
	}
	buf_reset(&path);
	buf_reset(&why);
	if (b->n == 0 && schemafit(s, j, 0, &path, &why) < 0)
		problem(b, &path, buf_view(&why));
	buf_free(&name);
	buf_free(&path);
	buf_free(&why);
}

static int
unreadable(struct buf *b, const struct toolcall *c, const char *why)
{
	const char *pairs[] = { "line", NULL, "column", NULL, "why", why,
		NULL };
	char line[24], col[24];
	size_t l, k;

	json_where(c->text.p, c->args.at, &l, &k);
	snprintf(line, sizeof(line), "%zu", l);
	snprintf(col, sizeof(col), "%zu", k);
	pairs[1] = line;
	pairs[3] = col;
	resulttext(b, "unreadable", pairs);
	return -1;
}

int
toolcall_check(struct toolcall *c, const struct tools *t, struct buf *b)
{
	const char *pairs[] = { "name", c->name, "names", NULL, NULL };
	struct buf text = { 0 };
	int r = -1;

	c->tool = tools_find(t, c->name);
	c->offer = t;
	if (c->tool == NULL) {
		tools_near(t, c->name, NEAR_MAX, &text);
		buf_puts(&text, text.n == 0 ? "(none)" : "");
		pairs[3] = buf_cstr(&text);
		resulttext(b, "unknown", pairs);
	} else if (c->tool->exec == NULL && c->tool->original == NULL
	    && c->tool->load.n == 0 && !c->tool->isbatch) {
		resulttext(b, "elsewhere", pairs);
	} else if (c->tool->barred != NULL) {
		pairs[3] = c->tool->barred;
		resulttext(b, "barred", pairs);
	} else if (json_parse(&c->args, c->text.p, c->text.n - 1) < 0) {
		unreadable(b, c, c->args.why);
	} else if (json_kind(&c->args, 0) != JSON_OBJECT) {
		c->args.at = 0;
		unreadable(b, c, "expected an object");
	} else {
		compare(c->tool, &c->args, &text);
		pairs[2] = "problems";
		pairs[3] = buf_cstr(&text);
		if (text.n > 0)
			resulttext(b, "arguments", pairs);
		else
			r = 0;
	}
	buf_free(&text);
	return r;
}

char *
toolcall_command(const struct toolcall *c)
{
	return json_dup(&c->args, json_get(&c->args, 0, "command"));
}

char *
toolcall_agent(const struct toolcall *c)
{
	int k;

	if (!c->tool->isagent)
		return NULL;
	if (c->tool->agent != NULL)
		return xstrdup(c->tool->agent);
	k = json_get(&c->args, 0, "agent_name");
	if (k >= 0)
		return json_dup(&c->args, k);
	return json_dup(&c->tool->json, json_at(&c->tool->json,
	    c->tool->parameters, "properties.agent_name.default"));
}
