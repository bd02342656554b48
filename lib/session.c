#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "path.h"
#include "session.h"
#include "utf8.h"

enum {
	PROJECT_MAX = 200, /* bytes of a directory's name that we repeat */
	STAMP = 16,	   /* 20261121T093000Z */
	HEX = 8,
	FRACTION = 4 /* of these, hex digits of the second's part */
};

static const char suffix[] = ".jsonl";
static const long long NUMBER_MAX = 9007199254740992; /* 2^53 */

void
session_project(struct buf *b)
{
	const char *root = path_root();
	const char *name = file_name(root);
	size_t at;

	if (*name == '\0')
		name = "root";
	at = b->n;
	buf_add(b, name, utf8_cut(name, strlen(name), PROJECT_MAX));
	/* Lists of sessions are lines. */
	for (; at < b->n; at++)
		if (iscntrl((unsigned char)b->p[at]))
			b->p[at] = '_';
	buf_putc(b, '-');
	hash_hex(b, root, strlen(root));
}

static void
session_dir(struct buf *b)
{
	buf_puts(b, path_state());
	buf_putc(b, '/');
	session_project(b);
}

/* "20261121T093000Z-" */
static void
put_stamp(struct buf *b, time_t t)
{
	static struct buf now;
	size_t i;

	buf_reset(&now);
	clock_utc(&now, t);
	for (i = 0; i < now.n; i++)
		if (now.p[i] != '-' && now.p[i] != ':')
			buf_putc(b, now.p[i]);
	buf_putc(b, '-');
}

static void
put_end(struct buf *b, const char *agent)
{
	if (agent != NULL)
		buf_printf(b, "-%s", agent);
	buf_puts(b, suffix);
}

void
session_new(struct buf *b, const char *agent)
{
	static struct buf seed;
	struct timespec now;
	size_t at;
	unsigned n = 0;

	session_dir(b);
	buf_putc(b, '/');
	if (env_get("TURNPIPE_NOW") == NULL) {
		/* By name they are in the order in which they began. */
		clock_gettime(CLOCK_REALTIME, &now);
		put_stamp(b, now.tv_sec);
		buf_printf(b, "%0*lx", FRACTION,
		    (unsigned long)now.tv_nsec / (1000000000 / 65536 + 1));
		fd_random(b, HEX - FRACTION);
		put_end(b, agent);
		return;
	}
	put_stamp(b, clock_now());
	at = b->n;
	/* The same name in the same place, but never that of another. */
	do {
		b->n = at;
		buf_reset(&seed);
		buf_printf(&seed, "%u", n++);
		hash_hex(b, seed.p, seed.n);
		put_end(b, agent);
	} while (access(buf_cstr(b), F_OK) == 0);
}

/* Is it one of the names that session_new makes for this agent? */
static int
is_new_name(const char *s, const char *agent)
{
	size_t i;

	for (i = 0; i < STAMP; i++, s++)
		if (i == 8 ? *s != 'T'
			   : i == 15 ? *s != 'Z'
				     : !isdigit((unsigned char)*s))
			return 0;
	if (*s++ != '-')
		return 0;
	for (i = 0; i < HEX; i++, s++)
		if (!isxdigit((unsigned char)*s))
			return 0;
	if (agent != NULL) {
		if (*s++ != '-' || strncmp(s, agent, strlen(agent)) != 0)
			return 0;
		s += strlen(agent);
	}
	return strcmp(s, suffix) == 0;
}

static int
later(const struct stat *a, const struct stat *b)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

