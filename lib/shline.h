#ifndef SHLINE_H
#define SHLINE_H

/*
 * The commands that a shell line would run, as far as reading it can tell:
 * both sides of && || ; | & and newlines, what stands in ( ), { }, if,
 * while, until and for, in $( ), ` `, <( ) and here-documents, and the lines
 * that eval, trap and "sh -c" are given.  A redirection into a file counts
 * as a command of its own: the words ">" and FILE.
 *
 * Refused as unreadable: case, functions, arrays, $'', <<<, quotes in ${ },
 * and what is no shell syntax.
 */

#include <stddef.h>

#include "shcmd.h"

/* A zeroed struct is ready, and can be used again and again. */
struct shline {
	struct shcmd *v;
	size_t n, cap;
	const char *why; /* after -1: what was expected */
};

/* 0, or -1 with why set: the line can not be read. */
int shline_parse(struct shline *l, const char *s, size_t n);

#endif
