#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "fileshape.h"
#include "path.h"
#include "pattern.h"
#include "program.h"
#include "split.h"

enum operands { ANY, FIRST, COMMAND, CODE, FILES, SUBCOMMAND };

static const char *const kinds[] = { "any", "first", "command", "code",
	"files", "subcommand", NULL };

struct program {
	struct strs names, runs, writes, values, unless;
	enum operands operands;
	size_t skip; /* operands before a command */
	char *safe;  /* a pattern of first operands that run nothing,
		        and as subcommands write nothing */
	int stdin_;  /* without an operand it runs what it reads */
};

static struct program *programs;
static size_t nprograms, cap;

static int
known(const char *name)
{
	size_t i;

	for (i = 0; i < nprograms; i++)
		if (strs_find(&programs[i].names, name) >= 0)
			return (int)i;
	return -1;
}

static void
take(struct program *p, const struct json *j)
{
	static const struct {
		const char *key;
		size_t at;
	} lists[] = {
		{ "names", offsetof(struct program, names) },
		{ "runs", offsetof(struct program, runs) },
		{ "writes", offsetof(struct program, writes) },
		{ "values", offsetof(struct program, values) },
		{ "unless", offsetof(struct program, unless) },
	};
	long long skip = 0;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		json_strs(j, json_get(j, 0, lists[i].key),
		    (struct strs *)((char *)p + lists[i].at));
	for (i = 0; kinds[i] != NULL; i++)
		if (json_is(j, json_get(j, 0, "operands"), kinds[i]))
			p->operands = (enum operands)i;
	json_int(j, json_get(j, 0, "skip"), &skip);
	p->skip = (size_t)skip;
	p->stdin_ = json_true(j, json_get(j, 0, "stdin"));
	p->safe = json_dup(j, json_get(j, 0, "safe"));
}

static void
load(void)
{
	static int loaded;
	struct strs files = { 0 };
	static struct yamlfile y;
	struct program *p;
	size_t i, n;

	if (loaded)
		return;
	loaded = 1;
	path_list(&files, "shell", ".yaml");
	for (i = 0; i < files.n; i++) {
		yamlfile_load(&y, files.v[i]);
		fileshape_check(&y, "shell");
		grow(&programs, &cap, nprograms, sizeof(*programs));
		p = &programs[nprograms++];
		memset(p, 0, sizeof(*p));
		take(p, &y.json);
		for (n = 0; n < p->names.n; n++)
			if (known(p->names.v[n]) != (int)nprograms - 1)
				yamlfile_bad(&y, json_get(&y.json, 0, "names"),
				    "expected names that no other file has");
	}
	strs_free(&files);
}

/* Which program is this word?  "/usr/bin/python3.11" is python. */
static const struct program *
find(const char *word)
{
	char *name = xstrdup(file_name(word));
	size_t n = strlen(name);
	int i;

	load();
	i = known(name);
	while (i < 0 && n > 1 && (isdigit((unsigned char)name[n - 1])
				 || strchr(".-", name[n - 1]) != NULL)) {
		name[--n] = '\0';
		i = known(name);
	}
	free(name);
	return i < 0 ? NULL : &programs[i];
}

/* Is word w the option or word that spec names?  program.h's manual. */
static int
named(const char *spec, const char *w)
{
	size_t n = strlen(spec), k;

	if (strcmp(spec, w) == 0)
		return 1;
	if (n == 1 && strchr("+@", *spec) != NULL)
		return *w == *spec;
	if (n == 1 && strchr("=:", *spec) != NULL)
		return *w != '-' && strchr(w, *spec) != NULL;
	if (*spec != '-' || *w != '-' || w[1] == '\0')
		return 0;
	if (n == 2 && spec[1] != '-')
		return w[1] != '-' && strchr(w + 1, spec[1]) != NULL;
	k = strcspn(w, spec[1] != '-' ? "=," : "=");
	if (spec[1] != '-')
		return w[1] != '-' && k == n && strncmp(spec, w, n) == 0;
	/* Long options may be cut short. */
	return w[1] == '-' && k > 2 && k <= n && strncmp(spec, w, k) == 0;
}

static int
any(const struct strs *specs, const char *w)
{
	size_t i;

	for (i = 0; i < specs->n; i++)
		if (named(specs->v[i], w))
			return 1;
	return 0;
}

/* Do any operands run something, by a character in them? */
static int
operator(const struct strs *specs)
{
	return strs_find(specs, "=") >= 0 || strs_find(specs, ":") >= 0;
}

