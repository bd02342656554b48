#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "toolenv.h"

enum {
	ARG_MAX_VALUE = 4096,
	ARG_MAX_ALL = 65536 /* execve(2) fails when it is all too much */
};

extern char **environ;

enum { TOOL = TOOLENV_TOOL, AGENT = TOOLENV_AGENT, TASK = TOOLENV_TASK };

/*
 * TURNPIPE_...; turnpipe(7) has the same lines, with who sets and reads each.
 * What an agent and a call are given anew goes to no one.
 */
static const struct {
	const char *name;
	int to;
} ours[] = {
	{"AGENT", TOOL | AGENT | TASK},
	{"AGREED", 0},
	{"ASK", AGENT | TASK},
	{"ASK_FD", 0},
	{"ASK_LATER", AGENT | TASK},
	{"BEGAN", 0},
	{"BLAME", 0},
	{"BOOK", 0},
	{"BUDGETS", AGENT | TASK},
	{"BUSY", 0},
	{"CALL", AGENT | TASK},
	{"CHAT", AGENT},
	{"DEPTH", AGENT},
	{"DRY", AGENT},
	{"EXPLAIN", 0},
	{"GUARD", AGENT | TASK},
	{"LOCK_FD", 0},
	{"MADE", 0},
	{"MCP", AGENT | TASK},
	{"MCP_HEADERS", 0},
	{"MODEL", AGENT | TASK},
	{"NOW", TOOL | AGENT},
	{"ONCE", AGENT | TASK},
	{"PARENT", AGENT},
	{"PATH", TOOL | AGENT | TASK},
	{"PERMIT", AGENT | TASK},
	{"PIPE", AGENT},
	{"PLAN", TOOL | AGENT | TASK},
	{"PROFILE", TOOL | AGENT | TASK},
	{"REDACT", TOOL | AGENT},
	{"RING", 0},
	{"RUN", TOOL | AGENT},
	{"SESSION", TOOL | AGENT},
	{"SET", TOOL | AGENT | TASK},
	{"SHARE", TOOL | AGENT | TASK},
	{"SHOW", AGENT},
	{"SHOW_FD", 0},
	{"SPENT", 0},
	{"STATUS", 0},
	{"SYSTEM_PROMPT", AGENT | TASK},
	{"TASK", AGENT},
	{"TASK_NAME", 0},
	{"TOOLHOLD", AGENT},
	{"TOOLHOLD_TOKEN", AGENT},
	{"TOOLHOLD_TTY", AGENT},
	{"TOOLRUN", AGENT | TASK},
	{"TOOLS", 0},
	{"TOOL_FD", 0},
	{"TRACE", 0},
	{"UMASK", AGENT},
	{"YES", AGENT | TASK},
};
static const char prefix[] = "TURNPIPE_";

int
toolenv_goes(const char *name, enum toolenv_to to)
{
	size_t i, n = strcspn(name, "=");
	const size_t skip = sizeof(prefix) - 1;

	if (n < skip || memcmp(name, prefix, skip) != 0)
		return 1;
	for (i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (strlen(ours[i].name) == n - skip
		    && memcmp(name + skip, ours[i].name, n - skip) == 0)
			return (ours[i].to & (int)to) != 0;
	return 1;
}

/* Does the name look like that of a secret? */
static int
secret(const char *name)
{
	static const char *const marks[] = { "*KEY", "*TOKEN*", "*SECRET*",
		"*PASSW*", "*CREDENTIAL*", "*API_KEY*", "TURNPIPE_LOCK_FD" };
	char up[256];
	size_t i;

	for (i = 0; i < sizeof(up) - 1 && name[i] != '\0'; i++)
		up[i] = name[i] >= 'a' && name[i] <= 'z'
		    ? (char)(name[i] - 'a' + 'A')
		    : name[i];
	up[i] = '\0';
	for (i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (match_name(marks[i], up))
			return 1;
	return 0;
}

void
toolenv_pass(struct strs *env, const struct strs *globs)
{
	const char *eq;
	char *name;
	size_t i;
	char **e;

	for (e = environ; *e != NULL; e++) {
		eq = strchr(*e, '=');
		if (eq == NULL)
			continue;
		name = xstrndup(*e, (size_t)(eq - *e));
		for (i = 0; i < globs->n; i++)
			if (match_name(globs->v[i], name))
				break;
		if (i < globs->n && !secret(name))
			strs_add(env, *e);
		free(name);
	}
}

void
toolenv_tool(struct strs *env, struct strs *names)
{
	struct buf b = {NULL, 0, 0};
	size_t i;

	for (i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (ours[i].to & TOOL) {
			buf_reset(&b);
			buf_printf(&b, "%s%s", prefix, ours[i].name);
			strs_once(names, buf_cstr(&b));
		}
	toolenv_pass(env, names);
	strs_free(names);
	buf_free(&b);
}

/* [A-Za-z_][A-Za-z0-9_]* */
static int
variable(struct span s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != '_' && !(s.p[i] >= 'a' && s.p[i] <= 'z')
		    && !(s.p[i] >= 'A' && s.p[i] <= 'Z')
		    && !(i > 0 && s.p[i] >= '0' && s.p[i] <= '9'))
			return 0;
	return s.n > 0;
}

void
toolenv_args(struct strs *env, const struct json *j)
{
	struct buf b = { 0 };
	struct span key, value;
	size_t at, all = 0;
	int k, kind;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		kind = json_kind(j, k + 1);
		key = json_span(j, k);
		key.p++;
		key.n -= 2;
		if (kind == JSON_OBJECT || kind == JSON_ARRAY
		    || kind == JSON_NULL || !variable(key))
			continue;
		buf_reset(&b);
		buf_puts(&b, "ARG_");
		buf_span(&b, key);
		buf_putc(&b, '=');
		at = b.n;
		value = json_span(j, k + 1);
		if (kind == JSON_STRING)
			json_str(j, k + 1, &b);
		else
			buf_span(&b, value);
		if (b.n - at > ARG_MAX_VALUE || all + b.n > ARG_MAX_ALL
		    || memchr(b.p, '\0', b.n) != NULL)
			continue;
		all += b.n;
		strs_addn(env, b.p, b.n);
	}
	buf_free(&b);
}

static void
add_flag(struct strs *args, const char *name, const struct json *j, int i)
{
	static struct buf value;
	enum json_kind kind = json_kind(j, i);

	if (kind == JSON_NULL || kind == JSON_FALSE)
		return;
	strs_add(args, name);
	if (kind == JSON_TRUE)
		return;
	buf_reset(&value);
	if (json_str(j, i, &value) < 0)
		buf_span(&value, json_span(j, i));
	strs_add(args, buf_cstr(&value));
}

void
toolenv_flags(struct strs *args, const struct json *j)
{
	static struct buf name;
	size_t i;
	int k, e;

	for (k = json_first(j, 0); k >= 0; k = json_next(j, k)) {
		buf_reset(&name);
		buf_puts(&name, "--");
		(void)json_str(j, k, &name);
		for (i = 2; i < name.n; i++)
			if (name.p[i] == '_')
				name.p[i] = '-';
		if (json_kind(j, k + 1) != JSON_ARRAY) {
			add_flag(args, buf_cstr(&name), j, k + 1);
			continue;
		}
		for (e = json_first(j, k + 1); e >= 0; e = json_next(j, e))
			add_flag(args, buf_cstr(&name), j, e);
	}
}
