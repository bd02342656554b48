#ifndef SPLIT_H
#define SPLIT_H

/*
 * A shell line as its simple commands.  Reads only what dash and bash read
 * alike and what runs nothing but those commands; refuses all else:
 *
 * - words of plain characters, '...', "..." without $, backquote and
 *   backslash, and a backslash before one punctuation character;
 * - the separators ; && || | & and newline; # at the start of a word ends
 *   the line;
 * - < > >> to a literal path, N>&M of the descriptors 0, 1 and 2;
 * - * ? [ in an argument whose first character is literal and neither "-"
 *   nor "+";
 * - $? in an argument of echo and printf.
 *
 * Refused are thus: any other $, a backquote, a here-document, parentheses,
 * braces, reserved words, functions, an assignment in front, a "~" that a
 * shell would expand, a continuation line, control and invisible characters,
 * blanks that are not ASCII, bytes that are not UTF-8.
 */

#include <stddef.h>

#include "buf.h"

enum {
	SPLIT_MAX = 1 << 16, /* bytes of a line */
	/* In a word, in place of what the shell expands within one name. */
	SPLIT_ANY = '\001'
};

struct part {
	struct strs words; /* quotes taken off; the command's name first */
	struct strs reads, writes; /* paths of redirections; not /dev/null */
	int moved; /* a command before it may have changed the directory */
};

/* A zeroed struct is ready, and can be used again and again. */
struct split {
	struct part *v;
	size_t n, cap;
	const char *why; /* after -1: what was expected */
};

/* 0, or -1 with why set: the line is not read. */
int split_line(struct split *l, const char *s, size_t n);

#endif
