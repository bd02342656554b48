#ifndef READING_H
#define READING_H

/*
 * One message.  What comes at once after an Enter is no person's typing but a
 * paste into a terminal that does not say so: its lines are one message.
 */

#include "buf.h"

#define READING_PROMPT "> "

struct reading {
	struct strs history;	/* oldest first, with marks */
	struct buf begin;	/* text to begin with, with marks */
	const char *prefix;	/* of commands in PATH, or NULL */
	char **words;		/* other commands, up to a NULL */
};

enum reading_end {
	READING_MESSAGE,
	READING_END,	    /* of input, before a character */
	READING_INTERRUPTED /* by Ctrl-C on an empty line */
};

/*
 * Append the message, with marks and without its last newlines, read from the
 * terminal with editing, if built with it.
 */
enum reading_end edit_read(struct buf *b, const struct reading *how);
void edit_library(struct buf *b); /* appends its version */

/* A line of something that is no terminal, and nothing after it. */
enum reading_end line_read(struct buf *b);

#endif
