#ifndef JSONTEXTS_H
#define JSONTEXTS_H

/*
 * The strings of a JSON text, decoded, also those of JSON in a string: a
 * tool's arguments, a line of a result.  What is not changed stays byte for
 * byte.
 */

#include <stddef.h>

#include "buf.h"

struct strings_edit {
	const char *at; /* the opening quote in the text */
	struct buf to;	/* decoded */
};

struct strings {
	/*
	 * A text in a string, and the member's name, which may be empty: 1
	 * with what it becomes appended, or 0.
	 */
	int (*text)(struct buf *b, struct span key, struct span s);
	/* Is a member of the outermost text left as it is? */
	int (*opaque)(struct span key);
	/* Strings to be taken as others, in order. */
	const struct strings_edit *edits;
	size_t nedits;
};

/*
 * Append a text that the gate has passed, with what text() changes.  1 if it
 * changed something, or there was an edit.
 */
int strings_apply(struct buf *b, struct span s, const struct strings *how);

#endif
