#ifndef TRUST_H
#define TRUST_H

/*
 * The user's word about a text that others wrote: may what it asks for be
 * done?  It is kept with all of that text, so that of another one it says
 * nothing.
 */

#include "buf.h"

struct trust {
	const char *kind; /* "mcp": a name for a directory of words */
	const char *what; /* whose text it is, a path */
	const struct buf *text;
};

/* Was this, "yes" or "no", the word about it? */
int trust_said(const struct trust *t, const char *word);

/*
 * Show the text and the question at the terminal, and keep the answer: 1 for
 * yes.  Dies without a terminal (EX_NOPERM).
 */
int trust_ask(const struct trust *t, const char *question);

#endif
