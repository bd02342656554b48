#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "git.h"
#include "path.h"

enum {
	GIT_SMALL = 8192,	/* HEAD, gitdir and such */
	GIT_CONFIG = 1 << 20,
	GIT_PACKED = 1 << 26	/* packed-refs */
};

/* The first line of the file name in dir, to b; 0 if it is missing. */
static int
line(struct buf *b, const struct buf *dir, const char *name)
{
	struct buf path = {0};
	const char *nl;
	int r;

	buf_reset(b);
	buf_add(&path, dir->p, dir->n);
	buf_puts(&path, name);
	r = file_read(buf_cstr(&path), b, GIT_SMALL) == FILE_OK && b->n > 0;
	buf_free(&path);
	if (!r)
		return 0;
	if ((nl = memchr(b->p, '\n', b->n)) != NULL)
		b->n = (size_t)(nl - b->p);
	while (b->n > 0 && strchr(" \t\r", b->p[b->n - 1]) != NULL)
		b->n--;
	return b->n > 0;
}

static int
starts(const struct buf *b, const char *s)
{
	size_t n = strlen(s);

	return b->n >= n && memcmp(b->p, s, n) == 0;
}

/* b is a directory's name, seen from base: make it full, ending in a slash. */
static void
resolve(struct buf *b, const char *base, size_t nbase, const char *s, size_t n)
{
	buf_reset(b);
	if (n == 0 || s[0] != '/') {
		buf_add(b, base, nbase);
		if (nbase > 0 && base[nbase - 1] != '/')
			buf_putc(b, '/');
	}
	buf_add(b, s, n);
	if (b->n > 0 && b->p[b->n - 1] != '/')
		buf_putc(b, '/');
}

static int
places(struct git *g)
{
	struct buf b = {0}, top = {0};
	const char *root = path_root();
	struct stat st;
	int r = 1;

	resolve(&top, root, strlen(root), "", 0);
	buf_add(&b, top.p, top.n);
	buf_puts(&b, ".git");
	if (stat(buf_cstr(&b), &st) < 0) {
		r = 0;
	} else if (S_ISDIR(st.st_mode)) {
		resolve(&g->dir, top.p, top.n, ".git", 4);
	} else if (line(&b, &top, ".git") && starts(&b, "gitdir: ")) {
		/* A linked work tree, or a submodule. */
		resolve(&g->dir, top.p, top.n, b.p + 8, b.n - 8);
	} else {
		r = 0;
	}
	if (r && line(&b, &g->dir, "commondir"))
		resolve(&g->common, g->dir.p, g->dir.n, b.p, b.n);
	else if (r)
		resolve(&g->common, g->dir.p, g->dir.n, "", 0);
	buf_free(&b);
	buf_free(&top);
	return r;
}

static int
there(const struct git *g, const char *name)
{
	struct buf b = {0};
	int r;

	buf_add(&b, g->dir.p, g->dir.n);
	buf_puts(&b, name);
	r = access(buf_cstr(&b), F_OK) == 0;
	buf_free(&b);
	return r;
}

static const char *
state(const struct git *g)
{
	static const char *const states[][2] = {
	    {"rebase-merge", "rebase"},
	    {"rebase-apply", "rebase"},
	    {"MERGE_HEAD", "merge"},
	    {"CHERRY_PICK_HEAD", "cherry-pick"},
	    {"REVERT_HEAD", "revert"},
	    {"BISECT_LOG", "bisect"},
	};
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (there(g, states[i][0]))
			return states[i][1];
	return NULL;
}

static void
name_branch(struct git *g, const char *ref, size_t n)
{
	static const char heads[] = "refs/heads/";
	size_t skip = sizeof(heads) - 1;

	if (n <= skip || memcmp(ref, heads, skip) != 0)
		skip = 0;
	buf_reset(&g->branch);
	buf_add(&g->branch, ref + skip, n - skip);
}

static int
ishex(const struct buf *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		if (strchr("0123456789abcdef", b->p[i]) == NULL)
			return 0;
	return b->n == 40 || b->n == 64;
}

