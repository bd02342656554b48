#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "fileshape.h"
#include "grant.h"
#include "permitrule.h"
#include "trust.h"

/* Our names for a tool of this name; none if nothing here is meant. */
static void
our_names(const char *name, struct strs *l)
{
	static struct table t;
	const struct json *j = table_read(&t, "toolnames.yaml", "toolnames");
	int i = json_get(j, json_get(j, 0, "tools"), name);

	if (i >= 0)
		(void)json_strs(j, json_get(j, i, "allow"), l);
	else if (strncmp(name, "mcp__", 5) != 0 && name[strspn(name,
	    "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0')
		strs_add(l, name);
}

/* Append an item as rules; -1: there is nothing here that it could mean. */
static int
add_rules(struct buf *b, const char *item)
{
	const char *open = strchr(item, '(');
	size_t i, n = open != NULL ? (size_t)(open - item) : strlen(item);
	char *name = xstrndup(item, n);
	struct buf pattern = { 0 };
	struct strs l = { 0 };

	if (permit_check(item) == 0)
		our_names(name, &l);
	free(name);
	if (open != NULL)
		buf_puts(&pattern, open);
	n = pattern.n;
	/* "(git:*)": the command with any words after it. */
	if (n > 4 && memcmp(pattern.p + n - 3, ":*)", 3) == 0)
		pattern.p[n - 3] = ' ';
	if (n > 1 && (strchr("*: )", pattern.p[1]) != NULL
	    || memchr(pattern.p, ':', n) != NULL))
		strs_reset(&l);
	for (i = 0; i < l.n; i++)
		buf_printf(b, "%s%s\n", l.v[i], buf_cstr(&pattern));
	n = l.n;
	buf_free(&pattern);
	strs_free(&l);
	return n > 0 ? 0 : -1;
}

/* The rules, a line each in b; in other what means nothing here. */
static void
make_rules(const struct skillset_item *it, struct buf *b, struct buf *other)
{
	size_t i;

	buf_reset(b);
	buf_reset(other);
	for (i = 0; i < it->allowed.n; i++)
		if (add_rules(b, it->allowed.v[i]) < 0)
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
