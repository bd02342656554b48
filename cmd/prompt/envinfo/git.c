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
	GIT_SMALL = 8192, /* HEAD, gitdir and such */
	GIT_CONFIG = 1 << 20
};

/* The full name of a file in dir; good until the next one. */
static const char *
below(const struct buf *dir, const char *name)
{
	static struct buf b;

	buf_reset(&b);
	buf_add(&b, dir->p, dir->n);
	buf_puts(&b, name);
	return buf_cstr(&b);
}

/* The first line of the file name in dir, to b; 0 if it is missing. */
static int
line(struct buf *b, const struct buf *dir, const char *name)
{
	buf_reset(b);
	if (file_read(below(dir, name), b, GIT_SMALL) != FILE_OK)
		return 0;
	b->n = strcspn(buf_cstr(b), "\n");
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
	static struct buf b, top;
	const char *root = path_root();
	struct stat st;

	resolve(&top, root, strlen(root), "", 0);
	if (stat(below(&top, ".git"), &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		resolve(&g->dir, top.p, top.n, ".git", 4);
	else if (line(&b, &top, ".git") && starts(&b, "gitdir: "))
		/* A linked work tree, or a submodule. */
		resolve(&g->dir, top.p, top.n, b.p + 8, b.n - 8);
	else
		return 0;
	(void)line(&b, &g->dir, "commondir");
	resolve(&g->common, g->dir.p, g->dir.n, buf_cstr(&b), b.n);
	return 1;
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
		if (access(below(&g->dir, states[i][0]), F_OK) == 0)
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
	static struct buf b;

	buf_reset(&g->branch);
	buf_reset(&g->commit);
	if (!places(g) || !line(&b, &g->dir, "HEAD"))
		return 0;
	g->state = state(g);
	if (starts(&b, "ref: ")) {
		name_branch(g, b.p + 5, b.n - 5);
	} else if (ishex(&b)) {
		buf_add(&g->commit, b.p, b.n);
		/* The branch that comes back when the rebase is done. */
		if ((line(&b, &g->dir, "rebase-merge/head-name")
			|| line(&b, &g->dir, "rebase-apply/head-name"))
		    && starts(&b, "refs/heads/"))
			name_branch(g, b.p, b.n);
	}
	return 1;
}

/* Take a filter's commands out: of that name, 0 if it cannot be said. */
static int
unfilter(struct strs *args, const char *name, size_t n)
{
	static const char *const keys[] = {"clean=", "process=",
	    "required=false"};
	static struct buf b;
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
disable_filters(struct strs *args, const struct buf *dir, const char *name)
{
	static struct buf b;
	const char *end, *s;
	enum file_result res;
	int r;

	buf_reset(&b);
	res = file_read(below(dir, name), &b, GIT_CONFIG);
	r = res == FILE_OK || (res == FILE_ERRNO && errno == ENOENT);
	s = buf_cstr(&b);
	for (end = s + b.n; r && s < end; s++)
		if (*s == '[')
			r = section(args, s + 1, end);
	return r;
}

void
git_start(struct git *g, int ignored)
{
	/* No command of the work tree's own configuration, no lock taken. */
	static const char *const before[] = {"git", "--no-optional-locks",
	    "-c", "core.fsmonitor=false", "-C", NULL};
	static const char *const after[] = {"status", "--porcelain=v2",
	    "--branch", "-z", "--ignore-submodules=dirty", NULL};
	struct strs args = {0};
	size_t i;

	for (i = 0; before[i] != NULL; i++)
		strs_add(&args, before[i]);
	/* The one we looked at, not a bare one that lies inside. */
	strs_add(&args, path_root());
	g->unsafe = !disable_filters(&args, &g->common, "config")
	    || !disable_filters(&args, &g->dir, "config.worktree");
	for (i = 0; after[i] != NULL; i++)
		strs_add(&args, after[i]);
	if (ignored)
		strs_add(&args, "--ignored=matching");
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
count(struct git *g, const char *s)
{
	static const char head[] = "# branch.head ", ab[] = "# branch.ab ";
	char *end;
	size_t n;

	if (s[0] == '1' || s[0] == '2') {
		g->count[GIT_CHANGED]++;
		g->count[GIT_STAGED] += s[2] != '.';
		g->count[GIT_MODIFIED] += s[3] != '.';
	} else if (s[0] == 'u') {
		g->count[GIT_CHANGED]++;
		g->count[GIT_CONFLICTS]++;
	} else if (s[0] == '?') {
		g->count[GIT_UNTRACKED]++;
	} else if (s[0] == '!') {
		/* A directory has a slash after it. */
		n = strlen(s);
		strs_addn(&g->ignored, s + 2, n - 2 - (s[n - 1] == '/'));
	} else if (strncmp(s, ab, sizeof(ab) - 1) == 0) {
		g->count[GIT_AHEAD] = strtoll(s + sizeof(ab) - 1, &end, 10);
		g->count[GIT_BEHIND] = llabs(strtoll(end, NULL, 10));
	} else if (strncmp(s, head, sizeof(head) - 1) == 0
	    && g->branch.n == 8 && memcmp(g->branch.p, ".invalid", 8) == 0) {
		/* Refs in tables: HEAD itself holds only a stand-in. */
		name_branch(g, s + sizeof(head) - 1,
		    strlen(s) - sizeof(head) + 1);
	}
}

int
git_wait(struct git *g, long long ms, const char **why)
{
	struct capture *c = &g->status;
	const char *end, *s;

	*why = NULL;
	strs_reset(&g->ignored);
	memset(g->count, 0, sizeof(g->count));
	if (g->unsafe) {
		*why = "not asked, for .git/config has a filter or an "
		    "include of its own";
		return -1;
	}
	capture_wait(c, 1, ms);
	if (c->state == CAPTURE_NONE)
		return -1;
	if (c->state == CAPTURE_GIVENUP || !WIFEXITED(c->status)
	    || WEXITSTATUS(c->status) != 0) {
		*why = c->state == CAPTURE_GIVENUP
		    ? "too slow, so changed and ignored files are not known"
		    : "failed, so changed and ignored files are not known";
		return -1;
	}
	s = buf_cstr(&c->out);
	for (end = s + c->out.n; s < end; s += strlen(s) + 1) {
		count(g, s);
		/* The name it had before is a string of its own. */
		if (*s == '2')
			s += strlen(s) + 1;
	}
	strs_sort(&g->ignored);
	return 0;
}
