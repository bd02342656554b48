#ifndef WRAP_H
#define WRAP_H

#include <stddef.h>

/*
 * Break text, words with single blanks between, into lines of at most width
 * bytes, a newline behind each.  A line may be exactly width bytes long.  A
 * word longer than width stands on a line of its own.  out must have room
 * for strlen(text) + 2 bytes.  Returns the number of lines.
 */
size_t wrap(char *out, const char *text, size_t width);

#endif
