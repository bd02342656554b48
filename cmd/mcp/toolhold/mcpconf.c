#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "fileshape.h"
#include "hash.h"
#include "json.h"
#include "match.h"
#include "mcpconf.h"
#include "path.h"
#include "plugin.h"
#include "trust.h"
#include "warnonce.h"

enum { NAME_MAX_BYTES = 32 }; /* of a server: SERVER_TOOL has 64 in all */

/* What a plugin's words for its servers name its directory by. */
static const char PLUGIN_ROOT[] = "CLAUDE_PLUGIN_ROOT";
static int inplugin; /* the file that is being read is a plugin's */

/* An entry of the file that is being read. */
struct entry {
	struct fileshape file;
	const struct json *j;
	int at; /* the server's name */
	char *name;
};

static void
leave_out(const struct entry *e, struct buf *why)
{
	buf_printf(why, ": the server %s is left out", e->name);
	warnonce(buf_cstr(why));
}

static void
bad(const struct entry *e, int i, const char *why)
{
	static struct buf b;

	buf_reset(&b);
	fileshape_fault(&e->file, i, why, &b);
	leave_out(e, &b);
}

/* Other programs have keys of their own: the server goes without. */
static void
warn_unused(const char *what)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "%s: it is not used", what);
	warnonce(buf_cstr(&b));
}

static int
isvariable(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i] != '_' && !(s[i] >= 'a' && s[i] <= 'z')
		    && !(s[i] >= 'A' && s[i] <= 'Z')
		    && !(i > 0 && s[i] >= '0' && s[i] <= '9'))
			return 0;
	return n > 0;
}

/* Append s with each ${NAME}, ${NAME:-DEFAULT} replaced.  0, or -1 and why. */
static int
expand(struct buf *b, const char *s, const char **why)
{
	static struct buf said;
	const char *end, *value, *colon;
	char *name;

	for (; *s != '\0'; s++) {
		if (s[0] != '$' || s[1] != '{') {
			buf_putc(b, *s);
			continue;
		}
		end = strchr(s, '}');
		colon = end == NULL ? NULL
				    : memchr(s, ':', (size_t)(end - s));
		if (colon == NULL)
			colon = end;
		if (end == NULL || (*colon == ':' && colon[1] != '-')
		    || !isvariable(s + 2, (size_t)(colon - s) - 2)) {
			*why = "expected ${NAME} or ${NAME:-DEFAULT}";
			return -1;
		}
		name = xstrndup(s + 2, (size_t)(colon - s) - 2);
		value = getenv(name);
		if (colon < end && (value == NULL || *value == '\0')) {
			buf_add(b, colon + 2, (size_t)(end - colon) - 2);
		} else if (value != NULL) {
			buf_puts(b, value);
		} else {
			buf_reset(&said);
			buf_printf(&said, "expected the variable %s to be "
					  "set", name);
			*why = buf_cstr(&said);
		}
		free(name);
		if (*why != NULL)
			return -1;
		s = end;
	}
	return 0;
}

/* An object of strings, each as KEY, between, VALUE. */
static int
pairs(const struct entry *e, int i, const char *between, struct strs *l)
{
	static struct buf b;
	const struct json *j = e->j;
	const char *why;
	char *key, *value;
	int k;

	for (k = json_first(j, i); k >= 0; k = json_next(j, k)) {
		key = json_dup(j, k);
		value = json_dup(j, k + 1);
		why = NULL;
		buf_reset(&b);
		if (key == NULL || *key == '\0' || strpbrk(key, "=\r\n:"))
			why = "expected a name";
		else if (value == NULL)
			why = "expected text without NUL";
		else {
			buf_printf(&b, "%s%s", key, between);
			if (expand(&b, value, &why) == 0 && *between == ':'
			    && strpbrk(buf_cstr(&b), "\r\n") != NULL)
				why = "expected a header on one line";
		}
		free(key);
		free(value);
		if (why != NULL) {
			bad(e, k + 1, why);
			return -1;
		}
		strs_add(l, buf_cstr(&b));
	}
	return 0;
}

/*
 * The name by which a server is called: of io.github.x/y what is after the
 * last slash; what no tool's name may have becomes '_'.
 */
static void
shorten(char *s)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	char *slash = strrchr(s, '/');

	if (slash != NULL && slash[1] != '\0')
		memmove(s, slash + 1, strlen(slash));
	if (strlen(s) > NAME_MAX_BYTES)
		s[NAME_MAX_BYTES] = '\0';
	for (s += strspn(s, good); *s != '\0'; s += strspn(s, good))
		*s = '_';
}