static int
isoption(const char *w)
{
	return (*w == '-' || *w == '+') && w[1] != '\0';
}

/* The first operand after word i, options' values left out. */
static size_t
operand(const struct program *p, const struct strs *w, size_t i)
{
	for (i++; i < w->n && isoption(w->v[i]); i++) {
		if (strcmp(w->v[i], "--") == 0)
			return i + 1;
		if (strs_find(&p->values, w->v[i]) >= 0)
			i++;
	}
	return i < w->n ? i : w->n;
}

static int
harmless(const struct program *p, const char *w)
{
	const char *why;

	return p->safe != NULL
	    && pattern_in(p->safe, strlen(p->safe), w, strlen(w), &why) == 1;
}

/* Assignments in front of env's command, and so many other operands. */
static size_t
command(const struct program *p, const struct strs *w, size_t i)
{
	size_t skip;

	i = operand(p, w, i);
	for (skip = p->skip; skip > 0 && i < w->n; skip--)
		i++;
	while (i < w->n && strs_find(&p->runs, "=") >= 0
	    && strchr(w->v[i], '=') != NULL)
		i++;
	return i < w->n ? i : w->n;
}

size_t
program_inner(const struct strs *w, size_t from)
{
	const struct program *p;

	if (from >= w->n || (p = find(w->v[from])) == NULL
	    || p->operands != COMMAND
	    || (from + 1 < w->n && strs_find(&p->unless, w->v[from + 1]) >= 0))
		return w->n;
	return command(p, w, from);
}

static void
mark(struct buf *marks, size_t i, int how)
{
	if (i < marks->n && marks->p[i] < how)
		marks->p[i] = (char)how;
}

/* Mark the words of the program at `from` up to a command that it runs. */
static int
mark_one(const struct strs *w, size_t from, struct buf *marks, int *opaque)
{
	const struct program *p = find(w->v[from]);
	size_t i, k;
	int runs, whole;

	if (p == NULL)
		return 0;
	if (from + 1 < w->n && strs_find(&p->unless, w->v[from + 1]) >= 0)
		return 0;
	k = p->operands == COMMAND ? command(p, w, from)
				   : operand(p, w, from);
	for (i = from + 1; i < w->n; i++) {
		/* What follows is another program's to say. */
		if (p->operands == COMMAND && i >= k)
			break;
		if (p->operands == SUBCOMMAND && !isoption(w->v[i]))
			continue;
		/* A name that the shell finds may be any of them. */
		if (strchr(w->v[i], SPLIT_ANY) != NULL
		    && (p->operands != ANY || operator(&p->runs)))
			mark(marks, i, PROGRAM_NAMED);
		runs = any(&p->runs, w->v[i]);
		if (!runs && !any(&p->writes, w->v[i]))
			continue;
		*opaque |= runs;
		mark(marks, i, PROGRAM_EXACT);
		/* Its value, if it has one. */
		if (isoption(w->v[i]))
			mark(marks, i + 1, PROGRAM_NAMED);
	}
	whole = p->stdin_ && (k >= w->n || strcmp(w->v[k], "-") == 0);
	*opaque |= whole;
	if (k >= w->n)
		return whole;
	switch (p->operands) {
	case ANY:
		break;
	case FIRST:
		if (!harmless(p, w->v[k])) {
			mark(marks, k, PROGRAM_NAMED);
			*opaque = 1;
		}
		break;
	case COMMAND:
		mark(marks, k, PROGRAM_EXACT);
		break;
	case SUBCOMMAND:
		if (!harmless(p, w->v[k])) {
			mark(marks, k, PROGRAM_EXACT);
			*opaque |= strs_find(&p->writes, w->v[k]) < 0;
		}
		break;
	case CODE:
		*opaque = 1;
		/* FALLTHROUGH */
	case FILES:
		for (; k < w->n; k++)
			mark(marks, k, PROGRAM_NAMED);
		break;
	}
	return whole;
}

int
program_marks(const struct strs *words, struct buf *marks, int *opaque)
{
	size_t i;
	int whole = 0;

	buf_reset(marks);
	for (i = 0; i < words->n; i++)
		buf_putc(marks, PROGRAM_FREE);
	*opaque = 0;
	for (i = 0; i < words->n; i = program_inner(words, i))
		whole |= mark_one(words, i, marks, opaque);
	return whole;
}
