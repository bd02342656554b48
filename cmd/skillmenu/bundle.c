#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "bundle.h"
#include "diag.h"
#include "markup.h"
#include "template.h"
#include "textfile.h"

enum { BUNDLE_DEPTH = 8, BUNDLE_ENTRIES = 2000 };

struct bundle {
	const char *name, *dir;
	struct span body;
	struct buf files;
	struct strs tags; /* of the templates */
};

/*
 * The files below path, named by the part from rel on: no hidden ones, no
 * SKILL.md, through no link.  left says how many entries may still be looked
 * at, be they files or directories.
 */
static void
walk(struct strs *l, struct buf *path, size_t rel, int depth, size_t *left)
{
	struct strs names = {NULL, 0, 0};
	struct dirent *e;
	struct stat st;
	size_t i, n;
	DIR *d = opendir(buf_cstr(path));

	if (d == NULL)
		return;
	for (; *left > 0 && (e = readdir(d)) != NULL; --*left)
		if (e->d_name[0] != '.'
		    && strcmp(e->d_name, "node_modules") != 0
		    && (depth > 0 || strcasecmp(e->d_name, "SKILL.md") != 0))
			strs_add(&names, e->d_name);
	closedir(d);
	strs_sort(&names);
	buf_putc(path, '/');
	for (n = path->n, i = 0; i < names.n; i++) {
		path->n = n;
		buf_puts(path, names.v[i]);
		if (lstat(buf_cstr(path), &st) < 0)
			continue;
		if (!S_ISDIR(st.st_mode))
			strs_addn(l, path->p + rel, path->n - rel);
		else if (depth < BUNDLE_DEPTH)
			walk(l, path, rel, depth + 1, left);
	}
	path->n = n - 1;
	strs_free(&names);
}

static int
fill(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct bundle *u = arg;
	struct span h = {hole, n};

	if (span_is(h, "name"))
		markup_escape(b, u->name, strlen(u->name));
	else if (span_is(h, "dir"))
		markup_escape(b, u->dir, strlen(u->dir));
	else if (span_is(h, "body"))
		markup_text(b, u->body.p, u->body.n, &u->tags, NULL);
	else if (span_is(h, "resources") || span_is(h, "files"))
		buf_add(b, u->files.p, u->files.n);
	else
		return 0;
	return 1;
}

/* The value of {{resources}}: empty without files. */
static void
resources(struct bundle *u, const struct buf *text, size_t max)
{
	static struct buf path;
	struct strs l = {NULL, 0, 0};
	struct buf b = {NULL, 0, 0};
	size_t i, left = BUNDLE_ENTRIES;

	buf_reset(&path);
	buf_puts(&path, u->dir);
	walk(&l, &path, path.n + 1, 0, &left);
	for (i = 0; i < l.n && i < max; i++) {
		if (i > 0)
			buf_putc(&u->files, '\n');
		markup_escape(&u->files, l.v[i], strlen(l.v[i]));
	}
	if (l.n > max)
		buf_printf(&u->files, "\n... (%zu)", l.n);
	if (l.n > 0)
		template_expand(&b, text->p, text->n, fill, u);
	buf_free(&u->files);
	u->files = b;
	strs_free(&l);
}

void
bundle_put(struct buf *b, const char *file, const char *name,
    const char *dir, struct span body, size_t maxfiles)
{
	static struct buf text, files;
	static struct bundle u;

	buf_reset(&text);
	buf_reset(&files);
	if (textfile_read(&text, file) < 0)
		die(EX_CONFIG, "%s: expected a template", file);
	u.name = name;
	u.dir = dir;
	u.body = body;
	strs_reset(&u.tags);
	buf_reset(&u.files);
	markup_closed(&u.tags, text.p, text.n);
	if (maxfiles > 0 && textfile_read(&files, "prompts/skill-files.md") == 0) {
		markup_closed(&u.tags, files.p, files.n);
		resources(&u, &files, maxfiles);
	}
	template_expand(b, text.p, text.n, fill, &u);
	buf_putc(b, '\n');
}
