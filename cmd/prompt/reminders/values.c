#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "env.h"
#include "fields.h"
#include "hash.h"
#include "loopcheck.h"
#include "match.h"
#include "settings.h"
#include "todos.h"
#include "turn.h"
#include "usertext.h"
#include "utf8.h"
#include "values.h"

enum { VALUES_MAX = 40 };

static struct {
	const char *name;
	double num;
	struct buf text;
	int isnum; /* text is made from num on demand */
} values[VALUES_MAX];
static size_t nvalues;

static struct tool {
	char *name; /* owned */
	int required, readonly;
	double cost; /* tokens of a result; < 0 if it does not say */
} *tools;
static size_t ntools, captools;

static struct fields state, config;
static struct todos todos;
static struct strs called; /* in this turn */
static struct loopcheck streak;
static int folded; /* the conversation begins with a summary */

static size_t
value(const char *name)
{
	size_t i;

	/* Each has but one place in the program where it is set. */
	for (i = 0; i < nvalues; i++)
		if (values[i].name == name)
			return i;
	if (nvalues == VALUES_MAX)
		abort();
	values[nvalues].name = name;
	return nvalues++;
}

static void
number(const char *name, double v)
{
	size_t i = value(name);

	values[i].num = v;
	values[i].isnum = 1;
}

static void
text(const char *name, const char *s, size_t n)
{
	size_t i = value(name);

	buf_reset(&values[i].text);
	buf_add(&values[i].text, s, n);
	values[i].num = (double)n;
}

/* A list: its number is that of its elements. */
static void
list(const char *name, const struct strs *l)
{
	size_t i = value(name), k;

	buf_reset(&values[i].text);
	for (k = 0; k < l->n; k++)
		buf_printf(&values[i].text, "%s%s", k > 0 ? ", " : "",
		    l->v[k]);
	values[i].num = (double)l->n;
}

static void
take_tool(const struct rec *r)
{
	const struct json *j;
	struct tool *t;
	int f;

	j = record_json(r);
	f = json_get(j, 0, "function");
	grow(&tools, &captools, ntools, sizeof(*tools));
	t = &tools[ntools];
	t->name = json_dup(j, json_get(j, f < 0 ? 0 : f, "name"));
	if (t->name == NULL)
		return;
	t->required = json_true(j, json_get(j, 0, "required"));
	t->readonly = json_true(j, json_get(j, 0, "readonly"));
	if (json_num(j, json_get(j, 0, "result_tokens"), &t->cost) < 0)
		t->cost = -1;
	ntools++;
}

void
values_take(const struct rec *r)
{
	const char *why;

	switch (r->type) {
	case REC_MESSAGE:
		turn_take(r);
		usertext_take(r);
		break;
	case REC_STATE: fields_merge(&state, record_json(r)); break;
	case REC_CONFIG: fields_merge(&config, record_json(r)); break;
	case REC_TOOL: take_tool(r); break;
	case REC_SUMMARY: folded = 1; break;
	case REC_TODO:
		if (todos_take(&todos, record_json(r), 0, &why) < 0)
			record_bad(r, 0, why);
		break;
	default: break;
	}
}

/* What a call costs: as those so far did, else as the tools say. */
static double
call_cost(void)
{
	double calls = fields_num(&state, "result_calls", 0), sum = 0;
	double dflt = settings_num("reminders.result_tokens");
	size_t i;

	if (calls > 0)
		return floor(fields_num(&state, "result_tokens", 0) / calls);
	for (i = 0; i < ntools; i++)
		sum += tools[i].cost >= 0 ? tools[i].cost : dflt;
	return ntools > 0 ? sum / (double)ntools : dflt;
}

/*
 * Calls that still fit: what is free, less a tenth of the window, by the
 * cost of one (Ally, sections 3 and 9).
 */
static void
derive_context(void)
{
	double used = fields_num(&state, "context_tokens", 0);
	double window = fields_num(&config, "context_window",
	    settings_num("context_window"));
	double most = settings_num("reminders.calls_max");
	double cost = call_cost(), left = most, percent = 0;

	if (window >= 1) {
		left = window - used - floor(window / 10);
		left = left < 0 ? 0 : floor(left / (cost < 1 ? 1 : cost));
		percent = floor(100 * used / window);
	}
	number("context_tokens", used);
	number("context_window", window);
	number("context_percent", percent < 100 ? percent : 100);
	number("calls_left", left < most ? left : most);
}

/* May a call of this tool change what others find?  Our own notes do not. */
static int
changes(const char *name)
{
	static struct strs notes;
	static int asked;
	size_t i;

	if (!asked)
		settings_strs("reminders.notes", &notes);
	asked = 1;
	for (i = 0; i < notes.n; i++)
		if (match_name(notes.v[i], name))
			return 0;
	for (i = 0; i < ntools; i++)
		if (strcmp(tools[i].name, name) == 0)
			return !tools[i].readonly;
	return 0;
}

