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

#endif
