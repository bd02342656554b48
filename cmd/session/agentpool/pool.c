#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "file.h"
#include "lock.h"
#include "pool.h"

enum { KEY_MAX = 200 };

struct kept {
	char *path; /* of its .jsonl; owned */
	struct timespec used; /* when it was written to or taken last */
	int fd;	     /* its lock, ours; -1: in use */
};

static struct kept *kept;
static size_t nkept, cap;

int
pool_iskey(const char *key)
{
	return *key != '\0' && *key != '.' && strchr(key, '/') == NULL
	    && strchr(key, '\n') == NULL && strlen(key) <= KEY_MAX;
}

/* PATH.d/NAME of PATH.jsonl. */
static const char *
subpath(struct buf *b, const char *path, const char *name)
{
	buf_reset(b);
	buf_add(b, path, strlen(path) - strlen(".jsonl"));
	buf_printf(b, ".d%s%s", *name != '\0' ? "/" : "", name);
	return buf_cstr(b);
}

static struct timespec
changed(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? (struct timespec){0} : st.st_mtim;
}

static int
earlier(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec
				    : a.tv_nsec < b.tv_nsec;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct kept *)a)->path,
	    ((const struct kept *)b)->path);
}

static int
issession(const char *name)
{
	size_t n = strlen(name);

	return *name != '.' && n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

/* All there are; each that is free gets locked by us. */
static void
lock_free_ones(const struct pool *p)
{
	static struct buf b;
	const struct dirent *e;
	DIR *d = opendir(p->dir);
	struct kept *k;
	struct timespec t;
	size_t i;

	if (d == NULL)
		die_sys(EX_NOINPUT, "%s", p->dir);
	while ((e = readdir(d)) != NULL) {
		if (!issession(e->d_name))
			continue;
		grow(&kept, &cap, nkept, sizeof(*kept));
		file_join(&b, p->dir, e->d_name);
		kept[nkept++].path = xstrdup(buf_cstr(&b));
	}
	closedir(d);
	if (nkept > 1)
		qsort(kept, nkept, sizeof(*kept), by_path);
	for (i = 0; i < nkept; i++) {
		k = &kept[i];
		k->used = changed(k->path);
		if (mkdir(subpath(&b, k->path, ""), 0700) < 0
		    && errno != EEXIST)
			die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
		t = changed(subpath(&b, k->path, "lock"));
		if (earlier(k->used, t))
			k->used = t;
		k->fd = lock_take(buf_cstr(&b), 0);
		if (k->fd < 0 && errno != EWOULDBLOCK)
			die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	}
}

/* A tree below the pool's directory; links are removed, not followed. */
static void
remove_tree(const char *path)
{
	struct buf b = {0};
	const struct dirent *e;
	struct stat st;
	DIR *d;

	if (lstat(path, &st) < 0)
		return;
	if (S_ISDIR(st.st_mode) && (d = opendir(path)) != NULL) {
		while ((e = readdir(d)) != NULL) {
			if (strcmp(e->d_name, ".") == 0
			    || strcmp(e->d_name, "..") == 0)
				continue;
			file_join(&b, path, e->d_name);
			remove_tree(buf_cstr(&b));
		}
		closedir(d);
	}
	buf_free(&b);
	if ((S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path)) < 0)
		warn_sys("%s", path);
}

/* The session first: without it the rest is of no use to anyone. */
static void
evict(size_t i)
{
	static struct buf b;

	if (unlink(kept[i].path) < 0)
		warn_sys("%s", kept[i].path);
	remove_tree(subpath(&b, kept[i].path, ""));
	close(kept[i].fd);
	free(kept[i].path);
	memmove(kept + i, kept + i + 1, (nkept - i - 1) * sizeof(*kept));
	nkept--;
}

/* The idle one used longest ago, but not mine; nkept if there is none. */
static size_t
oldest(const char *mine)
{
	size_t i, found = nkept;

	for (i = 0; i < nkept; i++)
		if (kept[i].fd >= 0 && strcmp(kept[i].path, mine) != 0
		    && (found == nkept || earlier(kept[i].used, kept[found].used)))
			found = i;
	return found;
}

static void
prune(const struct pool *p, const char *mine)
{
	size_t i;

	while ((long long)nkept > p->most && (i = oldest(mine)) < nkept)
		evict(i);
	if ((long long)nkept > p->most)
		warn("%s: %zu sessions are in use, over the limit of %lld",
		    p->dir, nkept, p->most);
}

static int
begins(const char *path, const char *key)
{
	const char *name = file_name(path);
	size_t n = strlen(key);

	return strncmp(name, key, n) == 0 && name[n] == '-'
	    && strspn(name + n + 1, "0123456789") > 0
	    && strcmp(name + n + 1 + strspn(name + n + 1, "0123456789"),
		".jsonl") == 0;
}

/* No other process makes one while we hold DIR/lock. */
static size_t
make(const struct pool *p, const char *key)
{
	static struct buf b;
	struct kept *k;
	size_t i, n;
	int fd;

	for (n = 1;; n++) {
		buf_reset(&b);
		buf_printf(&b, "%s/%s-%zu.jsonl", p->dir, key, n);
		fd = open(buf_cstr(&b), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0600);
		if (fd >= 0)
			break;
		if (errno != EEXIST)
			die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	}
	close(fd);
	grow(&kept, &cap, nkept, sizeof(*kept));
	i = nkept++;
	k = &kept[i];
	k->path = xstrdup(buf_cstr(&b));
	clock_gettime(CLOCK_REALTIME, &k->used);
	/* Remove the rest that an interrupted removal left. */
	remove_tree(subpath(&b, k->path, ""));
	if (mkdir(subpath(&b, k->path, ""), 0700) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	k->fd = lock_take(subpath(&b, k->path, "lock"), 0);
	if (k->fd < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	return i;
}

static int
enter(const struct pool *p)
{
	struct buf b = {0};
	int fd;

	file_join(&b, p->dir, "lock");
	fd = lock_take(buf_cstr(&b), -1);
	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	buf_free(&b);
	return fd;
}

int
pool_take(const struct pool *p, const char *key, struct buf *path)
{
	size_t i;
	int all, fd = -1;

	if (file_mkdirs(p->dir) < 0)
		die_sys(EX_CANTCREAT, "%s", p->dir);
	all = enter(p);
	lock_free_ones(p);
	for (i = 0; i < nkept; i++)
		if (!p->fresh && kept[i].fd >= 0
		    && begins(kept[i].path, key))
			break;
	if (i == nkept)
		i = make(p, key);
	buf_puts(path, kept[i].path);
	prune(p, buf_cstr(path));
	for (i = 0; i < nkept; i++) {
		if (strcmp(kept[i].path, buf_cstr(path)) == 0)
			fd = kept[i].fd;
		else if (kept[i].fd >= 0)
			close(kept[i].fd);
	}
	close(all);
	return fd;
}
