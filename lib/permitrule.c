#include <string.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "path.h"
#include "permitrule.h"
#include "settings.h"

enum { PERMIT_FILE = 1 << 20 };

int
permit_check(const char *rule)
{
	const char *open = strchr(rule, '(');
	size_t n = strlen(rule);

	if (n == 0 || open == rule)
		return -1;
	if (open != NULL && rule[n - 1] != ')')
		return -1;
	return open == NULL && strchr(rule, ')') != NULL ? -1 : 0;
}

void
permit_check_all(const struct strs *l, const char *where)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (permit_check(l->v[i]) < 0)
			die(EX_CONFIG, "%s: expected TOOL or TOOL(PATTERN), "
				       "not '%s'", where, l->v[i]);
}

static void
load_setting(struct strs *rules, struct strs *origins, const char *key)
{
	struct buf b = { 0 };
	size_t i, n = rules->n;

	settings_strs(key, rules);
	permit_check_all(rules, key);
	for (i = n; i < rules->n; i++) {
		buf_reset(&b);
		settings_where(key, i - n, &b);
		strs_add(origins, buf_cstr(&b));
	}
	buf_free(&b);
}

/* Add rules that allow, a line each: of a file, or of turnpipe --permit. */
static void
load_lines(struct strs *rules, struct strs *origins, const char *s,
    const char *where, int isfile)
{
	struct strs own = { 0 };
	struct buf b = { 0 };
	size_t i, n, line;

	for (line = 1; *s != '\0'; s += n + (s[n] != '\0'), line++) {
		n = strcspn(s, "\n");
		/* A last line without its end was not written to the end. */
		if (n == 0 || (isfile && s[n] == '\0'))
			continue;
		strs_addn(&own, s, n);
		buf_reset(&b);
		buf_puts(&b, where);
		if (isfile)
			buf_printf(&b, ":%zu", line);
		strs_add(origins, buf_cstr(&b));
	}
	permit_check_all(&own, where);
	for (i = 0; i < own.n; i++)
		strs_add(rules, own.v[i]);
	strs_free(&own);
	buf_free(&b);
}

/*
 * A rule for any arguments is the user's to write: a model writes files of
 * the work tree.
 */
static void
refuse_any(const struct strs *rules, const struct strs *origins)
{
	const char *root = path_root(), *pattern;
	size_t i, n = strlen(root), len;

	for (i = 0; i < rules->n; i++) {
		pattern = strchr(rules->v[i], '(');
		if (pattern == NULL || strchr("<>", pattern[1]) != NULL)
			continue;
		len = strlen(pattern) - 1;
		while (pattern[len - 1] == ' ')
			len--;
		if (len < 3 || memcmp(pattern + len - 3, " **", 3) != 0)
			continue;
		if (strncmp(origins->v[i], root, n) == 0
		    && (n == 1 || origins->v[i][n] == '/'))
			die(EX_CONFIG, "%s: %s: expected no rule for any "
			    "arguments in a file of the work tree",
			    origins->v[i], rules->v[i]);
	}
}

/* What the user allowed for a session. */
static void
load_allowed(struct strs *rules, struct strs *origins, const char *path)
{
	struct buf b = { 0 };

	/* None yet is the usual case, and an unreadable one allows nothing. */
	if (path != NULL && file_read(path, &b, PERMIT_FILE) == FILE_OK)
		load_lines(rules, origins, buf_cstr(&b), path, 1);
	buf_free(&b);
}

void
permit_allowed(struct strs *rules, struct strs *origins, int own)
{
	static struct buf name;
	const char *parent = env_get("TURNPIPE_PARENT"), *end;

	load_setting(rules, origins, "toolrun.allow");
	if (own)
		load_setting(rules, origins, "toolrun.allow_own");
	if (env_get("TURNPIPE_PERMIT") != NULL)
		load_lines(rules, origins, env_get("TURNPIPE_PERMIT"),
		    "--permit", 0);
	load_allowed(rules, origins, env_run(&name, "allow"));
	/* What the caller may do without asking, its agent may too. */
	if (parent != NULL && *parent == '/') {
		end = strrchr(parent, '.');
		buf_reset(&name);
		buf_add(&name, parent,
		    end != NULL && strcmp(end, ".jsonl") == 0
			? (size_t)(end - parent) : strlen(parent));
		buf_puts(&name, ".d/allow");
		load_allowed(rules, origins, buf_cstr(&name));
	}
	refuse_any(rules, origins);
}
