#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "ratelimit.h"

enum { MINUTE = 60000 };

/* What is left, and when that was so: clock_ms, 0 if never. */
struct level {
	double left;
	long long at;
};

/*
 * What processes share: the file, mapped, or own where there is none.  It is
 * read and written under flock(2), which ends with its holder; what a holder
 * that was killed left half written is a level like any other, or is reset.
 */
struct shared {
	char magic[8];
	struct level requests;
	long long until; /* no request is sent before */
};

/* Fills by rate each millisecond, up to cap. */
struct bucket {
	double rate, cap;
	struct level *level;
};

static const char magic[8] = "tp-rate";
static struct shared own, *shared = &own;
static int fd = -1;
static struct bucket requests;
static int held;    /* a request that is allowed and not sent yet */

static void
lock(void)
{
	if (fd >= 0 && fd_lock(fd, LOCK_EX) < 0)
		die_sys(EX_IOERR, "lock the rate limit");
}

static void
unlock(void)
{
	if (fd >= 0)
		(void)fd_lock(fd, LOCK_UN);
}

/*
 * What may go at once and what comes in a minute are together the limit.
 * A tenth of a second's worth at once is as fine as poll(2) can wait.
 */
static void
set(struct bucket *b, struct level *l, long long n)
{
	b->cap = fmax(1, floor((double)n / 600));
	b->rate = ((double)n - (b->cap > 1 ? b->cap : 0)) / MINUTE;
	b->level = l;
	if (l->at == 0)
		l->left = b->cap;
}

void
ratelimit_set(long long n)
{
	if (fd < 0)
		memset(&own, 0, sizeof(own));
	lock();
	set(&requests, &shared->requests, n);
	unlock();
	held = 0;
}

/* Open and map the file.  0, or -1 if it is not to be trusted. */
static int
map(const char *path)
{
	struct stat st;
	void *p;

	fd = fd_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -1;
	errno = EPERM;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)
	    || st.st_uid != geteuid() || fd_lock(fd, LOCK_EX) < 0)
		return -1;
	if (fstat(fd, &st) < 0
	    || (st.st_size != sizeof(*shared)
		&& (ftruncate(fd, 0) < 0
		    || ftruncate(fd, sizeof(*shared)) < 0)))
		return -1;
	p = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
	    fd, 0);
	if (p == MAP_FAILED)
		return -1;
	shared = p;
	if (memcmp(shared->magic, magic, sizeof(magic)) != 0) {
		memset(shared, 0, sizeof(*shared));
		memcpy(shared->magic, magic, sizeof(magic));
	}
	unlock();
	return 0;
}

void
ratelimit_share(const char *path)
{
	if (map(path) == 0)
		return;
	warn_sys("%s: the limits are those of this process", path);
	if (fd >= 0)
		fd_drop(fd);
	fd = -1;
}

static int
may(struct bucket *b, long long now, long long *due)
{
	struct level *l = b->level;
	long long at;

	if (b->rate <= 0)
		return 1;
	/* The machine was started anew, or its file is not to be believed. */
	if (l->at > now + MINUTE || l->at < 0 || !isfinite(l->left))
		l->at = 0;
	/* Another process came between our look at the clock and the lock. */
	if (l->at > now)
		now = l->at;
	if (l->at > 0)
		l->left = fmin(b->cap,
		    l->left + b->rate * (double)(now - l->at));
	else
		l->left = b->cap;
	l->at = now;
	if (l->left >= 1)
		return 1;
	at = now + (long long)ceil((1 - l->left) / b->rate);
	if (at < *due)
		*due = at;
	return 0;
}

/* Longer than anything that is waited for: left by an earlier start. */
enum { LONGEST = 24 * 3600 * 1000 };

static int
away(long long now, long long *due)
{
	if (shared->until <= now || shared->until > now + LONGEST)
		return 0;
	if (shared->until < *due)
		*due = shared->until;
	return 1;
}

int
ratelimit_may(long long now, long long *due)
{
	int yes;

	if (fd < 0 && requests.rate <= 0)
		return 1;
	lock();
	yes = (held || may(&requests, now, due)) && !away(now, due);
	if (yes && !held) {
		held = 1;
		if (requests.rate > 0)
			requests.level->left -= 1;
	}
	unlock();
	return yes;
}

void
ratelimit_stay(long long until)
{
	static long long last;

	if (fd < 0 || until == last)
		return;
	lock();
	if (until > shared->until || shared->until == last)
		shared->until = until;
	unlock();
	last = until;
}

void
ratelimit_sent(void)
{
	held = 0;
}
