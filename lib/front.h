#ifndef FRONT_H
#define FRONT_H

/*
 * Front matter: YAML between two "---" lines at the top of a Markdown file,
 * as skills, agents and task files have it.  Read leniently: a BOM, CRLF
 * line ends and blanks before the first fence pass; YAML that an unquoted
 * ": " in a value breaks is tried again with that value quoted.
 */

#include <stddef.h>

#include "buf.h"
#include "yml.h"

/* A zeroed struct is ready and can be used again and again. */
struct front {
	struct yml yml;  /* empty object where there is no front matter */
	struct span body; /* behind the closing fence, in the text given */
	size_t bodyline;  /* its first line, from 1 */
	int present;
	int requoted; /* parsed only after quoting a value */
	struct buf mended;
	const char *why; /* after -1, with line and col in the file */
	size_t line, col;
};

/*
 * Split and parse.  0 (also with none present), or -1: not closed, not
 * YAML, or no mapping.  s must outlive body.
 */
int front_parse(struct front *f, const char *s, size_t n);

#endif
