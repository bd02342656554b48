#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "gauge.h"
#include "settings.h"

/* The values there are; what is not set is 0 and "". */
enum {
	G_CONTEXT_PERCENT,
	G_CONTEXT_TOKENS,
	G_CONTEXT_WINDOW,
	G_CALLS_LEFT,
	G_STEP,
	G_MAX_STEPS,
	G_STEPS_LEFT,
	G_INTERRUPTED,
	G_PARTIAL,
	G_MISSING_TOOLS,
	G_REPEATED,
	G_REPEATED_TOOL,
	G_EMPTY_RESULTS,
	G_SKILLS_LOADED,
	G_TODOS,
	G_TODOS_OPEN,
	G_TODO_CURRENT,
	G_MANY
};

static struct {
	const char *name;
	double num;
	struct buf text;
} values[G_MANY] = {
    [G_CONTEXT_PERCENT] = {.name = "context_percent"},
    [G_CONTEXT_TOKENS] = {.name = "context_tokens"},
    [G_CONTEXT_WINDOW] = {.name = "context_window"},
    [G_CALLS_LEFT] = {.name = "calls_left"},
    [G_STEP] = {.name = "step"},
    [G_MAX_STEPS] = {.name = "max_steps"},
    [G_STEPS_LEFT] = {.name = "steps_left"},
    [G_INTERRUPTED] = {.name = "interrupted"},
    [G_PARTIAL] = {.name = "partial"},
    [G_MISSING_TOOLS] = {.name = "missing_tools"},
    [G_REPEATED] = {.name = "repeated"},
    [G_REPEATED_TOOL] = {.name = "repeated_tool"},
    [G_EMPTY_RESULTS] = {.name = "empty_results"},
    [G_SKILLS_LOADED] = {.name = "skills_loaded"},
    [G_TODOS] = {.name = "todos"},
    [G_TODOS_OPEN] = {.name = "todos_open"},
    [G_TODO_CURRENT] = {.name = "todo_current"},
};

static struct fields state, config;
static struct strs required; /* tools that must be called */

static void
number(int g, double v)
{
	values[g].num = v;
	buf_reset(&values[g].text);
	buf_printf(&values[g].text, "%.0f", v);
}

static void
text(int g, const char *s)
{
	buf_reset(&values[g].text);
	buf_puts(&values[g].text, s);
	values[g].num = (double)values[g].text.n;
}

static void
take_todo(const struct json *j)
{
	int status = json_get(j, 0, "status");
	char *s;

	values[G_TODOS].num++;
	if (json_is(j, status, "completed"))
		return;
	values[G_TODOS_OPEN].num++;
	/* A subtask in progress says more than its parent. */
	if (json_is(j, status, "in_progress")) {
		s = json_dup(j, json_get(j, 0, "text"));
		text(G_TODO_CURRENT, s != NULL ? s : "");
		free(s);
	}
}

void
gauge_take(const struct rec *r)
{
	const struct json *j;
	char *s;

	if (r->type != REC_STATE && r->type != REC_CONFIG
	    && r->type != REC_TOOL && r->type != REC_TODO)
		return;
	j = record_json(r);
	if (r->type == REC_STATE) {
		fields_merge(&state, j);
	} else if (r->type == REC_CONFIG) {
		fields_merge(&config, j);
	} else if (r->type == REC_TODO) {
		take_todo(j);
	} else if (json_true(j, json_get(j, 0, "required"))) {
		s = json_dup(j, json_get(j, 0, "name"));
		if (s != NULL)
			strs_add(&required, s);
		free(s);
	}
}

/*
 * Calls that still fit: what is free, less a tenth of the window, by the
 * size of a result so far (Ally, sections 3 and 9).
 */
static void
derive_context(void)
{
	double used = fields_num(&state, "context_tokens", 0);
	double window = fields_num(&config, "context_window",
	    settings_num("context_window", 0));
	double calls = fields_num(&state, "result_calls", 0);
	double average = settings_num("reminders.result_tokens", 400);
	double most = settings_num("reminders.calls_max", 50), left;

	number(G_CONTEXT_TOKENS, used);
	number(G_CONTEXT_WINDOW, window);
	number(G_CALLS_LEFT, most);
	number(G_CONTEXT_PERCENT, 0);
	if (window < 1)
		return;
	if (calls > 0)
		average = (double)(long long)(fields_num(&state,
					       "result_tokens", 0)
		    / calls);
	left = window - used - (double)(long long)(window / 10);
	left = left < 0 ? 0 : left;
	left = average < 1 ? most : (double)(long long)(left / average);
	number(G_CALLS_LEFT, left < most ? left : most);
	left = (double)(long long)(100 * used / window);
	number(G_CONTEXT_PERCENT, left < 100 ? left : 100);
}