static char *
text(const struct entry *e, const char *key)
{
	return json_dup(e->j, json_get(e->j, e->at + 1, key));
}

/* Seconds, for both or apart. */
static void
take_timeout(const struct json *j, int i, struct mcpserver *s)
{
	long long start = MCPCONF_TIMEOUT, call = MCPCONF_TIMEOUT;

	if (json_int(j, i, &start) == 0)
		call = start;
	(void)json_int(j, json_get(j, i, "start"), &start);
	(void)json_int(j, json_get(j, i, "call"), &call);
	s->start = (int)start;
	s->call = (int)call;
}

/* The command and its words, in which a plugin names its directory. */
static int
words(const struct entry *e, struct mcpserver *s)
{
	struct buf b = { 0 };
	const char *why = NULL;
	char **word;
	size_t i;

	if (!inplugin)
		return 0;
	for (i = 0; i <= s->args.n && why == NULL; i++) {
		word = i < s->args.n ? &s->args.v[i] : &s->command;
		if (*word == NULL)
			continue;
		buf_reset(&b);
		if (expand(&b, *word, &why) == 0) {
			free(*word);
			*word = xstrdup(buf_cstr(&b));
		}
	}
	if (why != NULL)
		bad(e, e->at + 1, why);
	buf_reset(&b);
	buf_printf(&b, "%s=%s", PLUGIN_ROOT, getenv(PLUGIN_ROOT));
	strs_add(&s->env, buf_cstr(&b));
	buf_free(&b);
	return why != NULL ? -1 : 0;
}

/* Fill s from an entry of the right shape. */
static int
members(const struct entry *e, struct mcpserver *s)
{
	const struct json *j = e->j;
	int v = e->at + 1;

	s->command = text(e, "command");
	s->cwd = text(e, "cwd");
	s->url = text(e, "url");
	s->keyfile = text(e, "key");
	s->keycmd = text(e, "key_cmd");
	(void)json_strs(j, json_get(j, v, "enabled_tools"), &s->enabled);
	(void)json_strs(j, json_get(j, v, "disabled_tools"), &s->disabled);
	s->trust = json_true(j, json_get(j, v, "trust"));
	s->noroots = json_kind(j, json_get(j, v, "roots")) == JSON_FALSE;
	take_timeout(j, json_get(j, v, "timeout"), s);
	(void)json_strs(j, json_get(j, v, "args"), &s->args);
	if (s->url != NULL && strncmp(s->url, "https://", 8) != 0
	    && strncmp(s->url, "http://", 7) != 0) {
		bad(e, json_get(j, v, "url"),
		    "expected a URL, https:// or http://");
		return -1;
	}
	if (s->keyfile != NULL && (*s->keyfile == '\0' || *s->keyfile == '.'
	    || strchr(s->keyfile, '/') != NULL)) {
		bad(e, json_get(j, v, "key"),
		    "expected the name of a key file");
		return -1;
	}
	if (words(e, s) < 0
	    || pairs(e, json_get(j, v, "env"), "=", &s->env) < 0)
		return -1;
	return pairs(e, json_get(j, v, "headers"), ": ", &s->headers);
}

static void
release(struct mcpserver *s)
{
	free(s->name);
	free(s->command);
	free(s->cwd);
	free(s->url);
	free(s->keyfile);
	free(s->keycmd);
	strs_free(&s->enabled);
	strs_free(&s->disabled);
	strs_free(&s->args);
	strs_free(&s->env);
	strs_free(&s->headers);
	memset(s, 0, sizeof(*s));
}

/* What the list of tools may depend on: another key is another list. */
static void
set_key(struct mcpserver *s, struct span entry)
{
	struct buf b = { 0 }, key = { 0 };
	struct stat st;
	size_t i;

	buf_span(&b, entry);
	for (i = 0; i < s->env.n; i++)
		buf_printf(&b, "\n%s", s->env.v[i]);
	for (i = 0; i < s->headers.n; i++)
		buf_printf(&b, "\n%s", s->headers.v[i]);
	/* Another token may see other tools. */
	if (s->keyfile != NULL) {
		buf_printf(&key, "%s/keys/%s", path_config(), s->keyfile);
		if (stat(buf_cstr(&key), &st) == 0)
			buf_printf(&b, "\n%lld %lld", (long long)st.st_mtime,
			    (long long)st.st_ino);
		buf_free(&key);
	}
	buf_printf(&b, "\n%s\n%s", s->name,
	    s->cwd != NULL ? s->cwd : path_cwd());
	snprintf(s->key, sizeof(s->key), "%016" PRIx64,
	    hash_bytes(b.p, b.n));
	buf_free(&b);
}

