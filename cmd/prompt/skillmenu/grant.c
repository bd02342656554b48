#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "grant.h"
#include "permitrule.h"
#include "settings.h"
#include "trust.h"

/* Our name for a tool, which may have another one elsewhere; NULL: none. */
static const char *
our_name(const char *name)
{
	static struct strs l;
	static struct buf own;
	const char *eq;
	size_t i;

	if (l.n == 0)
		settings_strs("skillmenu.tool_names", &l);
	for (i = 0; i < l.n; i++) {
		eq = strchr(l.v[i], '=');
		if (eq != NULL && strncmp(l.v[i], name, (size_t)(eq - l.v[i])) == 0
		    && name[eq - l.v[i]] == '\0')
			return eq + 1;
	}
	buf_reset(&own);
	buf_puts(&own, name);
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0'
	    ? buf_cstr(&own) : NULL;
}

/* Append an item as a rule; -1: there is nothing here that it could mean. */
static int
add_rule(struct buf *b, const char *item)
{
	const char *open = strchr(item, '('), *tool;
	size_t n = open != NULL ? (size_t)(open - item) : strlen(item);
	char *name = xstrndup(item, n);
	struct buf pattern = { 0 };
	int r = -1;

	tool = our_name(name);
	free(name);
	if (open != NULL)
		buf_add(&pattern, open + 1, strlen(open + 1) - 1);
	n = pattern.n;
	/* "git:*": the command with any words after it. */
	if (n > 2 && memcmp(pattern.p + n - 2, ":*", 2) == 0)
		pattern.p[n - 2] = ' ';
	if (tool != NULL && permit_check(item) == 0
	    && (open == NULL
		|| (n > 0 && strchr("*: ", pattern.p[0]) == NULL
		    && memchr(pattern.p, ':', n) == NULL))) {
		buf_puts(b, tool);
		if (open != NULL)
			buf_printf(b, "(%s)", buf_cstr(&pattern));
		r = 0;
	}
	buf_free(&pattern);
	return r;
}

/* The rules, a line each in b; in other what means nothing here. */
static void
make_rules(const struct skillset_item *it, struct buf *b, struct buf *other)
{
	size_t i;

	buf_reset(b);
	buf_reset(other);
	for (i = 0; i < it->allowed.n; i++)
		if (add_rule(b, it->allowed.v[i]) == 0)
			buf_putc(b, '\n');
		else
			buf_printf(other, "%s%s", other->n > 0 ? ", " : "",
			    it->allowed.v[i]);
}

/* The whole file; a skill whose file cannot be read has no text to agree to. */
static int
read_file(const struct skillset_item *it, struct buf *path, struct buf *text)
{
	file_join(path, it->dir, it->file);
	buf_reset(text);
	return file_read(buf_cstr(path), text, SKILL_MAX) == FILE_OK;
}

int
grant_isgiven(const struct skillset_item *it)
{
	static struct buf path, text;
	struct trust t = {"skill", NULL, &text};

	if (it->allowed.n == 0)
		return 1;
	if (!read_file(it, &path, &text))
		return 0;
	t.what = buf_cstr(&path);
	return trust_said(&t, "yes");
}

int
grant_ask(const struct skillset_item *it)
{
	static struct buf path, text, question;
	struct trust t = {"skill", NULL, &text};

	if (!read_file(it, &path, &text))
		die_sys(EX_NOINPUT, "%s", buf_cstr(&path));
	t.what = buf_cstr(&path);
	buf_reset(&question);
	buf_printf(&question, "run %s unasked in a session that has loaded %s?",
	    grant_text(it), it->name);
	return trust_ask(&t, buf_cstr(&question));
}

void
grant_use(const struct skillset_item *it)
{
	static struct buf name, b, other;
	const char *path = env_run(&name, "allow");

	if (path == NULL || it->allowed.n == 0 || !grant_isgiven(it))
		return;
	make_rules(it, &b, &other);
	if (b.n > 0 && file_append(path, b.p, b.n, 0600) < 0)
		warn_sys("%s", path);
}

const char *
grant_text(const struct skillset_item *it)
{
	static struct buf b, other;
	size_t i;

	make_rules(it, &b, &other);
	for (i = 0; i + 1 < b.n; i++)
		if (b.p[i] == '\n')
			b.p[i] = ';';
	if (b.n > 0)
		b.n--;
	if (other.n > 0)
		buf_printf(&b, "%s(not known here: %s)", b.n > 0 ? " " : "",
		    buf_cstr(&other));
	return buf_cstr(&b);
}