/* How often the last call stands among the last ones, and empty ones. */
static void
derive_calls(const struct json *j)
{
	int calls = json_get(j, 0, "calls"), i, last = -1, n = 0, empty = 0;
	struct span a, b;
	char *s;

	for (i = json_first(j, calls); i >= 0; i = json_next(j, i)) {
		last = i;
		empty = json_true(j, json_get(j, i, "empty")) ? empty + 1 : 0;
	}
	a = json_span(j, json_get(j, last, "hash"));
	for (i = json_first(j, calls); a.n > 0 && i >= 0; i = json_next(j, i)) {
		b = json_span(j, json_get(j, i, "hash"));
		n += b.n == a.n && memcmp(a.p, b.p, a.n) == 0;
	}
	number(G_REPEATED, n);
	number(G_EMPTY_RESULTS, empty);
	s = json_dup(j, json_get(j, last, "name"));
	text(G_REPEATED_TOOL, s != NULL ? s : "");
	free(s);
}

static void
derive_missing(const struct json *j)
{
	static struct buf b;
	struct strs called = {0};
	size_t i, n = 0;

	buf_reset(&b);
	json_strs(j, json_get(j, 0, "tools_called"), &called);
	for (i = 0; i < required.n; i++)
		if (strs_find(&called, required.v[i]) < 0)
			buf_printf(&b, "%s%s", n++ > 0 ? ", " : "",
			    required.v[i]);
	text(G_MISSING_TOOLS, buf_cstr(&b));
	values[G_MISSING_TOOLS].num = (double)n;
	strs_reset(&called);
	free(called.v);
}

static void
derive_skills(const struct json *j)
{
	static struct buf b;
	struct strs l = {0};
	size_t i;

	buf_reset(&b);
	json_strs(j, json_get(j, 0, "skills_loaded"), &l);
	for (i = 0; i < l.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", l.v[i]);
	text(G_SKILLS_LOADED, buf_cstr(&b));
	values[G_SKILLS_LOADED].num = (double)l.n;
	strs_reset(&l);
	free(l.v);
}

void
gauge_derive(void)
{
	const struct json *j;
	double max = fields_num(&config, "max_steps",
	    settings_num("max_steps", 0));
	double step = fields_num(&state, "step", 0);

	j = fields_json(&state);
	number(G_INTERRUPTED, json_true(j, json_get(j, 0, "interrupted")));
	number(G_PARTIAL, json_true(j, json_get(j, 0, "partial")));
	derive_calls(j);
	derive_missing(j);
	derive_skills(j);
	derive_context();
	number(G_STEP, step);
	number(G_MAX_STEPS, max);
	number(G_STEPS_LEFT, max > 0 ? max - step : 1000000);
	number(G_TODOS, values[G_TODOS].num);
	number(G_TODOS_OPEN, values[G_TODOS_OPEN].num);
}

int
gauge_get(const char *name, double *num, const char **s)
{
	int i;

	for (i = 0; i < G_MANY; i++)
		if (strcmp(values[i].name, name) == 0) {
			*num = values[i].num;
			if (s != NULL)
				*s = buf_cstr(&values[i].text);
			return 0;
		}
	return -1;
}

int
gauge_leaf(const char *leaf, void *unused)
{
	char name[64], op[3], *end;
	double v, w;
	int n = 0;

	(void)unused;
	if (sscanf(leaf, "%63[a-z_] %2[<>=!] %n", name, op, &n) < 2) {
		if (gauge_get(leaf, &v, NULL) < 0)
			return -1;
		return v != 0;
	}
	w = strtod(leaf + n, &end);
	if (n == 0 || end == leaf + n || *end != '\0'
	    || gauge_get(name, &v, NULL) < 0)
		return -1;
	if (strcmp(op, "<") == 0)
		return v < w;
	if (strcmp(op, "<=") == 0)
		return v <= w;
	if (strcmp(op, "==") == 0)
		return v == w;
	if (strcmp(op, "!=") == 0)
		return v != w;
	if (strcmp(op, ">=") == 0)
		return v >= w;
	return strcmp(op, ">") == 0 ? v > w : -1;
}

void
gauge_reset(void)
{
	int i;

	for (i = 0; i < G_MANY; i++) {
		values[i].num = 0;
		buf_reset(&values[i].text);
	}
	fields_reset(&state);
	fields_reset(&config);
	strs_reset(&required);
}
