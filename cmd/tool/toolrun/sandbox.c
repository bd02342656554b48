#define _GNU_SOURCE /* O_PATH, syscall */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "env.h"
#include "file.h"
#include "path.h"
#include "roots.h"
#include "sandbox.h"
#include "settings.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#ifdef SYS_landlock_create_ruleset
#define LANDLOCK(name, ...) syscall(SYS_landlock_##name, __VA_ARGS__)
#else
#define LANDLOCK(name, ...) (errno = ENOSYS, -1)
#define O_PATH 0
#endif

/* linux/landlock.h, which older headers have less of. */
enum {
	FS_EXECUTE = 1 << 0,
	FS_WRITE_FILE = 1 << 1,
	FS_READ_FILE = 1 << 2,
	FS_READ_DIR = 1 << 3,
	FS_REFER = 1 << 13,	   /* ABI 2 */
	FS_TRUNCATE = 1 << 14,	   /* ABI 3 */
	FS_ALL_2 = (1 << 14) - 1,
	FS_READ = FS_EXECUTE | FS_READ_FILE,
	FS_FILE = FS_READ | FS_WRITE_FILE | FS_TRUNCATE, /* no directory's */
	FS_MAKE_DEVICE = 1 << 6 | 1 << 11,
	SCOPE_ABSTRACT = 1 << 0,   /* ABI 6: sockets without a file */
	ABI_LEAST = 2,		   /* before it nothing can be moved */
	ABI_TRUNCATE = 3,
	ABI_SCOPE = 6
};

static enum { NONE, LANDLOCK, BWRAP } kind;
static int abi, privileges, network, unasked;
static mode_t mask;
static int masked;
static struct buf name, bwrap;

/* What a shell line may use of /dev: no terminal, disk or memory. */
static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full",
    "/dev/random", "/dev/urandom", "/dev/shm"};

enum { DEVICES = sizeof(devices) / sizeof(*devices) };

static int
no_new_privileges(void)
{
#ifdef PR_SET_NO_NEW_PRIVS
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#else
	return 0;
#endif
}

static int
ruleset(uint64_t files, uint64_t scoped)
{
	uint64_t attr[] = {files, 0, scoped};

	return (int)LANDLOCK(create_ruleset, attr,
	    abi >= ABI_SCOPE ? sizeof(attr) : sizeof(*attr), 0);
}

