#ifndef PLACE_H
#define PLACE_H

/* Where a path leads, and the places that rules name. */

#include "buf.h"

/* The path, absolute, with "." and ".." as written and no link followed. */
void place_named(struct buf *abs, const char *path);

/*
 * Put into abs the pattern of a rule as one of absolute paths: "~/" is the
 * home directory, "$TURNPIPE_RUN/" the run's, without which nothing fits; and
 * what has no slash in front is beneath the work tree's root.
 */
void place_pattern(struct buf *abs, const char *pattern);

#endif