static void
derive_calls(const struct json *j, const struct turn *t)
{
	struct strs missing = {NULL, 0, 0}, skills = {NULL, 0, 0};
	struct strs new = {NULL, 0, 0};
	size_t i;

	strs_reset(&called);
	json_strs(j, json_get(j, 0, "tools_called"), &called);
	json_strs(j, json_get(j, 0, "skills_loaded"), &skills);
	json_strs(j, json_get(j, 0, "skills_new"), &new);
	for (i = 0; i < ntools; i++)
		if (tools[i].required && strs_find(&called, tools[i].name) < 0)
			strs_add(&missing, tools[i].name);
	list("missing_tools", &missing);
	list("skills_loaded", &skills);
	list("skills_new", &new);
	number("misses", (double)fields_int(&state, "misses", t->misses));
	loopcheck_find(&streak, j, json_get(j, 0, "calls"),
	    t->seen ? (size_t)t->calls : SIZE_MAX,
	    t->seen ? (size_t)t->step_calls : 1, changes);
	number("repeated", (double)streak.repeated);
	text("repeated_tool", streak.tool != NULL ? streak.tool : "",
	    streak.tool != NULL ? strlen(streak.tool) : 0);
	number("empty_results", (double)streak.empty);
	number("calls", (double)t->good);
	strs_free(&missing);
	strs_free(&skills);
	strs_free(&new);
}

/* The end of a request that is quoted: at a sentence's or line's, if late. */
static size_t
quote(const char *s, size_t n, size_t max)
{
	size_t i;

	for (i = max; i > max * 6 / 10; i--)
		if (s[i - 1] == '.' || s[i - 1] == '\n')
			return i;
	return utf8_cut(s, n, max);
}

/*
 * Seconds since the user's message.  What the driver says, "BEGAN UP", when
 * that was by both clocks, stays right where one is set meanwhile.
 */
static double
elapsed(const struct turn *t)
{
	const char *s = env_get("TURNPIPE_BEGAN");
	double now = (double)clock_now(), seconds = 0;
	char *end;

	if (t->begun < 0)
		return 0;
	if (s != NULL && getenv("TURNPIPE_NOW") == NULL) {
		now = strtod(s, &end);
		seconds = (double)clock_up_ms() / 1000 - strtod(end, NULL);
		now = now > (double)t->begun ? now : (double)t->begun;
	}
	return now - (double)t->begun + seconds;
}

static void
derive_turn(const struct turn *t)
{
	static struct buf b;
	size_t max = settings_count("reminders.quote"), n;
	double limit =
	    fields_num(&config, "max_seconds", settings_num("max_seconds"));
	double gone = elapsed(t);
	double steps =
	    fields_num(&config, "max_steps", settings_num("max_steps"));
	double step = fields_num(&state, "step", 0);

	number("step", step);
	number("max_steps", steps);
	number("steps_left", steps > 0 ? steps - step : INFINITY);
	number("seconds", gone);
	number("seconds_left", limit > 0 ? limit - gone : INFINITY);
	number("time_percent", limit > 0 ? floor(100 * gone / limit) : 0);
	buf_reset(&b);
	turn_context(&b);
	text("tool_context", buf_cstr(&b), b.n);
	buf_reset(&b);
	buf_span(&b, buf_view(usertext_own()));
	number("prompt_bytes", (double)b.n);
	if (b.n > max) {
		n = quote(b.p, b.n, max);
		b.n = n;
		if (n == 0 || (b.p[n - 1] != '.' && b.p[n - 1] != '\n'))
			buf_puts(&b, "...");
	}
	while (b.n > 0 && b.p[b.n - 1] == '\n')
		b.n--;
	text("prompt", buf_cstr(&b), b.n);
}

/* What failed last, and how often it was tried again. */
static void
derive_failures(const struct json *j)
{
	static struct buf b;

	buf_reset(&b);
	json_str(j, json_at(j, 0, "error.message"), &b);
	text("error", buf_cstr(&b), b.n);
	number("retries", fields_num(&state, "retries", 0));
}

static void
derive_todos(void)
{
	static struct buf b;
	const char *now = "";
	size_t i, n[TODO_DONE + 1] = {0};

	for (i = 0; i < todos.n; i++) {
		n[todos.v[i].status]++;
		/* A subtask in progress says more than its parent. */
		if (todos.v[i].status == TODO_ACTIVE)
			now = todos.v[i].text;
	}
	number("todos", (double)todos.n);
	number("todos_open", (double)(n[TODO_PENDING] + n[TODO_ACTIVE]));
	number("todos_proposed", (double)n[TODO_PROPOSED]);
	number("todos_completed", (double)n[TODO_DONE]);
	text("todo_current", now, strlen(now));
	buf_reset(&b);
	todos_text(&b, &todos);
	text("todo_list", buf_cstr(&b), b.n > 0 ? b.n - 1 : 0);
}

void
values_derive(void)
{
	const struct json *j = fields_json(&state);
	const struct turn *t = turn_now();

	number("turn", fields_num(&state, "turn", 0));
	number("interrupted", json_true(j, json_get(j, 0, "interrupted")));
	number("partial", json_true(j, json_get(j, 0, "partial")));
	number("folded", folded);
	derive_failures(j);
	derive_calls(j, t);
	derive_context();
	derive_turn(t);
	derive_todos();
}

