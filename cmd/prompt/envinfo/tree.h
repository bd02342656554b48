#ifndef TREE_H
#define TREE_H

/*
 * The working directory's tree as indented text: a name per line, two blanks
 * per level, "/" after a directory, "@" after a link (never followed),
 * sorted by bytes.
 */

#include <stddef.h>

#include "buf.h"

struct tree_spec {
	size_t depth;	/* levels */
	size_t entries; /* lines in all; near the top comes first */
	size_t perdir;	/* names of one directory */
	int hidden;	/* names that begin with a dot too */
};

/*
 * Append the text, without the last newline and without .git and what is
 * ignored: paths below the work tree's root, sorted by bytes.  Where names
 * were left out for the caps, a line "... +N".  A directory that cannot be
 * read is empty.
 */
void tree_put(struct buf *b, const struct tree_spec *spec,
    const struct strs *ignored);

#endif