int
git_look(struct git *g)
{
	struct buf b = {0};

	buf_reset(&g->ref);
	buf_reset(&g->branch);
	buf_reset(&g->commit);
	g->counted = 0;
	if (!places(g) || !line(&b, &g->dir, "HEAD")) {
		buf_free(&b);
		return 0;
	}
	g->state = state(g);
	if (starts(&b, "ref: ")) {
		buf_add(&g->ref, b.p + 5, b.n - 5);
		name_branch(g, b.p + 5, b.n - 5);
	} else if (ishex(&b)) {
		buf_add(&g->commit, b.p, b.n);
		/* The branch that comes back when the rebase is done. */
		if ((line(&b, &g->dir, "rebase-merge/head-name")
			|| line(&b, &g->dir, "rebase-apply/head-name"))
		    && starts(&b, "refs/heads/"))
			name_branch(g, b.p, b.n);
	}
	buf_free(&b);
	return 1;
}

/* "HEX REF" lines, as git packs refs. */
static void
packed(struct git *g)
{
	struct buf b = {0}, path = {0};
	const char *end, *nl, *s, *sp;

	buf_add(&path, g->common.p, g->common.n);
	buf_puts(&path, "packed-refs");
	if (file_read(buf_cstr(&path), &b, GIT_PACKED) != FILE_OK)
		b.n = 0;
	for (s = b.p, end = s + b.n; b.n > 0 && s < end; s = nl + 1) {
		if ((nl = memchr(s, '\n', (size_t)(end - s))) == NULL)
			nl = end;
		sp = memchr(s, ' ', (size_t)(nl - s));
		if (sp == NULL || (size_t)(nl - sp - 1) != g->ref.n
		    || memcmp(sp + 1, g->ref.p, g->ref.n) != 0)
			continue;
		buf_add(&g->commit, s, (size_t)(sp - s));
		break;
	}
	buf_free(&path);
	buf_free(&b);
}

int
git_commit(struct git *g)
{
	if (g->commit.n > 0 || g->ref.n == 0)
		return g->commit.n > 0;
	if ((line(&g->commit, &g->dir, buf_cstr(&g->ref)) && ishex(&g->commit))
	    || (line(&g->commit, &g->common, g->ref.p) && ishex(&g->commit)))
		return 1;
	buf_reset(&g->commit);
	packed(g);
	if (!ishex(&g->commit))
		buf_reset(&g->commit);
	return g->commit.n > 0;
}

/* Take a filter's commands out: of that name, 0 if it cannot be said. */
static int
unfilter(struct strs *args, const char *name, size_t n)
{
	static const char *const keys[] = {"clean=", "process=",
	    "required=false"};
	struct buf b = {0};
	size_t i;

	for (i = 0; i < n; i++)
		if (strchr("\\=\n", name[i]) != NULL) /* and NUL */
			return 0;
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		buf_reset(&b);
		buf_puts(&b, "filter.");
		buf_add(&b, name, n);
		buf_printf(&b, ".%s", keys[i]);
		strs_add(args, "-c");
		strs_add(args, buf_cstr(&b));
	}
	buf_free(&b);
	return 1;
}

/* A section's head at s, after its '['; 0 if it cannot be judged. */
static int
section(struct strs *args, const char *s, const char *end)
{
	static const char filter[] = "filter", include[] = "include";
	const char *close;

	if ((size_t)(end - s) >= sizeof(include)
	    && strncasecmp(s, include, sizeof(include) - 1) == 0)
		return 0;
	if ((size_t)(end - s) < sizeof(filter)
	    || strncasecmp(s, filter, sizeof(filter) - 1) != 0)
		return 1;
	s += sizeof(filter) - 1;
	if (*s == ']' || *s == '-' || isalnum((unsigned char)*s))
		return 1;
	while (*s == ' ' || *s == '\t')
		s++;
	close = *s == '"'
	    ? memchr(s + 1, '"', (size_t)(end - s - 1)) : NULL;
	return close != NULL
	    && unfilter(args, s + 1, (size_t)(close - s - 1));
}

/*
 * A clone may come as an archive, with a configuration of somebody else's:
 * to compare files git would run the filters that it names.
 */
