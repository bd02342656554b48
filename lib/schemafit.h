#ifndef SCHEMAFIT_H
#define SCHEMAFIT_H

/* Does a value fit a schema? */

#include "schema.h"

/*
 * Value i of j.  0; or -1 with the first place that does not fit appended to
 * path (".items[2].price"; nothing for the whole value) and "expected an
 * integer, found string" to why.  Words that are not known bind
 * nothing.
 */
int schemafit(struct schema s, const struct json *j, int i, struct buf *path,
    struct buf *why);

/* How a file is held to a schema; a zeroed one is strict. */
struct schemafit_file {
	int istext; /* its scalars are texts: "5" is a number where one may be */
	void (*unknown)(void *arg, int key, const char *why); /* gets each key
			that may not be; NULL: it is a fault */
	void *arg;
};

/*
 * The same, with the token of the value that does not fit in *at, of its key
 * where it is one that may not be; why, empty before, then names those that
 * may.
 */
int schemafit_file(struct schema s, const struct json *j, int i,
    const struct schemafit_file *file, int *at, struct buf *why);

/*
 * Set by commands that hold values to "pattern": pattern_in of pattern.h,
 * with PCRE2 behind it.  NULL: patterns bind nothing.
 */
extern int (*schemafit_pattern)(const char *re, size_t n, const char *text,
    size_t len, const char **why);

#endif
