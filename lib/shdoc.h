#ifndef SHDOC_H
#define SHDOC_H

/* The here-documents of a shell line. */

#include "buf.h"
#include "shword.h"

/* What a line announces; the body stands behind the line. */
struct shdoc {
	struct buf end;
	int quoted; /* its body expands nothing */
	int tabs;   /* <<-: leading tabs go */
	int mine;   /* of the command being read */
	int run;    /* a shell reads it: its lines are commands */
};

/* A zeroed struct is empty. */
struct shdocs {
	struct shdoc *v;
	size_t n, cap;
};

/* At << : note what ends it.  0 or -1. */
int shdoc_announce(struct shdocs *d, struct shtext *t);

/*
 * The command being read is complete.  With reads, a shell runs its input:
 * is one of them that?
 */
int shdoc_claim(struct shdocs *d, int reads);

/*
 * At the beginning of a line: read the bodies of those announced, and the
 * commands in them; d is empty then.  0 or -1.
 */
int shdoc_read(struct shdocs *d, struct shtext *t);

void shdoc_free(struct shdocs *d);

#endif
