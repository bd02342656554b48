#include <sys/stat.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "json.h"
#include "markup.h"
#include "section.h"
#include "settings.h"
#include "skill.h"
#include "skilltext.h"
#include "template.h"
#include "textfile.h"

enum { FILES_DEPTH = 8, FILES_ENTRIES = 2000 };

struct holes {
	const char *name, *dir;
	struct span body;
	struct buf files;
};

/*
 * The files below path, named by the part from rel on: no hidden ones, no
 * SKILL.md, through no link.  left says how many entries may still be looked
 * at, be they files or directories.
 */
static void
walk_files(struct strs *l, struct buf *path, size_t rel, int depth,
    size_t *left)
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
		else if (depth < FILES_DEPTH)
			walk_files(l, path, rel, depth + 1, left);
	}
	path->n = n - 1;
	strs_free(&names);
}

static int
fill_hole(struct buf *b, const char *hole, size_t n, void *arg)
{
	struct holes *u = arg;
	struct span h = {hole, n};

	if (span_is(h, "name"))
		markup_attr(b, u->name, strlen(u->name));
	else if (span_is(h, "dir"))
		markup_attr(b, u->dir, strlen(u->dir));
	else if (span_is(h, "body"))
		buf_span(b, u->body);
	else if (span_is(h, "resources") || span_is(h, "files"))
		buf_add(b, u->files.p, u->files.n);
	else
		return 0;
	return 1;
}

/* The value of {{resources}}: empty without files. */
static void
fill_resources(struct holes *u, const struct buf *text, size_t max)
{
	static struct buf path;
	struct strs l = {NULL, 0, 0};
	struct buf b = {NULL, 0, 0};
	size_t i, left = FILES_ENTRIES;

	buf_reset(&path);
	buf_puts(&path, u->dir);
	walk_files(&l, &path, path.n + 1, 0, &left);
	for (i = 0; i < l.n && i < max; i++) {
		if (i > 0)
			buf_putc(&u->files, '\n');
		textfile_name(&u->files, span_of(l.v[i]));
	}
	if (l.n > max)
		buf_printf(&u->files, "\n... (%zu)", l.n);
	if (l.n > 0)
		markup_expand(&b, text->p, text->n, fill_hole, u);
	buf_free(&u->files);
	u->files = b;
	strs_free(&l);
}

void
skilltext_put(struct buf *b, const char *file, const char *name,
    const char *dir, struct span body, size_t maxfiles)
{
	static struct buf text, files;
	static struct holes u;

	buf_reset(&text);
	buf_reset(&files);
	if (textfile_read(&text, file) < 0)
		die(EX_CONFIG, "%s: expected a template", file);
	u.name = name;
	u.dir = dir;
	u.body = body;
	buf_reset(&u.files);
	if (maxfiles > 0 && textfile_read(&files, "prompts/skill-files.md") == 0)
		fill_resources(&u, &files, maxfiles);
	markup_expand(b, text.p, text.n, fill_hole, &u);
	buf_putc(b, '\n');
}

static void
put_restored(const struct skillset_item *it, struct span body)
{
	static struct buf b;
	struct section s = {.kind = "skill", .what = it->name};

	buf_reset(&b);
	skilltext_put(&b, "prompts/skill-restored.md", it->name, it->dir, body,
	    settings_count("skillmenu.resources"));
	section_put(&s, b.p, b.n - 1);
}

void
skilltext_restore(const struct skillset *set, struct fields *state,
    int quiet)
{
	static struct strs names;
	static struct skill skill;
	const struct json *j = fields_json(state);
	const struct skillset_item *it;
	struct span body;
	const char *why;
	size_t i;

	strs_reset(&names);
	json_strs(j, json_get(j, 0, "skills_folded"), &names);
	for (i = 0; i < names.n; i++) {
		why = "it is no longer there";
		it = skillset_get(set, names.v[i]);
		if (it != NULL && skill_body(&skill, it->dir, &body, &why) == 0)
			put_restored(it, body);
		else
			skillset_tell(quiet, "skill '%s': not restored: %s",
			    names.v[i], why);
	}
}
