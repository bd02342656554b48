#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "path.h"
#include "tree.h"
#include "utf8.h"

enum { TREE_SCAN = 10000 }; /* names looked at in one directory */

struct node {
	char *path;	/* below the root; owned */
	size_t first, n; /* its entries among the nodes */
	size_t depth;
	size_t more;	/* entries left out */
	char mark;	/* '/', '@' or 0 */
};

struct tree {
	const struct tree_spec *spec;
	struct node *v;
	size_t n, cap;
	const struct strs *ignored;
};

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
wanted(const struct tree *t, const char *name)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0
	    || strcmp(name, ".git") == 0)
		return 0;
	return t->spec->hidden || name[0] != '.';
}

/* The names of dir that are not left out, sorted, to l with their marks. */
static void
scan(const struct tree *t, struct strs *l, const char *dir, const char *rel)
{
	static struct buf full, path;
	const struct dirent *e;
	struct stat st;
	const char *name;
	size_t seen = 0;
	DIR *d = opendir(dir);

	if (d == NULL)
		return;
	while (seen++ < TREE_SCAN && (e = readdir(d)) != NULL) {
		if (!wanted(t, e->d_name))
			continue;
		file_join(&full, dir, e->d_name);
		file_join(&path, rel, e->d_name);
		name = buf_cstr(&path);
		if (lstat(buf_cstr(&full), &st) < 0
		    || (t->ignored->n > 0
			&& bsearch(&name, t->ignored->v, t->ignored->n,
			    sizeof(name), compare) != NULL))
			continue;
		/* The mark after a byte that sorts before all of a name. */
		buf_putc(&path, '\001');
		buf_putc(&path, S_ISDIR(st.st_mode)	  ? '/'
			: S_ISLNK(st.st_mode) ? '@'
					      : ' ');
		strs_addn(l, path.p, path.n);
	}
	closedir(d);
	strs_sort(l);
}

static void
expand(struct tree *t, size_t at, const char *root)
{
	static struct buf dir;
	struct strs l = {0};
	struct node *d;
	size_t i, n;

	file_join(&dir, root, t->v[at].path);
	scan(t, &l, buf_cstr(&dir), t->v[at].path);
	n = l.n < t->spec->perdir ? l.n : t->spec->perdir;
	if (n > t->spec->entries - (t->n - 1))
		n = t->spec->entries - (t->n - 1);
	t->v[at].first = t->n;
	t->v[at].n = n;
	t->v[at].more = l.n - n;
	for (i = 0; i < n; i++) {
		grow(&t->v, &t->cap, t->n, sizeof(*t->v));
		d = &t->v[t->n++];
		memset(d, 0, sizeof(*d));
		d->depth = t->v[at].depth + 1;
		d->mark = l.v[i][strlen(l.v[i]) - 1];
		d->path = xstrndup(l.v[i], strlen(l.v[i]) - 2);
	}
	strs_free(&l);
}

static void
line(struct buf *b, size_t depth)
{
	if (b->n > 0)
		buf_putc(b, '\n');
	for (; depth > 1; depth--)
		buf_puts(b, "  ");
}

static void
print(struct buf *b, const struct tree *t, size_t at)
{
	const struct node *d = &t->v[at], *e;
	const char *name;
	size_t i, start;

	for (i = d->first; i < d->first + d->n; i++) {
		e = &t->v[i];
		name = file_name(e->path);
		line(b, e->depth);
		start = b->n;
		utf8_repair(b, name, strlen(name));
		for (; start < b->n; start++)
			if ((unsigned char)b->p[start] < ' '
			    || b->p[start] == 127)
				b->p[start] = '?';
		if (e->mark != ' ')
			buf_putc(b, e->mark);
		print(b, t, i);
	}
	if (d->more > 0) {
		line(b, d->depth + 1);
		buf_printf(b, "... +%zu", d->more);
	}
}

void
tree_put(struct buf *b, const struct tree_spec *spec,
    const struct strs *ignored)
{
	static struct buf own;
	static struct tree t;
	const char *cwd = path_cwd(), *root = path_root();
	size_t i, n = strlen(root);

	for (i = 0; i < t.n; i++)
		free(t.v[i].path);
	t.spec = spec;
	t.ignored = ignored;
	/* A root that is no part of our path cannot place its entries. */
	if (strncmp(cwd, root, n) != 0 || (cwd[n] != '/' && cwd[n] != '\0')) {
		root = cwd;
		n = strlen(cwd);
	}
	grow(&t.v, &t.cap, t.n, sizeof(*t.v));
	memset(&t.v[0], 0, sizeof(t.v[0]));
	t.v[0].path = xstrdup(cwd[n] == '/' ? cwd + n + 1 : cwd + n);
	t.v[0].mark = '/';
	t.n = 1;
	for (i = 0; i < t.n; i++)
		if (t.v[i].mark == '/' && t.v[i].depth < spec->depth)
			expand(&t, i, root);
	buf_reset(&own);
	print(&own, &t, 0);
	buf_add(b, own.p, own.n);
}