int
session_last(struct buf *b, const char *agent)
{
	struct buf best = {0}, dir = {0}, path = {0};
	struct stat last, st;
	const struct dirent *e;
	DIR *d;

	memset(&last, 0, sizeof(last));
	session_dir(&dir);
	d = opendir(buf_cstr(&dir));
	if (d == NULL) {
		if (errno != ENOENT)
			die_sys(EX_NOINPUT, "%s", dir.p);
		buf_free(&dir);
		return -1;
	}
	while ((e = readdir(d)) != NULL) {
		if (!is_new_name(e->d_name, agent))
			continue;
		buf_reset(&path);
		buf_printf(&path, "%s/%s", dir.p, e->d_name);
		if (stat(buf_cstr(&path), &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (best.n > 0 && !later(&st, &last)
		    && (later(&last, &st)
			|| strcmp(path.p, buf_cstr(&best)) < 0))
			continue;
		last = st;
		buf_reset(&best);
		buf_add(&best, path.p, path.n);
	}
	closedir(d);
	buf_add(b, best.p, best.n);
	buf_free(&dir);
	buf_free(&path);
	buf_free(&best);
	return b->n > 0 ? 0 : -1;
}

static size_t
stem(const char *path)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n > m && path[n - m - 1] != '/'
		&& strcmp(path + n - m, suffix) == 0
	    ? n - m
	    : n;
}

const char *
session_working(void)
{
	const char *copy = env_get("TURNPIPE_DRY");

	return copy != NULL ? copy : env_get("TURNPIPE_SESSION");
}

void
session_run(struct buf *b, const char *path)
{
	buf_add(b, path, stem(path));
	buf_puts(b, ".d");
}

struct span
session_id(const char *path)
{
	struct span s;

	s.p = file_name(path);
	s.n = stem(s.p);
	return s;
}

int
session_keeps(enum rec_type t)
{
	return t == REC_MESSAGE || t == REC_USAGE || t == REC_SUMMARY
	    || t == REC_MARK || t == REC_ERROR;
}

int
session_prev(struct tail *t, struct rec *r)
{
	struct span line;
	const char *why;
	size_t at;

	if (!tail_prev(t, &line))
		return 0;
	if (record_check(r, line.p, line.n, &why, &at) < 0)
		tail_bad(t, tail_at(t, line.p) + (off_t)at, why);
	return 1;
}

/* The number at key, or -1 if it is not one that histadd writes. */
static long long
number(const struct json *j, int i, const char *key)
{
	long long v;

	if (json_int(j, json_get(j, i, key), &v) < 0 || v > NUMBER_MAX)
		return -1;
	return v < 0 ? -1 : v;
}

/*
 * The number of a line, to which the unnumbered lines after it are added.
 * -1: no number so far.
 */
static void
learn(long long *known, long long *behind, long long said, int counts)
{
	if (*known >= 0)
		return;
	if (said >= 0)
		*known = said + *behind;
	else
		*behind += counts;
}

void
session_counted(struct tail *t, struct session_count *c)
{
	struct session_count behind = {0, 0, 0, 0};
	const struct json *j;
	struct rec r;
	int own, user;

	c->n = c->message = c->turn = c->summary = -1;
	while ((c->n < 0 || c->message < 0 || c->turn < 0)
	    && session_prev(t, &r)) {
		if (!session_keeps(r.type))
			continue;
		j = record_json(&r);
		if (r.type != REC_MESSAGE) {
			learn(&c->n, &behind.n, number(j, 0, "n"), 1);
			if (r.type == REC_SUMMARY && c->summary < 0)
				c->summary = (long long)tail_at(t, r.s);
			continue;
		}
		own = json_get(j, 0, "tp");
		user = json_is(j, json_get(j, 0, "role"), "user");
		learn(&c->n, &behind.n, number(j, own, "n"), 1);
		learn(&c->message, &behind.message, number(j, own, "message"),
		    1);
		learn(&c->turn, &behind.turn, number(j, own, "turn"), user);
		if (c->summary < 0 && number(j, own, "n") >= 0)
			c->summary = number(j, own, "summary");
	}
	if (c->n < 0)
		c->n = behind.n;
	if (c->message < 0)
		c->message = behind.message;
	if (c->turn < 0)
		c->turn = behind.turn;
	if (c->summary < 0)
		c->summary = 0;
	tail_rewind(t);
}
