#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "json.h"
#include "path.h"
#include "plugin.h"
#include "trust.h"
#include "warnonce.h"

enum { PLUGIN_MAX = 1 << 20 };

/* What the user is asked about, in this order. */
static const char *const manifests[] = {".plugin/plugin.json",
    ".claude-plugin/plugin.json"};
static const char *const parts[] = {".mcp.json", "hooks/hooks.json"};

/* Append DIR/NAME with its name before it; -1 if it is not to be read. */
static int
add_file(struct buf *b, const char *dir, const char *name)
{
	static struct buf path, text;

	file_join(&path, dir, name);
	buf_reset(&text);
	if (file_read(buf_cstr(&path), &text, PLUGIN_MAX) != FILE_OK)
		return -1;
	buf_printf(b, "%s:\n", buf_cstr(&path));
	buf_span(b, buf_view(&text));
	return 0;
}

/* All of it in place of what b holds; -1 if the directory is no plugin. */
static int
describe(struct buf *b, const char *dir)
{
	size_t i;
	int r = -1;

	buf_reset(b);
	for (i = 0; i < 2 && r < 0; i++)
		r = add_file(b, dir, manifests[i]);
	for (i = 0; i < 2 && r == 0; i++)
		(void)add_file(b, dir, parts[i]);
	return r;
}

static void
find(struct strs *l)
{
	static struct buf dir, path;
	struct dirent *e;
	DIR *d;

	strs_add(l, path_root());
	file_join(&dir, path_root(), ".agents/plugins");
	d = opendir(buf_cstr(&dir));
	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.') {
			file_join(&path, dir.p, e->d_name);
			strs_add(l, buf_cstr(&path));
		}
	if (d != NULL)
		closedir(d);
	strs_sort(l);
}

/* Name the hooks, which others run at these events. */
static void
name_hooks(const char *dir)
{
	static struct buf path, text, b;
	static struct json j;
	struct buf name = {0};
	int i, k;

	file_join(&path, dir, "hooks/hooks.json");
	buf_reset(&text);
	if (file_read(buf_cstr(&path), &text, PLUGIN_MAX) != FILE_OK)
		return;
	buf_reset(&b);
	buf_printf(&b, "%s: hooks are not run", buf_cstr(&path));
	if (json_parse(&j, buf_cstr(&text), text.n) == 0) {
		i = json_get(&j, 0, "hooks");
		for (k = json_first(&j, i); k >= 0; k = json_next(&j, k)) {
			buf_printf(&b, "%s ", name.p == NULL ? ":" : ",");
			buf_reset(&name);
			json_str(&j, k, &name);
			buf_span(&b, buf_view(&name));
		}
	}
	buf_free(&name);
	warnonce(buf_cstr(&b));
}

void
plugin_dirs(struct strs *l)
{
	static struct strs all;
	static struct buf text, why;
	struct trust t = {"plugin", NULL, &text};
	size_t i;

	strs_reset(&all);
	find(&all);
	for (i = 0; i < all.n; i++) {
		t.what = all.v[i];
		if (describe(&text, t.what) < 0 || trust_said(&t, "no"))
			continue;
		if (trust_said(&t, "yes")) {
			strs_add(l, t.what);
			name_hooks(t.what);
			continue;
		}
		buf_reset(&why);
		buf_printf(&why, "%s: the plugin is not used: 'turnpipe mcp "
		    "trust' shows it and asks", t.what);
		warnonce(buf_cstr(&why));
	}
}

int
plugin_ask(void)
{
	static struct strs all;
	static struct buf text, question;
	struct trust t = {"plugin", NULL, &text};
	size_t i;
	int r = 0;

	find(&all);
	for (i = 0; i < all.n; i++) {
		t.what = all.v[i];
		if (describe(&text, t.what) < 0)
			continue;
		buf_reset(&question);
		buf_printf(&question,
		    "use the skills and start the servers of the plugin %s?",
		    t.what);
		if (trust_said(&t, "yes")
		    || trust_ask(&t, buf_cstr(&question)))
			r = r < 0 ? r : 1;
		else
			r = -1;
	}
	return r;
}
