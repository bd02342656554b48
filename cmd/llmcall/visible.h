#ifndef VISIBLE_H
#define VISIBLE_H

/*
 * What people see of an answer's text, as it comes: on a descriptor, as
 * delta records.  Tags for the program are not among it, nor what may still
 * turn out to be a tool call that leaked into the text.
 */

#include "callstate.h"

/* A try begins, of which nothing has been seen. */
void visible_begin(struct call *c);

/* More of the text has come. */
void visible_show(struct call *c);

/*
 * No more will come: what was held back is shown, and the text of the
 * answer is what people see.  whole: it did not break off.
 */
void visible_end(struct call *c, int whole);

/*
 * End the line that the text left open on a terminal, so that what is printed
 * next begins a line of its own.
 */
void visible_newline(void);

/* The text was none: there is nothing to see. */
void visible_drop(struct call *c);

#endif
