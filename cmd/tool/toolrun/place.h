#ifndef PLACE_H
#define PLACE_H

/* Where a path leads, and the places that rules name. */

#include "buf.h"

/*
 * Put into real where path leads, absolute, all links followed; its last
 * names need not exist.  0, or -1: links lead nowhere, a ".." follows a
 * name that is not there, or a directory may not be looked at.
 */
int place_real(struct buf *real, const char *path);

/* The same with "." and ".." as they are written and no link followed. */
void place_named(struct buf *abs, const char *path);

/*
 * Put into abs the pattern of a rule as one of absolute paths: "~/" is the
 * home directory, "$TURNPIPE_RUN/" the run's, without which nothing fits; and
 * what has no slash in front is beneath the work tree's root.
 */
void place_pattern(struct buf *abs, const char *pattern);

#endif