static int
defuse(struct strs *args, const struct buf *dir, const char *name)
{
	struct buf path = {0}, b = {0};
	const char *end, *s;
	enum file_result res;
	int r;

	buf_add(&path, dir->p, dir->n);
	buf_puts(&path, name);
	res = file_read(buf_cstr(&path), &b, GIT_CONFIG);
	r = res == FILE_OK || (res == FILE_ERRNO && errno == ENOENT);
	s = buf_cstr(&b);
	for (end = s + b.n; r && s < end; s++)
		if (*s == '[')
			r = section(args, s + 1, end);
	buf_free(&path);
	buf_free(&b);
	return r;
}

void
git_status(struct git *g)
{
	/* No command of the work tree's own configuration, no lock taken. */
	static const char *const before[] = {"git", "--no-optional-locks",
	    "-c", "core.fsmonitor=false", "-C", NULL};
	static const char *const after[] = {"status", "--porcelain=v2",
	    "--branch", "--ignore-submodules=dirty", NULL};
	struct strs args = {0};
	size_t i;

	for (i = 0; before[i] != NULL; i++)
		strs_add(&args, before[i]);
	/* The one we looked at, not a bare one that lies inside. */
	strs_add(&args, path_root());
	g->unsafe = !defuse(&args, &g->common, "config")
	    || !defuse(&args, &g->dir, "config.worktree");
	for (i = 0; after[i] != NULL; i++)
		strs_add(&args, after[i]);
	/* They would lead to another one than we are in. */
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	unsetenv("GIT_INDEX_FILE");
	/* Nothing is fetched that a partial clone lacks. */
	(void)setenv("GIT_ALLOW_PROTOCOL", "", 1);
	g->status.isgroup = 1;
	if (!g->unsafe)
		(void)capture_start(&g->status, strs_vector(&args), NULL, 0);
	strs_free(&args);
}

static void
count(struct git *g, const char *s, size_t n)
{
	static const char head[] = "# branch.head ", ab[] = "# branch.ab ";
	char *end;

	if (n >= 4 && (s[0] == '1' || s[0] == '2')) {
		g->changed++;
		g->staged += s[2] != '.';
		g->modified += s[3] != '.';
	} else if (n > 0 && s[0] == 'u') {
		g->changed++;
		g->conflicts++;
	} else if (n > 0 && s[0] == '?') {
		g->untracked++;
	} else if (n >= sizeof(ab) && memcmp(s, ab, sizeof(ab) - 1) == 0) {
		g->ahead = strtoll(s + sizeof(ab) - 1, &end, 10);
		g->behind = llabs(strtoll(end, NULL, 10));
	} else if (n > sizeof(head) && memcmp(s, head, sizeof(head) - 1) == 0
	    && g->branch.n == 8 && memcmp(g->branch.p, ".invalid", 8) == 0) {
		/* Refs in tables: HEAD itself holds only a stand-in. */
		name_branch(g, s + sizeof(head) - 1, n - sizeof(head) + 1);
	}
}

int
git_counts(struct git *g, long long ms, const char **why)
{
	struct capture *c = &g->status;
	const char *end, *nl, *s;

	*why = NULL;
	if (g->unsafe) {
		*why = "not asked, for .git/config has a filter or an "
		    "include of its own";
		return -1;
	}
	capture_wait(c, 1, ms);
	if (c->state == CAPTURE_NONE)
		return -1;
	if (c->state == CAPTURE_GIVENUP) {
		*why = "too slow, so changed files are not listed";
		return -1;
	}
	if (!WIFEXITED(c->status) || WEXITSTATUS(c->status) != 0) {
		*why = "failed, so changed files are not listed";
		return -1;
	}
	g->staged = g->modified = g->untracked = g->conflicts = 0;
	g->changed = g->ahead = g->behind = 0;
	s = buf_cstr(&c->out);
	for (end = s + c->out.n; s < end; s = nl + 1) {
		if ((nl = memchr(s, '\n', (size_t)(end - s))) == NULL)
			nl = end;
		count(g, s, (size_t)(nl - s));
	}
	g->counted = 1;
	return 0;
}
