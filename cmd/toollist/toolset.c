#include <sys/stat.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "selfdesc.h"
#include "toolfile.h"
#include "toolrec.h"
#include "toolset.h"

/*
 * A schema file that was found, or a program that may have none; and the
 * directory if not the search path.
 */
struct schema {
	char *name;
	char *path;
	const char *dir;
	size_t rank;
	int isbare;
};

static struct schema *schemas;
static size_t nschemas, capschemas;

/* A program is named from the root: the tool runs where the project is. */
static void
absolute(struct buf *b, const char *path)
{
	buf_reset(b);
	if (*path != '/') {
		buf_printf(b, "%s/", path_cwd());
		path += strncmp(path, "./", 2) == 0 ? 2 : 0;
	}
	buf_puts(b, path);
}

/*
 * Note a file of a directory, the rank-th of all: NAME.json, or what may be a
 * program without one.
 */
static void
found(const char *path, const char *dir, size_t rank, int verbose)
{
	static const char *const ends[] = {".json", ".sh"};
	struct schema *s;
	char *name = xstrdup(file_name(path));
	size_t i, n = strlen(name), len;
	int isbare = 1;

	for (i = 0; i < 2; i++) {
		len = strlen(ends[i]);
		if (n > len && strcmp(name + n - len, ends[i]) == 0) {
			name[n - len] = '\0';
			isbare = i > 0;
			break;
		}
	}
	if (!toolrec_isname(name)) {
		if (!isbare || verbose)
			warn("%s: expected a name of letters, digits, '_' and "
			     "'-'", path);
		free(name);
		return;
	}
	grow(&schemas, &capschemas, nschemas, sizeof(*schemas));
	s = &schemas[nschemas++];
	s->name = name;
	s->path = xstrdup(path);
	s->dir = dir;
	s->rank = 2 * rank + (isbare ? 1 : 0);
	s->isbare = isbare;
}

static void
scan(const char *dir, size_t rank, int verbose)
{
	static struct buf b;
	const struct dirent *e;
	DIR *d = opendir(dir);

	if (d == NULL) {
		warn_sys("%s", dir);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s/%s", dir, e->d_name);
		found(buf_cstr(&b), dir, rank, verbose);
	}
	closedir(d);
}

