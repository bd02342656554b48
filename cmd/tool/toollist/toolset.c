#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "file.h"
#include "match.h"
#include "path.h"
#include "selfdesc.h"
#include "settings.h"
#include "toolfile.h"
#include "toolrec.h"
#include "toolset.h"

/*
 * A schema file that was found, or a program that may have none; and the
 * directory if not the search path.  Those of a name stand in a row, the one
 * that counts first.
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

/* Note a file of a directory: NAME.json, or what may be a program without. */
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
	s->rank = rank;
	s->isbare = isbare;
}

/* Of the search path only files count: is there none?  Else st is its. */
static int
nofile(const char *path, struct stat *st)
{
	if (stat(path, st) < 0)
		return errno == ENOENT || errno == ENOTDIR;
	return S_ISDIR(st->st_mode);
}

/* The files of a directory, the rank-th of all; dir is NULL on the path. */
static void
scan(const char *path, const char *dir, size_t rank, int verbose)
{
	static struct buf b;
	const struct dirent *e;
	DIR *d = opendir(path);

	if (d == NULL) {
		if (dir != NULL)
			warn_sys("%s", path);
		else if (errno != ENOENT && errno != ENOTDIR)
			die_sys(EX_NOINPUT, "%s", path);
		return;
	}
	for (;;) {
		errno = 0;
		if ((e = readdir(d)) == NULL)
			break;
		if (e->d_name[0] == '.')
			continue;
		file_join(&b, path, e->d_name);
		found(buf_cstr(&b), dir, rank, verbose);
	}
	if (errno != 0)
		die_sys(EX_NOINPUT, "%s", path);
	closedir(d);
}

/*
 * In the order in which they count: on the search path a schema of a later
 * directory is in front of a program of an earlier one.
 */
static int
compare(const void *a, const void *b)
{
	const struct schema *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r == 0 && (x->dir != NULL || y->dir != NULL))
		r = (x->rank > y->rank) - (x->rank < y->rank);
	if (r == 0)
		r = x->isbare - y->isbare;
	if (r == 0)
		r = (x->rank > y->rank) - (x->rank < y->rank);
	return r != 0 ? r : strcmp(x->path, y->path);
}

/* The program of s, the first of its name, into b; 0, or -1 without one. */
static int
beside(const struct schema *s, struct buf *b, struct stat *st)
{
	const struct schema *p;

	buf_reset(b);
	if (s->dir != NULL) {
		file_join(b, s->dir, s->name);
		return stat(buf_cstr(b), st);
	}
	for (p = s; p < schemas + nschemas && strcmp(p->name, s->name) == 0;
	     p++)
		if (p->isbare && strcmp(file_name(p->path), s->name) == 0
		    && !nofile(p->path, st)) {
			buf_puts(b, p->path);
			return 0;
		}
	return -1;
}

static void
leave_off(const struct schema *s, int verbose)
{
	if (verbose)
		warn("%s left out: switched off", s->name);
}

/* Is a tool that has no program switched off?  It is reported. */
static int
isoff(const struct schema *s, int verbose)
{
	static struct buf b;
	struct stat st;

	if (s->dir != NULL || beside(s, &b, &st) < 0 || st.st_size > 0)
		return 0;
	leave_off(s, verbose);
	return 1;
}

