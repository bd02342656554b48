#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "confpair.h"
#include "cron.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "file.h"
#include "fileshape.h"
#include "hash.h"
#include "path.h"
#include "permitrule.h"
#include "record.h"
#include "settings.h"
#include "task.h"
#include "template.h"
#include "utf8.h"

enum {
	TASK_MAX = 1 << 20 /* bytes */
};

/* What goes into the config record as it is. */
static const char *const config[] = {"max_steps", "max_seconds", "max_tokens",
    "context_window", "temperature", "top_p", "seed", "reasoning_effort"};

static struct fileshape
shape(const struct task *t)
{
	return (struct fileshape){t->path, &t->front.yml.json,
	    t->front.yml.marks, 1, NULL, 0};
}

static _Noreturn void
bad(const struct task *t, int token, const char *why)
{
	struct fileshape f = shape(t);
	struct buf b = {0};

	fileshape_fault(&f, token, why, &b);
	die(EX_DATAERR, "%s", buf_cstr(&b));
}

static int
switched(const struct task *t, const char *key)
{
	return json_is(&t->front.yml.json,
	    json_get(&t->front.yml.json, 0, key), "true");
}

/* What the schema does not say of the value at key k. */
static const char *
fault(const struct json *j, int k)
{
	char *s = json_dup(j, k + 1);
	const char *why = NULL;

	if (json_is(j, k, "schedule"))
		why = cron_check(s);
	free(s);
	for (k = json_is(j, k, "defaults") ? json_first(j, k + 1) : -1;
	     k >= 0 && why == NULL; k = json_next(j, k)) {
		s = json_dup(j, k);
		if (s == NULL || !template_isname(s, strlen(s)))
			why = "expected names of holes, {lang: en}";
		free(s);
	}
	return why;
}

static void
check(const struct task *t)
{
	const struct json *j = &t->front.yml.json;
	struct fileshape f = shape(t);
	const char *why;
	struct strs rules = {0};
	struct buf b = {0};
	int k, some = 0;
	size_t i;

	if (t->front.yml.repeat.line > 0)
		die_at(EX_DATAERR, t->path, t->front.yml.repeat.line,
		    t->front.yml.repeat.col,
		    "expected a key that is not there yet");
	if (fileshape_fit(&f, 0, "task", NULL, &b) < 0)
		die(EX_DATAERR, "%s", buf_cstr(&b));
	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		why = fault(j, k);
		if (why != NULL)
			bad(t, k + 1, why);
		some += json_is(j, k, "tools")
		    || json_is(j, k, "required_tools")
		    || (json_is(j, k, "no_tools") && switched(t, "no_tools"));
		if (some > 1)
			bad(t, k, "expected one of tools, no_tools, "
				  "required_tools");
	}
	task_list(t, "allow", &rules);
	for (i = 0; i < rules.n; i++)
		if (permit_check(rules.v[i]) < 0
		    || strchr(rules.v[i], '\n') != NULL)
			bad(t, json_get(j, 0, "allow"),
			    "allow: expected TOOL or TOOL(PATTERN)");
	strs_free(&rules);
	if (t->body.n == 0)
		die_at(EX_DATAERR, t->path, t->front.bodyline, 1,
		    "expected what is to be done");
}

/* What a shell would drop and a model not read is no text. */
static void
text(struct task *t)
{
	const char *s = buf_cstr(&t->raw);
	size_t at = utf8_check(s, strlen(s)), line, col;

	if (at == t->raw.n)
		return;
	json_where(s, at, &line, &col);
	die_at(EX_DATAERR, t->path, line, col,
	    s[at] == '\0' ? "expected text without NUL" : "expected UTF-8");
}

void
task_read(struct task *t, const char *path)
{
	const char *name;
	enum file_result r;
	size_t n;

	t->path = realpath(path, NULL);
	if (t->path == NULL)
		die_sys(EX_NOINPUT, "%s", path);
	name = file_name(t->path);
	n = strlen(name);
	if (n > 3 && strcmp(name + n - 3, ".md") == 0)
		n -= 3;
	t->name = xstrndup(name, n);
	r = file_read(t->path, &t->raw, TASK_MAX);
	if (r != FILE_OK)
		die(EX_NOINPUT, "%s: %s", path, file_why(r));
	text(t);
	/* As blanks: the lines keep their numbers. */
	if (strncmp(buf_cstr(&t->raw), "#!", 2) == 0)
		memset(t->raw.p, ' ', strcspn(t->raw.p, "\n"));
	if (frontmatter_parse(&t->front, buf_cstr(&t->raw), t->raw.n) < 0)
		die_at(EX_DATAERR, t->path, t->front.line, t->front.col,
		    t->front.why);
	t->body = span_trim(t->front.body);
	check(t);
}

