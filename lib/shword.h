#ifndef SHWORD_H
#define SHWORD_H

/*
 * The words of a shell line: quotes are taken off, expansions stay as they
 * are written, and the commands inside of them are handed to whoever reads
 * the line (shline.h, its only user).
 */

#include <stddef.h>

#include "buf.h"

enum { SHWORD_DEPTH = 32 };

/* What is known of a word beside its text. */
enum {
	SHWORD_QUOTED = 1,  /* some of it: so it is no reserved word */
	SHWORD_EXPANDS = 2, /* holds $ or ` ` */
	SHWORD_GLOBS = 4,   /* holds an unquoted * ? [ { */
	SHWORD_LEADS = 8    /* begins with an expansion */
};

/* A text and how far it is read.  The two functions return 0 or -1. */
struct shtext {
	const char *s;
	size_t n, i;
	int depth;
	const char *why; /* after -1: what was expected */
	/* Read commands from i on, up to and with the closing ')'. */
	int (*group)(struct shtext *);
	/* Read another text as a line. */
	int (*line)(struct shtext *, const char *s, size_t n);
};

/* The byte k behind the next one, or -1. */
int shword_peek(const struct shtext *t, size_t k);

/* Set why, if nothing has done so before; -1. */
int shword_bad(struct shtext *t, const char *why);

/* Skip blanks and escaped newlines. */
void shword_blanks(struct shtext *t);

/* Append the word at i to w; flags tells what it is.  0 or -1. */
int shword_get(struct shtext *t, struct buf *w, int *flags);

/* At $ or `: append the expansion as it is written.  0 or -1. */
int shword_expand(struct shtext *t, struct buf *w);

#endif