/* The program of a schema into b.  0; -1 without one, reported if amiss. */
static int
program(const struct schema *s, struct buf *b, int verbose)
{
	static struct buf path;
	struct stat st;

	if (beside(s, &path, &st) < 0) {
		warn("%s: expected the program %s beside it", s->path,
		    s->name);
		return -1;
	}
	absolute(b, buf_cstr(&path));
	if (st.st_size == 0 && S_ISREG(st.st_mode)) {
		leave_off(s, verbose);
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

	return strchr(command, '/') != NULL ? access(command, X_OK) == 0
					    : child_path(&b, command);
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
	static struct buf from;
	struct stat st;
	enum selfdesc how;

	absolute(exec, s->path);
	if (stat(buf_cstr(exec), &st) == 0) {
		if (st.st_size == 0) {
			leave_off(s, verbose);
			return -1;
		}
		if (!S_ISREG(st.st_mode) || access(exec->p, X_OK) < 0) {
			if (verbose)
				warn("%s left out: not a program", s->path);
			return -1;
		}
	}
	how = selfdesc_read(&file->text, exec->p, s->name);
	if (how == SELFDESC_NONE) {
		warn_sys("%s", s->path);
		return -1;
	}
	buf_reset(&from);
	buf_printf(&from, "%s --schema", s->path);
	if (toolfile_check(file, buf_cstr(&from), s->name) < 0) {
		warn("%s", buf_cstr(&file->why));
		return -1;
	}
	file->flags = how == SELFDESC_COMMENTS;
	if (how == SELFDESC_DEFAULT)
		warn("%s: no description beside it: offered with one string, "
		     "input", s->path);
	return 0;
}

/* Take it, if it is as it should be.  -1: there is none, look at the next. */
static int
load(struct toolset *set, const struct schema *s, int verbose)
{
	static struct toolfile file;
	static struct strs needs;
	static struct buf exec;
	static struct strs hidden;
	struct toolset_tool *t;
	struct stat st;
	int with;

	if (hidden.n == 0)
		settings_strs("toolpick.hidden", &hidden);
	if (match_any(&hidden, s->name) != NULL) {
		if (verbose)
			warn("%s left out: toolpick.hidden", s->name);
		return 0;
	}
	if (s->isbare) {
		if (s->dir == NULL && nofile(s->path, &st))
			return -1;
		if (describe(&file, s, &exec, verbose) < 0)
			return 0;
	} else if (toolfile_read(&file, s->path, s->name) < 0) {
		if (s->dir == NULL && nofile(s->path, &st))
			return -1;
		if (file.isempty)
			leave_off(s, verbose);
		else
			warn("%s", buf_cstr(&file.why));
		return 0;
	} else if (toolfile_isbatch(&file) ? isoff(s, verbose)
				     : program(s, &exec, verbose) < 0) {
		return 0;
	}
	strs_reset(&needs);
	with = toolfile_needs(&file, &needs);
	if (!able(s, &needs, verbose))
		return 0;
	if (!toolfile_set(&file)) {
		if (verbose)
			warn("%s left out: its setting is empty", s->name);
		return 0;
	}
	grow(&set->v, &set->cap, set->n, sizeof(*set->v));
	t = &set->v[set->n++];
	t->name = xstrdup(s->name);
	t->with = with;
	t->isbatch = toolfile_isbatch(&file);
	memset(&t->record, 0, sizeof(t->record));
	toolfile_record(&file, s->name, buf_cstr(&exec), &t->record);
	return 0;
}

void
toolset_find(struct toolset *set, const struct strs *dirs, int verbose)
{
	static struct buf b;
	const struct schema *s;
	size_t i;
	int none = 0;

	for (i = 0; i < dirs->n; i++)
		scan(dirs->v[i], dirs->v[i], i, verbose);
	for (i = 0; i < path_dirs()->n; i++) {
		file_join(&b, path_dirs()->v[i], "tools");
		scan(buf_cstr(&b), NULL, dirs->n + i, verbose);
	}
	if (nschemas > 1)
		qsort(schemas, nschemas, sizeof(*schemas), compare);
	for (i = 0; i < nschemas; i++) {
		s = &schemas[i];
		if (none || i == 0 || strcmp(s->name, s[-1].name) != 0)
			none = load(set, s, verbose) < 0;
		else if (verbose && s->dir != s[-1].dir)
			warn("%s: hidden by another %s", s->path, s->name);
	}
	while (nschemas > 0) {
		free(schemas[--nschemas].name);
		free(schemas[nschemas].path);
	}
}

static int
compare_name(const void *name, const void *tool)
{
	return strcmp(name, ((const struct toolset_tool *)tool)->name);
}

int
toolset_has(const struct toolset *set, const char *name)
{
	return set->n > 0
	    && bsearch(name, set->v, set->n, sizeof(*set->v), compare_name)
	    != NULL;
}

void
toolset_reset(struct toolset *set)
{
	while (set->n > 0) {
		free(set->v[--set->n].name);
		buf_free(&set->v[set->n].record);
	}
}
