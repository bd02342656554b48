#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "taskfill.h"
#include "template.h"

struct fill {
	const struct task *t;
	char **argv;
	int argc;
	int *used;    /* operands that a hole has taken */
	int *place;   /* place[i]: the operand that fills {{i + 1}} */
	int nplace;
	struct buf missing; /* the first hole that nothing fills */
};

/* Is it NAME=VALUE with this name?  Its value, or NULL. */
static const char *
named(const char *arg, const char *name, size_t n)
{
	return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1
							   : NULL;
}

/* Is the hole a place, and which one?  From 1; 0 for a name. */
static long
place(const char *name, size_t n)
{
	char s[8];

	if (n == 0 || n >= sizeof(s) || *name == '0'
	    || strspn(name, "0123456789") < n)
		return 0;
	memcpy(s, name, n);
	s[n] = '\0';
	return strtol(s, NULL, 10);
}

static int
by_default(struct buf *b, const struct task *t, const char *name, size_t n)
{
	const struct json *j = &t->front.yml.json;
	char *key = xstrndup(name, n);
	int ok = json_str(j, json_get(j, json_get(j, 0, "defaults"), key), b);

	free(key);
	return ok == 0;
}

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	struct fill *f = arg;
	long at = place(name, n);
	const char *value;
	int i;

	if (at > 0 && at <= f->nplace) {
		f->used[f->place[at - 1]] = 1;
		buf_puts(b, f->argv[f->place[at - 1]]);
		return 1;
	}
	for (i = f->argc - 1; at == 0 && i >= 0; i--) {
		value = named(f->argv[i], name, n);
		if (value == NULL)
			continue;
		f->used[i] = 1;
		buf_puts(b, value);
		return 1;
	}
	if (by_default(b, f->t, name, n))
		return 1;
	if (f->missing.n == 0)
		buf_add(&f->missing, name, n);
	return 0;
}

/* The first pass only asks which names there are. */
static int
is_named(struct buf *b, const char *name, size_t n, void *arg)
{
	struct fill *f = arg;
	int i;

	(void)b;
	for (i = 0; place(name, n) == 0 && i < f->argc; i++)
		if (named(f->argv[i], name, n) != NULL)
			f->used[i] = 1;
	return 1;
}

void
taskfill(struct buf *b, const struct task *t, int argc, char **argv)
{
	static struct buf none;
	struct fill f = {.t = t, .argv = argv, .argc = argc};
	size_t n = (size_t)argc + 1;
	int i;

	f.used = xreallocarray(NULL, n, sizeof(*f.used));
	f.place = xreallocarray(NULL, n, sizeof(*f.place));
	memset(f.used, 0, n * sizeof(*f.used));
	template_expand(&none, t->body.p, t->body.n, is_named, &f);
	for (i = 0; i < argc; i++)
		if (!f.used[i])
			f.place[f.nplace++] = i;
	template_expand(b, t->body.p, t->body.n, fill, &f);
	if (f.missing.n > 0)
		die(EX_USAGE, "%s: expected a value for {{%s}}", t->path,
		    buf_cstr(&f.missing));
	for (i = 0; i < f.nplace; i++)
		if (!f.used[f.place[i]])
			die(EX_USAGE, "%s: operand '%s': there is no {{%d}} in "
			    "the text", t->path, argv[f.place[i]], i + 1);
	free(f.used);
	free(f.place);
}
