#ifndef DIFFER_H
#define DIFFER_H

/* In what two texts or JSON values differ, for people. */

#include "buf.h"
#include "json.h"

/* Bytes that they have in common at their beginning. */
size_t differ_at(struct span a, struct span b);

/*
 * Append to path the way down to the first value in which value i of x and
 * value k of y differ (".messages[1].content"), and to b what stands there:
 * "expected ..., found ...", around the first byte that is another one.
 * Keys must be sorted.  -1 for a value is none.
 */
void differ_json(struct buf *path, struct buf *b, const struct json *x, int i,
    const struct json *y, int k);

#endif
