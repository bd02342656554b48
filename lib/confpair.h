#ifndef CONFPAIR_H
#define CONFPAIR_H

/*
 * Fields of a config or mark record that are given as text: a text that is
 * a JSON number, literal, object or list is written as such.
 */

#include "buf.h"

/*
 * Append key and value to the object that is open in b and is all that b
 * holds; a field of that key that is there already gives way.
 */
void confpair_put(
    struct buf *b, const char *key, const char *value, size_t n);

/* The same for "KEY=VALUE".  0; -1 if it is not that, or KEY is type or by. */
int confpair_arg(struct buf *b, const char *arg);

#endif
