#ifndef POOL_H
#define POOL_H

/*
 * Sessions kept for agents of a kind: DIR/KEY-N.jsonl, with their run
 * directories DIR/KEY-N.d.  One is in use while the lock in its run directory
 * is held; a search holds DIR/lock, so only one runs at a time.
 */

#include "buf.h"

struct pool {
	const char *dir;
	long long most; /* sessions kept, of all keys */
	int fresh; /* take none of these: a new one */
};

/* Is it a name that a file may have? */
int pool_iskey(const char *key);

/*
 * Take the first free session of the key, else a new one; then remove idle
 * ones, used longest ago first, while there are more than most.  The
 * descriptor of its lock, close-on-exec; its path is appended to path.  Dies
 * where files cannot be made.
 */
int pool_take(const struct pool *p, const char *key, struct buf *path);

#endif
