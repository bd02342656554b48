#ifndef IGNORE_H
#define IGNORE_H

/*
 * The paths that a work tree's .gitignore files exclude, by gitignore(5): the
 * last pattern that matches decides.  A walk of the tree enters no excluded
 * directory, as in git.
 */

#include <stddef.h>

#include "buf.h"

struct ignore_rule {
	char *pattern; /* owned */
	char *base;    /* directory it counts in: "" or "src/"; owned */
	int not;       /* "!": comes back in */
	int dironly;
	int anchored;  /* matched against the path and not the last name */
};

/* A zeroed struct ignores nothing. */
struct ignore {
	struct ignore_rule *v;
	size_t n;
	size_t cap;
};

/*
 * Add the rules of a file; a missing one has none, one of over 1 MiB or one
 * that cannot be read counts as missing.  base is the directory it lies in,
 * below the tree's root, with a slash after it; "" for the root.
 */
void ignore_load(struct ignore *ig, const char *file, const char *base);

/* The same from memory. */
void ignore_add(
    struct ignore *ig, const char *s, size_t n, const char *base);

/* Is path (below the root, no slash at either end) left out? */
int ignore_match(const struct ignore *ig, const char *path, int isdir);

#endif