char *
task_get(const struct task *t, const char *key)
{
	const struct json *j = &t->front.yml.json;
	struct strs l = {NULL, 0, 0};
	struct buf b = {NULL, 0, 0};
	int v = json_get(j, 0, key);
	size_t i;

	if (json_kind(j, v) != JSON_ARRAY)
		return json_dup(j, v);
	json_strs(j, v, &l);
	for (i = 0; i < l.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? "," : "", l.v[i]);
	strs_free(&l);
	return buf_cstr(&b);
}

char *
task_schedule(const struct task *t)
{
	static const char mark[] = "schedule:";
	const char *p = t->front.yaml.p, *end = p + t->front.yaml.n, *nl, *why;
	size_t line = t->front.yamlline;
	char *own = task_get(t, "schedule");
	struct span s;

	for (; own == NULL && t->front.present && p < end; p = nl + 1, line++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		if (*p != '#')
			continue;
		s = span_trim((struct span){p + 1, (size_t)(nl - p - 1)});
		if (s.n < sizeof(mark) || memcmp(s.p, mark, sizeof(mark) - 1)
		    != 0)
			continue;
		s.p += sizeof(mark) - 1;
		s.n -= sizeof(mark) - 1;
		s = span_trim(s);
		own = xstrndup(s.p, s.n);
		why = cron_check(own);
		if (why != NULL)
			die_at(EX_DATAERR, t->path, line,
			    (size_t)(s.p - p) + 1, why);
	}
	return own;
}

int
task_list(const struct task *t, const char *key, struct strs *l)
{
	const struct json *j = &t->front.yml.json;
	int i = json_get(j, 0, key);
	char *s;

	if (i < 0)
		return 0;
	s = json_dup(j, i);
	if (s != NULL)
		strs_add(l, s);
	else
		json_strs(j, i, l);
	free(s);
	return 1;
}

/* The command that gets the answer at the end gets nothing before: its name. */
static void
deny_notifier(const struct task *t, struct strs *l)
{
	char *s = task_get(t, "notify"), *word;

	word = s == NULL ? NULL : strtok(s, " \t\n");
	if (word != NULL)
		strs_add(l, file_name(word));
	free(s);
}

/*
 * Append what it configures, but for the model: the limits, which tools are
 * offered and which are not.
 */
static void
put_config(const struct task *t, struct buf *b)
{
	struct strs l = {0};
	char *s;
	size_t i;

	for (i = 0; i < sizeof(config) / sizeof(*config); i++) {
		s = task_get(t, config[i]);
		if (s != NULL)
			confpair_put(b, config[i], s, strlen(s));
		free(s);
	}
	if (switched(t, "no_tools") || task_list(t, "tools", &l)
	    || task_list(t, "required_tools", &l))
		emit_strs(b, "tools", &l);
	if (json_get(&t->front.yml.json, 0, "required_tools") >= 0)
		emit_strs(b, "required_tools", &l);
	strs_reset(&l);
	settings_strs("task.deny", &l);
	task_list(t, "tools_deny", &l);
	deny_notifier(t, &l);
	emit_strs(b, "tools_deny", &l);
	strs_free(&l);
}

const char *
task_put(void)
{
	static struct task t;
	static struct buf b;
	static char *model;
	const char *path = env_get("TURNPIPE_TASK");

	if (path == NULL)
		return NULL;
	if (t.path == NULL) {
		task_read(&t, path);
		model = task_get(&t, "model");
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "config");
	emit_pair(&b, "by", "user");
	emit_pair(&b, "model", model);
	put_config(&t, &b);
	emit_close(&b, '}');
	record_put(&b);
	return model;
}

void
task_state(const struct task *t, struct buf *b, const char *suffix)
{
	const char *s;

	buf_printf(b, "%s/tasks/", path_state());
	for (s = t->name; *s != '\0'; s++)
		buf_putc(b, strchr(" \t\n\r'\"\\", *s) == NULL ? *s : '_');
	buf_putc(b, '-');
	hash_hex(b, t->path, strlen(t->path));
	buf_puts(b, suffix);
}