/* Allow this beneath path; one that is a link, or not there, is left out. */
static int
allow(int set, const char *path, uint64_t access)
{
	struct {
		uint64_t access;
		int32_t fd;
	} __attribute__((packed)) rule;
	struct stat st;
	int r = 0;

	rule.fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (rule.fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : -1;
	if (fstat(rule.fd, &st) == 0 && !S_ISLNK(st.st_mode)) {
		rule.access = S_ISDIR(st.st_mode) ? access : access & FS_FILE;
		if (rule.access != 0)
			r = (int)LANDLOCK(add_rule, set, 1, &rule, 0);
	}
	close(rule.fd);
	return r;
}

static int
enter(int set)
{
	int r = (int)LANDLOCK(restrict_self, set, 0);

	close(set);
	return r;
}
/* Programs look at /proc; what others have in it, the domain closes. */
static int
is_hidden(const char *path)
{
	struct stat st;

	return strcmp(path, "/proc") != 0
	    && strs_find(roots_hides(), path) >= 0 && lstat(path, &st) == 0;
}

/* Is anything hidden beneath dir, which is not itself? */
static int
hides(const char *dir)
{
	const struct strs *l = roots_hides();
	size_t i, n = strcmp(dir, "/") == 0 ? 0 : strlen(dir);

	for (i = 0; i < l->n; i++)
		if (strncmp(l->v[i], dir, n) == 0 && l->v[i][n] == '/'
		    && is_hidden(l->v[i]))
			return 1;
	return 0;
}

/* A domain can't take away: allow all beneath dir but what is hidden. */
static int
allow_shown(int set, const char *dir, uint64_t access)
{
	const struct dirent *e;
	struct buf b = {0};
	int r = 0;
	DIR *d;

	if (is_hidden(dir) || strcmp(dir, "/dev") == 0)
		return 0;
	if (!hides(dir) && strcmp(dir, "/") != 0)
		return allow(set, dir, access);
	d = opendir(dir);
	if (d == NULL)
		return errno == ENOENT || errno == EACCES ? 0 : -1;
	while (r == 0 && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		file_join(&b, dir, e->d_name);
		r = allow_shown(set, buf_cstr(&b), access);
	}
	closedir(d);
	buf_free(&b);
	return r;
}

/* Where a shell line may write, beside the devices. */
static const struct strs *
writable(void)
{
	static struct strs l;
	const struct strs *roots = roots_writable();
	const char *tmp = env_get("TMPDIR");
	struct strs more = {0};
	char *real;
	size_t i;

	if (l.n > 0)
		return &l;
	for (i = 0; i < roots->n; i++)
		strs_add(&l, roots->v[i]);
	strs_add(&more, tmp != NULL ? tmp : "/tmp");
	settings_strs("toolrun.sandbox_write", &more);
	for (i = 0; i < more.n; i++) {
		real = roots_resolve(more.v[i]);
		if (real != NULL)
			strs_once(&l, real);
		free(real);
	}
	strs_free(&more);
	return &l;
}

/* The first of paths that a line could write, or make anew; NULL if none. */
static const char *
exposed(const struct strs *paths)
{
	const struct strs *l = writable();
	char *real;
	size_t i, k;
	int hit;

	for (i = 0; i < paths->n; i++) {
		real = roots_resolve(paths->v[i]);
		for (k = 0, hit = 0; real != NULL && k < l->n && !hit; k++)
			hit = roots_within(real, l->v[k]) != NULL
			    || roots_within(l->v[k], real) != NULL;
		free(real);
		if (hit)
			return paths->v[i];
	}
	return NULL;
}

static int
landlock(void)
{
	uint64_t all = (FS_ALL_2 & ~FS_MAKE_DEVICE)
	    | (abi >= ABI_TRUNCATE ? FS_TRUNCATE : 0);
	const struct strs *l = writable();
	int set = ruleset(all | FS_MAKE_DEVICE, SCOPE_ABSTRACT);
	size_t i;

	if (set < 0)
		return -1;
	/* Names may be listed everywhere, as without it. */
	if (allow(set, "/", FS_READ_DIR) < 0
	    || allow_shown(set, "/", FS_READ) < 0)
		return -1;
	for (i = 0; i < l->n; i++)
		if (allow_shown(set, l->v[i], all & ~(uint64_t)FS_READ) < 0)
			return -1;
	for (i = 0; i < DEVICES; i++)
		if (allow(set, devices[i], all) < 0)
			return -1;
	return enter(set);
}

/*
 * A domain in which all is allowed: what is outside of it, such as our
 * environment, can't be looked at in /proc.  Moving between directories must
 * be allowed in so many words.
 */
static int
domain(void)
{
	int set = ruleset(FS_REFER, 0);

	if (set < 0 || allow(set, "/", FS_REFER) < 0)
		return -1;
	return enter(set);
}

/* Dies unless the whole sandbox is in force. */
static void
choose(const char *want)
{
	int any = strcmp(want, "auto") == 0;
	struct buf why = {0};
	const char *held;

	abi = (int)LANDLOCK(create_ruleset, NULL, 0, 1);
	if (strcmp(want, "none") == 0) {
		if (!network)
			settings_bad("toolrun.network", "off: expected "
			    "toolrun.sandbox: bwrap, which closes it");
		return;
	}
	if (!any && strcmp(want, "landlock") != 0
	    && strcmp(want, "bwrap") != 0)
		settings_bad("toolrun.sandbox",
		    "expected none, landlock, bwrap or auto");
	if (strcmp(want, "bwrap") != 0) {
		/* What it allows of a directory holds for all beneath it. */
		held = exposed(roots_ours());
		if (abi < ABI_LEAST)
			buf_puts(&why, "landlock: the kernel lacks it, or its "
				       "version is too old");
		else if (!network)
			buf_puts(&why, "landlock: it cannot close the network "
				       "(toolrun.network); bwrap can");
		else if (held != NULL)
			buf_printf(&why, "landlock: it cannot keep %s as it is "
				   "where a line may write around it; bwrap "
				   "can", held);
		else
			kind = LANDLOCK;
	}
	if (kind == NONE && strcmp(want, "landlock") != 0) {
		if (child_path(&bwrap, "bwrap"))
			kind = BWRAP;
		else
			buf_printf(&why, "%sbwrap: there is no such program",
			    why.n > 0 ? "; " : "");
	}
	if (kind == NONE && (!any || !network))
		settings_bad("toolrun.sandbox", buf_cstr(&why));
	held = kind != NONE && unasked ? exposed(path_dirs()) : NULL;
	if (held != NULL) {
		buf_reset(&why);
		buf_printf(&why, "expected ask where a line may write beneath "
			   "or above %s, which has the rules", held);
		settings_bad("toolrun.sandboxed", buf_cstr(&why));
	}
	buf_free(&why);
	if (kind == LANDLOCK)
		buf_printf(&name, "landlock %d: files", abi);
	else if (kind == BWRAP)
		buf_printf(&name, "bwrap: files%s", network ? "" : ", network");
}

static void
read_umask(void)
{
	const char *s = env_get("TURNPIPE_UMASK");
	char *end;
	long v = s != NULL ? strtol(s, &end, 8) : -1;

	masked = s != NULL && *end == '\0' && v >= 0 && v <= 0777;
	mask = masked ? (mode_t)v : 0;
}

void
sandbox_setup(void)
{
	static int done;
	const char *s;

	if (done)
		return;
	done = 1;
	read_umask();
	privileges = settings_bool("toolrun.new_privileges");
	network = settings_bool("toolrun.network");
	s = settings_str("toolrun.sandboxed");
	if (strcmp(s, "ask") != 0 && strcmp(s, "allow") != 0)
		settings_bad("toolrun.sandboxed", "expected ask or allow");
	unasked = strcmp(s, "allow") == 0;
	choose(settings_str("toolrun.sandbox"));
}

const char *
sandbox_name(void)
{
	return kind == NONE ? NULL : buf_cstr(&name);
}

int
sandbox_allows(void)
{
	/* Before that a file can be cut off from anywhere. */
	return unasked && (kind == BWRAP
	    || (kind == LANDLOCK && abi >= ABI_TRUNCATE));
}

/* Add the option for each of the paths: it is what it was, there. */
static void
bind_all(struct strs *v, const char *option, const struct strs *paths)
{
	size_t i;

	for (i = 0; i < paths->n; i++) {
		strs_add(v, option);
		strs_add(v, paths->v[i]);
		strs_add(v, paths->v[i]);
	}
}

/*
 * What is ours stays as it is also where a line may write around it.  A mount
 * cannot be moved away, so each directory on the way down to it is one.
 */
static void
keep_ours(struct strs *v)
{
	static struct strs way, kept, inner; /* of an agent's own work tree */
	const struct strs *l = writable(), *ours = roots_ours();
	const struct strs *tree = roots_tree();
	const char *path, *rel, *end;
	size_t i, k;

	strs_reset(&way);
	strs_reset(&kept);
	strs_reset(&inner);
	for (i = 0; i < ours->n; i++) {
		path = ours->v[i];
		if (tree->n > 0 && roots_within(path, tree->v[0]) != NULL) {
			strs_once(&inner, path);
			continue;
		}
		for (k = 0; k < l->n; k++) {
			rel = roots_within(path, l->v[k]);
			if (rel == NULL && roots_within(l->v[k], path) == NULL)
				continue;
			strs_once(&kept, path);
			while (rel != NULL && (end = strchr(rel, '/')) != NULL) {
				char *dir = xstrndup(path,
				    (size_t)(end - path));

				strs_once(&way, dir);
				free(dir);
				rel = end + 1;
			}
		}
		/* A line cannot make what is there; a log has a suffix. */
		if (strs_find(&kept, path) >= 0 && access(path, F_OK) < 0
		    && strchr(file_name(path), '.') == NULL)
			(void)file_mkdirs(path);
	}
	/* From the top down, or one would cover another. */
	strs_sort(&way);
	bind_all(v, "--bind-try", &way);
	bind_all(v, "--ro-bind-try", &kept);
	bind_all(v, "--bind", tree);
	bind_all(v, "--ro-bind-try", &inner);
}

char *const *
sandbox_command(const char *path, int programs)
{
	/* Of root the kernel's own settings would be writable. */
	static const char *const first[] = {"--die-with-parent",
	    "--unshare-user-try", "--unshare-pid", "--unshare-ipc",
	    "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev",
	    "--proc", "/proc", "--ro-bind-try", "/proc/sys", "/proc/sys",
	    "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"};
	static struct strs v;
	const struct strs *hide = roots_hides();
	struct stat st;
	size_t i;
	int dir;

	if (!programs || kind != BWRAP)
		return NULL;
	strs_reset(&v);
	strs_add(&v, buf_cstr(&bwrap));
	for (i = 0; i < sizeof(first) / sizeof(*first); i++)
		strs_add(&v, first[i]);
	if (!network)
		strs_add(&v, "--unshare-net");
	bind_all(&v, "--bind-try", writable());
	keep_ours(&v);
	for (i = 0; i < hide->n; i++) {
		if (!is_hidden(hide->v[i]) || stat(hide->v[i], &st) < 0)
			continue;
		dir = S_ISDIR(st.st_mode);
		strs_add(&v, dir ? "--tmpfs" : "--ro-bind");
		if (!dir)
			strs_add(&v, "/dev/null");
		strs_add(&v, hide->v[i]);
	}
	strs_add(&v, "--chdir");
	strs_add(&v, path_cwd());
	strs_add(&v, "--");
	strs_add(&v, path);
	return strs_vector(&v);
}

int
sandbox_enter(int programs, int isagent)
{
	struct rlimit core;

	if (masked)
		umask(mask);
	if (getrlimit(RLIMIT_CORE, &core) == 0) {
		core.rlim_cur = 0;
		(void)setrlimit(RLIMIT_CORE, &core);
	}
	if (programs && kind == BWRAP)
		return 0; /* it does the rest, and could not in a domain */
	if (programs && kind == LANDLOCK)
		return no_new_privileges() < 0 ? -1 : landlock();
	if (privileges)
		return 0;
	if (no_new_privileges() < 0)
		return -1;
	/*
	 * In a domain bwrap cannot run, which its shell lines may need.  Where
	 * the kernel has none, the page says what that means.
	 */
	return isagent || abi < ABI_LEAST ? 0 : domain();
}