/* One at a URL is reached by mcphttp(1), the headers in its environment. */
static void
bridge(struct mcpserver *s)
{
	struct buf b = { 0 };
	size_t i;

	s->command = xstrdup("mcphttp");
	strs_reset(&s->args);
	if (s->keyfile != NULL) {
		strs_add(&s->args, "-k");
		strs_add(&s->args, s->keyfile);
	}
	if (s->keycmd != NULL) {
		strs_add(&s->args, "-c");
		strs_add(&s->args, s->keycmd);
	}
	strs_add(&s->args, "--");
	strs_add(&s->args, s->url);
	strs_reset(&s->env);
	buf_puts(&b, "TURNPIPE_MCP_HEADERS=");
	for (i = 0; i < s->headers.n; i++)
		buf_printf(&b, "%s\n", s->headers.v[i]);
	strs_add(&s->env, buf_cstr(&b));
	buf_free(&b);
}

static int
is_taken(const struct mcpconf *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (strcmp(c->v[i].name, name) == 0)
			return 1;
	return 0;
}

static void
server(struct mcpconf *c, const struct entry *e, const char *dir)
{
	const struct json *j = e->j;
	struct mcpserver s = { 0 };
	struct strs args = { 0 };
	struct buf b = { 0 };
	size_t i;
	int v = e->at + 1, ok = 0;

	if (e->name == NULL || *e->name == '\0')
		bad(e, e->at, "expected a name");
	else if (is_taken(c, e->name))
		bad(e, e->at, json_is(j, e->at, e->name) ?
		    "expected another name, one before has it" :
		    "expected another name: its short one, in which the "
		    "tools are called, one before has");
	else
		ok = 1;
	c->left += !ok;
	if (!ok || json_true(j, json_get(j, v, "disabled")))
		return;
	if (fileshape_fit(&e->file, v, "mcp", "$defs.server", &b) < 0) {
		leave_out(e, &b);
		buf_free(&b);
		c->left++;
		return;
	}
	ok = members(e, &s) == 0;
	if (ok && (s.command == NULL) == (s.url == NULL)) {
		bad(e, v, "expected either a command or a url");
		ok = 0;
	}
	if (ok && s.url == NULL && (s.keyfile != NULL || s.keycmd != NULL
	    || s.headers.n > 0)) {
		bad(e, v, "expected a url, as there are headers or a key");
		ok = 0;
	}
	/* The user's keys are for URLs that the user wrote down. */
	if (ok && (s.keyfile != NULL || s.keycmd != NULL) && dir != NULL) {
		bad(e, v, "expected no key in a work tree's file");
		ok = 0;
	}
	if (!ok) {
		c->left++;
		release(&s);
		return;
	}
	s.name = xstrdup(e->name);
	if (s.url != NULL)
		bridge(&s);
	strs_add(&args, s.command);
	for (i = 0; i < s.args.n; i++)
		strs_add(&args, s.args.v[i]);
	strs_free(&s.args);
	s.args = args;
	/* The work tree's own are relative to where their file is. */
	if (dir != NULL && (s.cwd == NULL || *s.cwd != '/')) {
		file_join(&b, dir, s.cwd != NULL ? s.cwd : ".");
		free(s.cwd);
		s.cwd = xstrdup(buf_cstr(&b));
		buf_free(&b);
	}
	set_key(&s, json_span(j, v));
	grow(&c->v, &c->cap, c->n, sizeof(*c->v));
	c->v[c->n++] = s;
}

static void
read_conf(
    struct mcpconf *c, const char *path, const char *dir, struct buf *text)
{
	struct json j = { 0 };
	struct entry e = { { path, &j, NULL, 0, warn_unused, 0 }, &j, 0, NULL };
	struct buf why = { 0 };
	size_t line, col;
	int servers;

