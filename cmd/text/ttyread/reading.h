#ifndef READING_H
#define READING_H

/*
 * One message, read with editing or plainly.  What comes at once after an
 * Enter is no person's typing but a paste into a terminal that does not say
 * so: its lines are one message.
 */

#include "buf.h"

enum {
	BURST_BEGIN = 10, /* ms after an Enter, and */
	BURST_NEXT = 50	  /* ms between bytes, while it lasts */
};

struct reading {
	const char *prompt;	/* one line */
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
 * Append the message, with marks and without its last newlines.  edit_read has
 * the terminal; without the library it is not there and edit_can is 0.
 */
int edit_can(void);
void edit_library(struct buf *b); /* appends its version */
enum reading_end edit_read(struct buf *b, const struct reading *how);

/* A terminal that cannot be drawn on. */
enum reading_end plain_read(struct buf *b, const struct reading *how);

/* A line of something that is no terminal, and nothing after it. */
enum reading_end line_read(struct buf *b, const struct reading *how);

#endif
