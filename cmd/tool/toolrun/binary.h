#ifndef BINARY_H
#define BINARY_H

/* Bytes that are no text for a model. */

#include <stddef.h>

enum { BINARY_LOOK = 8192 }; /* bytes that are looked at */

/*
 * Is a text that begins like this binary: is there a NUL, or is over a tenth
 * neither valid UTF-8 nor printable?
 */
int binary_is(const char *s, size_t n);

#endif
