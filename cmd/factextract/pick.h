#ifndef PICK_H
#define PICK_H

/* JSON in what a model says: fenced, with words around it, or bare. */

#include <stddef.h>

#include "buf.h"

/*
 * The next text from offset *at on that is a whole object or array by the
 * gate's judgement, braces in prose and in strings not counted; *at moves
 * past it.  p is NULL when there is none.
 */
struct span pick_json(const char *s, size_t n, size_t *at);

/*
 * The first {"facts":[ or [{ of s where that is not JSON as a whole: to the
 * bracket that closes it or, where there is none, to the end, without a string
 * that is open there.  p is NULL when there is none.
 */
struct span pick_open(const char *s, size_t n);

#endif