	if (json_parse(&j, buf_cstr(text), text->n) < 0) {
		json_where(text->p, j.at, &line, &col);
		die_at(EX_CONFIG, path, line, col, j.why);
	}
	servers = json_get(&j, 0, "mcpServers");
	if (servers < 0) /* as .vscode/mcp.json has it */
		servers = json_get(&j, 0, "servers");
	if (json_kind(&j, servers) != JSON_OBJECT) {
		fileshape_fault(&e.file, servers < 0 ? 0 : servers,
		    "expected an object with mcpServers", &why);
		die(EX_CONFIG, "%s", buf_cstr(&why));
	}
	for (e.at = json_first(&j, servers); e.at >= 0;
	     e.at = json_next(&j, e.at)) {
		e.name = json_dup(&j, e.at);
		if (e.name != NULL)
			shorten(e.name);
		server(c, &e, dir);
		free(e.name);
	}
	json_free(&j);
}

static const char *
user_path(void)
{
	static struct buf b;
	const char *env = env_get("TURNPIPE_MCP");

	if (env != NULL)
		return env;
	if (b.n == 0)
		file_join(&b, path_config(), "mcp.json");
	return buf_cstr(&b);
}

/* The work tree's file. */
static const char *
tree_path(void)
{
	static struct buf b;

	if (b.n == 0)
		file_join(&b, path_root(), ".mcp.json");
	return buf_cstr(&b);
}

/* The user's word about its text. */
static struct trust
word_about(const struct buf *text)
{
	return (struct trust){"mcp", path_root(), text};
}

/* Those of the plugins, but for the root's, which are the work tree's. */
static void
read_plugins(struct mcpconf *c)
{
	struct strs dirs = { 0 };
	struct buf path = { 0 }, text = { 0 };
	size_t i;

	plugin_dirs(&dirs);
	for (i = 0; i < dirs.n; i++) {
		file_join(&path, dirs.v[i], ".mcp.json");
		buf_reset(&text);
		if (strcmp(dirs.v[i], path_root()) == 0
		    || file_read(buf_cstr(&path), &text, MCPCONF_MAX) != FILE_OK)
			continue;
		setenv(PLUGIN_ROOT, dirs.v[i], 1);
		inplugin = 1;
		read_conf(c, buf_cstr(&path), dirs.v[i], &text);
		inplugin = 0;
		unsetenv(PLUGIN_ROOT);
	}
	strs_free(&dirs);
	buf_free(&path);
	buf_free(&text);
}

void
mcpconf_read(struct mcpconf *c, const char *path)
{
	struct buf text = { 0 }, b = { 0 };
	struct trust t = word_about(&text);
	const char *p = path != NULL ? path : user_path();
	enum file_result r;

	r = file_read(p, &text, MCPCONF_MAX);
	if (r == FILE_OK)
		read_conf(c, p, NULL, &text);
	else if (path != NULL || env_get("TURNPIPE_MCP") != NULL
	    || r != FILE_ERRNO || errno != ENOENT)
		die(EX_NOINPUT, "%s: %s", p, file_why(r));
	buf_reset(&text);
	r = file_read(tree_path(), &text, MCPCONF_MAX);
	if (r == FILE_OK && trust_said(&t, "yes")) {
		read_conf(c, tree_path(), path_root(), &text);
	} else if (r == FILE_OK && !trust_said(&t, "no")) {
		buf_printf(&b, "%s: not used: 'turnpipe mcp trust' shows it "
			       "and asks", tree_path());
		warnonce(buf_cstr(&b));
	} else if (r != FILE_OK && (r != FILE_ERRNO || errno != ENOENT)) {
		buf_printf(&b, "%s: %s", tree_path(), file_why(r));
		warnonce(buf_cstr(&b));
	}
	read_plugins(c);
	buf_free(&text);
	buf_free(&b);
}

int
mcpconf_offers(const struct mcpserver *s, const char *tool)
{
	return (s->enabled.n == 0 || match_any(&s->enabled, tool) != NULL)
	    && match_any(&s->disabled, tool) == NULL;
}

int
mcpconf_trust(void)
{
	static struct buf text, b;
	enum file_result r = file_read(tree_path(), &text, MCPCONF_MAX);
	struct trust t = word_about(&text);

	int own = r == FILE_OK, err = errno, plugins;

	buf_printf(&b, "start the servers of %s?", tree_path());
	if (own && !trust_said(&t, "yes") && !trust_ask(&t, buf_cstr(&b)))
		return EXIT_NO;
	plugins = plugin_ask();
	errno = err;
	if (!own && plugins == 0)
		die(EX_NOINPUT, "%s: %s", tree_path(), file_why(r));
	return plugins < 0 ? EXIT_NO : 0;
}