static int
compare(const void *a, const void *b)
{
	const struct schema *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r != 0 ? r : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Is the tool switched off by an empty file of this name? */
static int
off(const char *rel)
{
	static struct buf b;
	struct stat st;
	size_t i;

	for (i = 0; i < path_dirs()->n; i++) {
		buf_reset(&b);
		buf_printf(&b, "%s/%s", path_dirs()->v[i], rel);
		if (stat(buf_cstr(&b), &st) == 0)
			return st.st_size == 0;
	}
	return 0;
}

/* The program of a schema into b.  0; -1 without one, reported if amiss. */
static int
program(const struct schema *s, struct buf *b, int verbose)
{
	static struct buf rel;
	struct stat st;

	buf_reset(&rel);
	if (s->dir != NULL) {
		buf_printf(&rel, "%s/%s", s->dir, s->name);
		absolute(b, buf_cstr(&rel));
	} else {
		buf_printf(&rel, "tools/%s", s->name);
		if (path_find(b, buf_cstr(&rel)) == 0) {
			buf_reset(&rel);
			buf_puts(&rel, buf_cstr(b));
			absolute(b, buf_cstr(&rel));
		} else if (off(buf_cstr(&rel))) {
			if (verbose)
				warn("%s left out: switched off", s->name);
			return -1;
		}
	}
	if (b->n == 0 || stat(buf_cstr(b), &st) < 0) {
		warn("%s: expected the program %s beside it", s->path,
		    s->name);
		return -1;
	}
	if (st.st_size == 0 && S_ISREG(st.st_mode)) {
		if (verbose)
			warn("%s left out: switched off", s->name);
		return -1;
	}
	if (!S_ISREG(st.st_mode) || access(buf_cstr(b), X_OK) < 0) {
		warn("%s: expected a program; chmod +x makes a script one",
		    b->p);
		return -1;
	}
	return 0;
}

/* Is this command on PATH? */
static int
installed(const char *command)
{
	static struct buf b;
	const char *s = getenv("PATH");
	struct stat st;
	size_t n;

	if (strchr(command, '/') != NULL)
		return access(command, X_OK) == 0;
	for (; s != NULL && *s != '\0'; s += n + (s[n] == ':')) {
		n = strcspn(s, ":");
		buf_reset(&b);
		buf_add(&b, s, n);
		buf_puts(&b, n == 0 ? "./" : "/");
		buf_puts(&b, command);
		if (stat(buf_cstr(&b), &st) == 0 && S_ISREG(st.st_mode)
		    && access(b.p, X_OK) == 0)
			return 1;
	}
	return 0;
}

/* Are all commands there that the tool cannot do without? */
static int
able(const struct schema *s, const struct strs *needs, int verbose)
{
	size_t i;

	for (i = 0; i < needs->n; i++)
		if (!installed(needs->v[i])) {
			if (verbose)
				warn("%s left out: no command %s", s->name,
				    needs->v[i]);
			return 0;
		}
	return 1;
}

/* A program without a description beside it: what it says of itself. */
static int
describe(struct toolfile *file, const struct schema *s, struct buf *exec,
    int verbose)
{
	static struct buf rel;
	struct stat st;
	enum selfdesc how;

	buf_reset(&rel);
	buf_printf(&rel, "tools/%s.json", s->name);
	if (s->dir == NULL && off(buf_cstr(&rel))) {
		if (verbose)
			warn("%s left out: switched off", s->name);
		return -1;
	}
	absolute(exec, s->path);
	if (stat(buf_cstr(exec), &st) == 0
	    && (!S_ISREG(st.st_mode) || access(exec->p, X_OK) < 0)) {
		if (verbose)
			warn("%s left out: not a program", s->path);
		return -1;
	}
	how = selfdesc_read(&file->text, exec->p, s->name);
	if (how == SELFDESC_NONE) {
		warn_sys("%s", s->path);
		return -1;
	}
	if (toolfile_check(file, s->name) < 0) {
		warn("%s --schema:%zu:%zu: %s", s->path, file->line,
		    file->col, file->why);
		return -1;
	}
	file->flags = how == SELFDESC_COMMENTS;
	if (how == SELFDESC_DEFAULT)
		warn("%s: no description beside it: offered with one string, "
		     "input", s->path);
	return 0;
}

static void
load(struct toolset *set, const struct schema *s, int verbose)
{
	static struct toolfile file;
	static struct strs needs;
	static struct buf exec;
	struct toolset_tool *t;
	struct stat st;
	int with;

	if (stat(s->path, &st) == 0 && st.st_size == 0) {
		if (verbose)
			warn("%s left out: switched off", s->name);
		return;
	}
	if (s->isbare) {
		if (describe(&file, s, &exec, verbose) < 0)
			return;
	} else if (toolfile_read(&file, s->path, s->name) < 0) {
		if (file.line > 0)
			warn("%s:%zu:%zu: %s", s->path, file.line, file.col,
			    file.why);
		else
			warn("%s: %s", s->path, file.why);
		return;
	} else if (program(s, &exec, verbose) < 0) {
		return;
	}
	strs_reset(&needs);
	with = toolfile_needs(&file, &needs);
	if (!able(s, &needs, verbose))
		return;
	if (!toolfile_set(&file)) {
		if (verbose)
			warn("%s left out: its setting is empty", s->name);
		return;
	}
	grow(&set->v, &set->cap, set->n, sizeof(*set->v));
	t = &set->v[set->n++];
	t->name = xstrdup(s->name);
	t->with = with;
	memset(&t->record, 0, sizeof(t->record));
	toolfile_record(&file, s->name, buf_cstr(&exec), &t->record);
}

void
toolset_find(struct toolset *set, const struct strs *dirs, int verbose)
{
	static struct strs files;
	const struct schema *s;
	size_t i;

	for (i = 0; i < dirs->n; i++)
		scan(dirs->v[i], i, verbose);
	strs_reset(&files);
	path_list(&files, "tools", "");
	for (i = 0; i < files.n; i++)
		found(files.v[i], NULL, dirs->n, verbose);
	if (nschemas > 1)
		qsort(schemas, nschemas, sizeof(*schemas), compare);
	for (i = 0; i < nschemas; i++) {
		s = &schemas[i];
		if (i == 0 || strcmp(s->name, s[-1].name) != 0)
			load(set, s, verbose);
		else if (verbose && (!s->isbare || s->dir != s[-1].dir))
			warn("%s: hidden by another %s", s->path, s->name);
	}
	while (nschemas > 0) {
		free(schemas[--nschemas].name);
		free(schemas[nschemas].path);
	}
}

void
toolset_reset(struct toolset *set)
{
	while (set->n > 0) {
		free(set->v[--set->n].name);
		buf_free(&set->v[set->n].record);
	}
}
