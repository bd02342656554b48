#ifndef ASK_H
#define ASK_H

/* A question to the person at the terminal. */

#include "buf.h"

enum ask_answer {
	ASK_NOBODY, /* no terminal, or it is not ours to read from now */
	ASK_NO,
	ASK_YES,
	ASK_ALWAYS,
	ASK_INTERRUPTED /* a signal came, or the question is over */
};

/* Whoever the question is asked for: it is over when is_over says so, which is
 * asked whenever fd can be read. */
struct ask_source {
	int fd;
	int (*is_over)(int fd);
};

/* Is there a terminal that is ours to read from now? */
int ask_possible(void);

/*
 * Write text to /dev/tty, on lines of its own after what resets a terminal,
 * cleaned (terminal.h), then the choice; read y, n or, if always is set, a; of a text longer than the screen v,
 * which shows it in $PAGER, else less, and asks again.
 * What follows "n " is a reason, put into why.  What was typed before the
 * choice stood there does not answer: it is appended to the file typed, if
 * that is not NULL.  from may be NULL.  The end of input is no.  Asks again what it does not
 * understand.
 */
enum ask_answer ask_tty(const struct buf *text, int always,
    const char *typed, const struct ask_source *from, struct buf *why);

#endif