/* A field of a record as it is. */
static void
raw(struct fields *f, const char *key, double *num, const char **s)
{
	static struct buf b;
	const struct json *j = fields_json(f);
	struct span v;
	int i = json_get(j, 0, key);

	buf_reset(&b);
	if (json_str(j, i, &b) == 0) {
		*num = (double)b.n;
	} else if (json_num(j, i, num) < 0) {
		*num = json_true(j, i) ? 1 : (double)json_count(j, i);
	}
	v = json_span(j, i);
	if (b.n == 0 && json_kind(j, i) != JSON_STRING)
		buf_add(&b, v.p, v.n);
	if (s != NULL)
		*s = buf_cstr(&b);
}

int
values_get(const char *name, double *num, const char **s)
{
	size_t i;

	if (strncmp(name, "state.", 6) == 0 && name[6] != '\0') {
		raw(&state, name + 6, num, s);
		return 0;
	}
	if (strncmp(name, "config.", 7) == 0 && name[7] != '\0') {
		raw(&config, name + 7, num, s);
		return 0;
	}
	for (i = 0; i < nvalues; i++)
		if (*values[i].name == *name
		    && strcmp(values[i].name, name) == 0)
			break;
	if (i == nvalues)
		return -1;
	*num = values[i].num;
	if (s == NULL)
		return 0;
	if (values[i].isnum) {
		buf_reset(&values[i].text);
		buf_printf(&values[i].text, "%.0f", *num);
	}
	*s = buf_cstr(&values[i].text);
	return 0;
}

int
values_tool(const char *what, const char *glob)
{
	const struct strs *l = strcmp(what, "called") == 0 ? &called
	    : strcmp(what, "just_called") == 0		   ? &streak.step
							   : NULL;
	size_t i;

	for (i = 0; l != NULL && i < l->n; i++)
		if (match_name(glob, l->v[i]))
			return 1;
	if (l != NULL)
		return 0;
	if (strcmp(what, "tool") != 0)
		return -1;
	for (i = 0; i < ntools; i++)
		if (match_name(glob, tools[i].name))
			return 1;
	return 0;
}

int
values_every(const char *name, long long n)
{
	const struct turn *t = turn_now();

	if (strcmp(name, "calls") != 0 || n < 1)
		return -1;
	return t->good / n > (t->good - t->step_good) / n;
}

void
values_reset(void)
{
	fields_reset(&state);
	fields_reset(&config);
	todos_reset(&todos);
	turn_reset();
	usertext_reset();
	while (ntools > 0)
		free(tools[--ntools].name);
	folded = 0;
}

/* A leaf in its parts: the same ones are asked again and again. */
struct leaf {
	char *text, *copy; /* owned; copy has a NUL after each word */
	char *w[3];
	size_t n; /* words, 4 for more */
	double x; /* the third one, if isnum */
	int isnum;
};

static void
split(struct leaf *l, const char *text)
{
	char *s, *end;

	free(l->text);
	free(l->copy);
	memset(l, 0, sizeof(*l));
	l->text = xstrdup(text);
	s = l->copy = xstrdup(text);
	for (s += strspn(s, " \t\n"); *s != '\0' && l->n < 4;
	    s += strspn(s, " \t\n")) {
		if (l->n < 3)
			l->w[l->n] = s;
		l->n++;
		s += strcspn(s, " \t\n");
		if (*s != '\0')
			*s++ = '\0';
	}
	if (l->n < 3)
		return;
	l->x = strtod(l->w[2], &end);
	l->isnum = end > l->w[2] && *end == '\0';
}

static int
compare(double v, const char *op, double w)
{
	if (strcmp(op, "<") == 0)
		return v < w;
	if (strcmp(op, "<=") == 0)
		return v <= w;
	if (strcmp(op, "==") == 0)
		return v >= w && v <= w;
	if (strcmp(op, "!=") == 0)
		return v < w || v > w;
	if (strcmp(op, ">=") == 0)
		return v >= w;
	return strcmp(op, ">") == 0 ? v > w : -1;
}

static int
holds(const struct leaf *l)
{
	double v, x = l->x;

	if (l->n == 2)
		return values_tool(l->w[0], l->w[1]);
	if (l->n == 1)
		return values_get(l->w[0], &v, NULL) < 0 ? -1
		    : v < 0 || v > 0;
	if (l->n != 3 || !l->isnum)
		return -1;
	if (strcmp(l->w[1], "every") == 0)
		return x >= 1 && x < 1e9 ? values_every(l->w[0], (long long)x)
					 : -1;
	return values_get(l->w[0], &v, NULL) < 0 ? -1
	    : compare(v, l->w[1], x);
}

int
values_leaf(const char *leaf, void *unused)
{
	enum { LEAVES = 256 };
	static struct leaf leaves[LEAVES];
	struct leaf *l = &leaves[hash_bytes(leaf, strlen(leaf)) % LEAVES];

	(void)unused;
	if (l->text == NULL || strcmp(l->text, leaf) != 0)
		split(l, leaf);
	return holds(l);
}
