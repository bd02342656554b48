#include <dirent.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "path.h"
#include "plugin.h"
#include "treeagents.h"
#include "trust.h"
#include "warnonce.h"

enum { TEXT_MAX = 1 << 20 }; /* bytes of all of them */

static const char *const dirs[] = {".agents/agents", ".claude/agents",
    ".opencode/agent", ".opencode/agents"};
enum { DIRS = sizeof(dirs) / sizeof(*dirs) };

static int
isdefinition(const char *name)
{
	size_t n = strlen(name);

	return *name != '.' && n > 3 && strcmp(name + n - 3, ".md") == 0;
}

/* The paths of those of a directory, sorted. */
static void
list(struct strs *l, const char *base, const char *dir)
{
	static struct buf b, path;
	struct strs names = { 0 };
	const struct dirent *e;
	DIR *f;
	size_t i;

	file_join(&b, base, dir);
	if ((f = opendir(buf_cstr(&b))) == NULL)
		return;
	while ((e = readdir(f)) != NULL)
		if (isdefinition(e->d_name))
			strs_add(&names, e->d_name);
	closedir(f);
	strs_sort(&names);
	for (i = 0; i < names.n; i++) {
		file_join(&path, buf_cstr(&b), names.v[i]);
		strs_add(l, buf_cstr(&path));
	}
	strs_free(&names);
}

/* All of them, and their text, as the user is shown it. */
static void
list_files(struct strs *l, struct buf *text)
{
	static struct strs plugins;
	static struct buf b;
	enum file_result r;
	size_t i;

	strs_reset(l);
	strs_reset(&plugins);
	buf_reset(text);
	for (i = 0; i < DIRS; i++)
		list(l, path_root(), dirs[i]);
	plugin_dirs(&plugins);
	for (i = 0; i < plugins.n; i++)
		list(l, plugins.v[i], "agents");
	for (i = 0; i < l->n; i++) {
		buf_reset(&b);
		r = file_read(l->v[i], &b, TEXT_MAX);
		if (r == FILE_OK && text->n + b.n <= TEXT_MAX) {
			buf_printf(text, "== %s (%zu bytes)\n", l->v[i], b.n);
			buf_span(text, buf_view(&b));
			continue;
		}
		buf_reset(&b);
		buf_printf(&b, "%s: %s", l->v[i],
		    r == FILE_OK ? "too much with the others" : file_why(r));
		warnonce(buf_cstr(&b));
		strs_drop(l, i--);
	}
}

static struct trust
word_about(const struct buf *text)
{
	return (struct trust){"agents", path_root(), text};
}

static int looked; /* in this conversation */

void
treeagents_forget(void)
{
	looked = 0;
}

const struct strs *
treeagents_files(void)
{
	static struct strs files;
	static struct buf text, b;
	struct trust t;

	if (looked)
		return &files;
	looked = 1;
	list_files(&files, &text);
	t = word_about(&text);
	if (files.n == 0 || trust_said(&t, "yes"))
		return &files;
	if (!trust_said(&t, "no")) {
		buf_reset(&b);
		buf_printf(&b, "%s: agents not used: 'turnpipe agents trust' "
			       "shows them and asks", path_root());
		warnonce(buf_cstr(&b));
	}
	strs_reset(&files);
	return &files;
}

int
treeagents_ask(void)
{
	static struct strs files;
	static struct buf text, b;
	struct trust t;

	list_files(&files, &text);
	if (files.n == 0)
		die(EX_NOINPUT, "%s: no agents in %s, %s or %s", path_root(),
		    dirs[0], dirs[1], dirs[2]);
	t = word_about(&text);
	buf_printf(&b, "use these agents of %s?", path_root());
	return trust_said(&t, "yes") || trust_ask(&t, buf_cstr(&b));
}
