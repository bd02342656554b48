/*
 * toollist [-bv] [-d DIR] ...
 *
 * - A tool is a program with a schema beside it, NAME and NAME.json, or one
 *   that describes itself; an empty file in front of it takes it away.
 * - What is wrong with one tool never costs the others: a line on stderr,
 *   and it is left out.
 */

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fields.h"
#include "mcplist.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "settings.h"
#include "template.h"
#include "toolrec.h"
#include "toolset.h"

static const char usage[] =
    "usage: toollist [-bv] [-d dir] ...\n"
    "\n"
    "  -b, --batch      a tool that makes several calls in one, too\n"
    "  -d, --dir DIR    look for tools here first\n"
    "  -v, --verbose    say what is left out, and why\n";

static const struct option options[] = {
    {"batch", no_argument, NULL, 'b'},
    {"dir", required_argument, NULL, 'd'},
    {"verbose", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static struct toolset tools;
static struct strs dirs;  /* before the search path */
static struct strs names; /* tools that came by themselves */
static int came[REC_END + 1]; /* records, by type */
static struct fields config, state;
static int batch, verbose, looked;

/* Directories of the user's settings, never found by where we happen to be. */
static void
set_dirs(void)
{
	static struct strs l;
	struct buf b = {0};
	size_t i;

	settings_strs("toollist.dirs", &l);
	for (i = 0; i < l.n; i++) {
		buf_reset(&b);
		if (strncmp(l.v[i], "~/", 2) == 0)
			buf_printf(&b, "%s/%s", path_home(), l.v[i] + 2);
		else
			buf_puts(&b, l.v[i]);
		if (b.n == 0 || b.p[0] != '/')
			die(EX_CONFIG, "settings: toollist.dirs: expected '~/' "
			    "or '/' in front of '%s'", l.v[i]);
		strs_add(&dirs, buf_cstr(&b));
	}
	buf_free(&b);
}

static void
note(const struct rec *r)
{
	const struct json *j;
	char *s;

	/* A matched playbook is in the prompt already: nothing to load. */
	if (r->type == REC_SKILL) {
		j = record_json(r);
		if (json_true(j, json_get(j, 0, "matched")))
			return;
	}
	if (r->type == REC_TOOL) {
		s = toolrec_name(r, record_json(r));
		strs_add(&names, s);
		free(s);
	}
	if (r->type == REC_CONFIG)
		fields_merge(&config, record_json(r));
	if (r->type == REC_STATE)
		fields_merge(&state, record_json(r));
	came[r->type] = 1;
}

static void
look(void)
{
	if (looked)
		return;
	toolset_reset(&tools);
	toolset_find(&tools, &dirs, verbose);
	looked = 1;
}

/* A tool that a server announced, of the name of one in a directory? */
static int
hidden(const struct rec *r)
{
	const struct json *j = record_json(r);
	char *name;
	int is;

	if (json_at(j, 0, "run.mcp") < 0)
		return 0;
	look();
	name = toolrec_name(r, j);
	is = toolset_has(&tools, name);
	if (is && verbose)
		warn("%s of a server left out: a directory has one", name);
	free(name);
	return is;
}

/* The project's file, for a tool that names it; other holes are text. */
static int
fill(struct buf *b, const char *hole, size_t n, void *missing)
{
	static const char key[] = "project_file";
	static struct buf value, text;
	const struct json *j = fields_json(&state);

	if (n != sizeof(key) - 1 || memcmp(hole, key, n) != 0)
		return 0;
	buf_reset(&value);
	buf_reset(&text);
	if (json_str(j, json_get(j, 0, key), &value) < 0)
		*(int *)missing = 1;
	emit_str(&text, value.p, value.n);
	buf_add(b, text.p + 1, text.n - 2);
	return 1;
}

static void
list(void)
{
	static struct buf b;
	static struct strs listed; /* no two of a name */
	const struct toolset_tool *t;
	size_t i;
	int missing;

	strs_reset(&listed);
	look();
	for (i = 0; i < tools.n; i++) {
		t = &tools.v[i];
		if (strs_find(&names, t->name) >= 0) {
			if (verbose)
				warn("%s left out: the input has one",
				    t->name);
			continue;
		}
		if (t->with != 0 && !came[t->with]) {
			if (verbose)
				warn("%s left out: no %s record", t->name,
				    record_name((enum rec_type)t->with));
			continue;
		}
		if (t->isbatch && !batch) {
			if (verbose)
				warn("%s left out: no -b", t->name);
			continue;
		}
		missing = 0;
		template_expand(&b, t->record.p, t->record.n, fill, &missing);
		if (missing) {
			if (verbose)
				warn("%s left out: the profile reads no "
				     "project file", t->name);
			buf_reset(&b);
			continue;
		}
		record_put(&b);
		strs_add(&listed, t->name);
	}
	for (i = 0; i < listed.n; i++)
		strs_add(&names, listed.v[i]);
}

/*
 * The tools of MCP servers: of those that the agent names (mcp), or of all;
 * none without toolhold(1).
 */
static void
list_servers(void)
{
	static struct buf text, b;
	static struct json j;
	struct strs servers = {0};
	const struct json *c = fields_json(&config);
	int isnamed = json_strs(c, json_get(c, 0, "mcp"), &servers) >= 0;
	char *name, *nl, *at;

	if (env_get("TURNPIPE_TOOLHOLD") == NULL || (isnamed && servers.n == 0))
		return;
	buf_reset(&text);
	mcplist(&text, isnamed ? &servers : NULL,
	    (long)settings_int("toollist.mcp_wait"));
	strs_free(&servers);
	for (at = buf_cstr(&text); (nl = strchr(at, '\n')) != NULL;
	     at = nl + 1) {
		if (json_parse(&j, at, (size_t)(nl - at)) < 0)
			continue;
		name = json_dup(&j, json_get(&j, 0, "name"));
		if (name != NULL && strs_find(&names, name) >= 0) {
			warn("%s of an MCP server left out: another tool has "
			     "its name", name);
		} else {
			if (name != NULL) /* a section has none */
				strs_add(&names, name);
			buf_add(&b, at, (size_t)(nl - at));
			record_put(&b);
		}
		free(name);
	}
}

static void
forget(void)
{
	fields_reset(&config);
	fields_reset(&state);
	strs_reset(&names);
	memset(came, 0, sizeof(came));
}

int
main(int argc, char **argv)
{
	struct rec r;
	int c, on;

	prog = "toollist";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "bd:v", options, usage)) != -1)
		switch (c) {
		case 'b':
			batch = 1;
			break;
		case 'd':
			strs_add(&dirs, optarg);
			break;
		case 'v':
			verbose = 1;
			break;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
	on = settings_enabled("toollist");
	set_dirs();
	while (record_next(&r)) {
		if (r.type == REC_TOOL && on && hidden(&r))
			continue;
		if (r.type != REC_END) {
			note(&r);
			record_pass(&r);
			continue;
		}
		if (on) {
			list();
			list_servers();
		}
		record_pass(&r);
		forget();
	}
	return record_close();
}
