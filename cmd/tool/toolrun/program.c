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

enum { NAME_WORDS = 3, NO_LIMIT = 1 << 30 };

struct program {
	struct strs names;
	char *brief;	   /* short options, as of getopt(3); NULL: none */
	struct strs words; /* options that are words */
	char *first, *operands, *before; /* patterns, or NULL */
	long long most; /* operands */
	int listed, command, subcommand, spelled, runs;
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
read_program(struct program *p, const struct json *j, int at)
{
	memset(p, 0, sizeof(*p));
	json_strs(j, json_get(j, at, "names"), &p->names);
	json_strs(j, json_get(j, at, "long"), &p->words);
	p->brief = json_dup(j, json_get(j, at, "short"));
	p->first = json_dup(j, json_get(j, at, "first"));
	p->operands = json_dup(j, json_get(j, at, "operands"));
	p->before = json_dup(j, json_get(j, at, "before"));
	p->most = NO_LIMIT;
	json_int(j, json_get(j, at, "most"), &p->most);
	p->command = json_true(j, json_get(j, at, "command"));
	p->subcommand = json_true(j, json_get(j, at, "subcommand"));
	p->spelled = json_true(j, json_get(j, at, "spelled"));
	p->runs = json_true(j, json_get(j, at, "runs"));
	p->listed = p->brief != NULL || p->words.n > 0;
}

static void
load(void)
{
	static int loaded;
	struct strs files = { 0 };
	static struct yamlfile y;
	size_t i, n;
	int all, at;

	if (loaded)
		return;
	loaded = 1;
	path_list(&files, "shell", ".yaml");
	for (i = 0; i < files.n; i++) {
		yamlfile_load(&y, files.v[i]);
		fileshape_check(&y, "shell");
		all = json_get(&y.json, 0, "programs");
		for (at = json_first(&y.json, all); at >= 0;
		     at = json_next(&y.json, at)) {
			grow(&programs, &cap, nprograms, sizeof(*programs));
			read_program(&programs[nprograms++], &y.json, at);
			for (n = 0; n < programs[nprograms - 1].names.n; n++)
				if (known(programs[nprograms - 1].names.v[n])
				    != (int)nprograms - 1)
					yamlfile_bad(&y, at, "expected names "
					    "that no other program has");
		}
	}
	strs_free(&files);
}

/*
 * The program of that name, or of that name and words from i on, the most
 * that are known; *n is their number.  Version numbers and directories do not
 * count, but what has them is not *exact.
 */
static const struct program *
find(const char *word, const struct strs *w, size_t i, size_t *n, int *exact)
{
	static struct buf b;
	const char *name = file_name(word);
	size_t k, base = strlen(name);
	int at;

	load();
	*exact = name == word;
	for (;; base--, *exact = 0) {
		for (*n = NAME_WORDS;; --*n) {
			if (i + *n > w->n)
				continue;
			buf_reset(&b);
			buf_add(&b, name, base);
			for (k = 0; k < *n; k++)
				buf_printf(&b, " %s", w->v[i + k]);
			if ((at = known(buf_cstr(&b))) >= 0)
				return &programs[at];
			if (*n == 0)
				break;
		}
		if (base < 2 || (!isdigit((unsigned char)name[base - 1])
				    && strchr(".-", name[base - 1]) == NULL))
			return NULL;
	}
}

/* Is it a group of short options?  *value: the next word is a value. */
static int
isbrief(const char *spec, const char *s, int *value)
{
	const char *o;

	for (s++; *s != '\0'; s++) {
		o = *s != ':' ? strchr(spec, *s) : NULL;
		if (o == NULL)
			return 0;
		if (o[1] != ':')
			continue;
		*value = s[1] == '\0' && o[2] != ':';
		return 1;
	}
	return 1;
}

/* Is it an option that is known?  *value: the next word is its value. */
static int
isoption(const struct program *p, const char *s, int *value)
{
	const char *word;
	size_t i, n;

	*value = 0;
	for (i = 0; i < p->words.n; i++) {
		word = p->words.v[i];
		n = strcspn(word, "=");
		if (strncmp(word, s, n) == 0
		    && (s[n] == '\0' || (s[n] == '=' && word[n] == '='))) {
			*value = s[n] == '\0' && word[n] == '='
			    && word[n + 1] != '*';
			return 1;
		}
		if ((strcmp(word, "-NUM") == 0
			&& s[1 + strspn(s + 1, "0123456789")] == '\0')
		    || strcmp(word, "-*") == 0)
			return 1;
	}
	return p->brief != NULL && isbrief(p->brief, s, value);
}

static int
fits(const char *pattern, const char *w)
{
	const char *why;

	return pattern_in(pattern, strlen(pattern), w, strlen(w), &why) == 1;
}

/* Is a word a harmless operand of p, after n others?  The shell may find more. */
static int
isharmless(const struct program *p, const char *w, long long n)
{
	const char *pattern = n == 0 && p->first != NULL ? p->first
							 : p->operands;

	return n < (strchr(w, SPLIT_ANY) == NULL ? p->most : NO_LIMIT)
	    && (p->most == NO_LIMIT || strchr(w, SPLIT_ANY) == NULL)
	    && (pattern == NULL || fits(pattern, w));
}

/*
 * Walk the words of the command at `from`, up to the command that it runs,
 * *next.  Are they known to be harmless?  literal may be NULL: no rule spells
 * more than names and commands.
 */
static int
walk(const struct program *p, int exact, const struct strs *w, size_t from,
    size_t words, const char *literal, size_t *next)
{
	size_t i = from + words + 1, k;
	long long n = 0;
	int ok = exact && p->listed, ended = 0, value;

	for (k = from + 1; literal != NULL && p->spelled && k < i; k++)
		ok = ok && literal[k];
	*next = w->n;
	for (; i < w->n; i++) {
		if (!ended && w->v[i][0] == '-' && w->v[i][1] != '\0') {
			/* After its program awk takes it for a file. */
			ok = isoption(p, w->v[i], &value) && ok
			    && (n == 0 || p->first == NULL);
			ended = strcmp(w->v[i], "--") == 0;
			i += (size_t)value;
			if (value && i < w->n
			    && strchr(w->v[i], SPLIT_ANY) != NULL)
				ok = 0;
		} else if (p->before != NULL && fits(p->before, w->v[i])) {
			ok = ok && (literal == NULL || literal[i]);
		} else if (p->command) {
			*next = i;
			return ok && (literal == NULL || literal[i]);
		} else if (p->subcommand) {
			p = find(w->v[from], w, i, &words, &exact);
			if (words == 0)
				return 0;
			return walk(p, exact, w, i - 1, words, literal, &k)
			    && ok;
		} else {
			if (literal == NULL || !literal[i])
				ok = isharmless(p, w->v[i], n) && ok;
			n++;
		}
	}
	return ok;
}

int
program_knows(const struct strs *w, const char *literal)
{
	const struct program *p;
	size_t i, n, next;
	int exact;

	for (i = 0; i < w->n; i = next) {
		p = find(w->v[i], w, i + 1, &n, &exact);
		if (p == NULL || !walk(p, exact, w, i, n, literal, &next))
			return 0;
	}
	return 1;
}

int
program_has_list(const char *name)
{
	const struct program *p;
	struct strs w = {0};
	size_t n;
	int exact, r;

	strs_add(&w, name);
	p = find(name, &w, 1, &n, &exact);
	r = p != NULL && (p->listed || p->command || p->subcommand);
	strs_free(&w);
	return r;
}

int
program_is_opaque(const struct strs *w)
{
	const struct program *p;
	size_t i, n, next;
	int exact;

	for (i = 0; i < w->n; i = next) {
		p = find(w->v[i], w, i + 1, &n, &exact);
		if (p == NULL)
			return 0;
		/* Whatever directory it lies in. */
		if (!walk(p, 1, w, i, n, NULL, &next) && p->runs)
			return 1;
	}
	return 0;
}

size_t
program_inner(const struct strs *w, size_t from)
{
	const struct program *p;
	size_t n, next = w->n;
	int exact;

	p = from < w->n ? find(w->v[from], w, from + 1, &n, &exact) : NULL;
	if (p != NULL)
		walk(p, exact, w, from, n, NULL, &next);
	return next;
}
