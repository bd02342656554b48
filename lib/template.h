#ifndef TEMPLATE_H
#define TEMPLATE_H

/*
 * Text with {{name}} holes; a name is ASCII letters, digits, '_', '-', '.'.
 * One pass: inserted text is never searched again, so "{{x}}" or "$&" in a
 * value stays text.  An unknown hole stays as it is and is counted.
 */

#include <stddef.h>

#include "buf.h"

/* Can a hole have this name? */
int template_isname(const char *s, size_t n);

/* Append the value of name (n bytes) to b and return 1; 0 if unknown. */
typedef int template_fill(
    struct buf *b, const char *name, size_t n, void *arg);

/* Append s with its holes filled to b; number of unknown holes. */
size_t template_expand(
    struct buf *b, const char *s, size_t n, template_fill *fill, void *arg);

/* The value of a name; a list of them ends with the name NULL. */
struct hole {
	const char *name;
	struct span value;
};

/* The same with values that are at hand. */
size_t template_holes(
    struct buf *b, const char *s, size_t n, const struct hole *holes);

#endif
