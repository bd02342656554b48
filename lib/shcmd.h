#ifndef SHCMD_H
#define SHCMD_H

/* One simple command of a shell line: its words, and what it runs in turn. */

#include "buf.h"
#include "shword.h"

struct shcmd {
	struct strs words; /* quotes taken off, redirections left out */
	struct buf flags;  /* one byte of SHWORD_ flags per word */
	size_t first;	   /* the command's name, behind assignments; words.n
			      if there is none */
	int wrapper; /* env, sudo, xargs ...: later words are a command */
	int dynamic; /* what runs is known only when it runs: "$x -r" */
	int reads;   /* a shell without a script: it runs its input */
};

void shcmd_add(struct shcmd *c, const char *s, size_t n, int flags);

/*
 * The command is complete: set the rest, and hand the lines that eval, trap
 * and "sh -c" are given to t->line.  0, or what that returned.
 */
int shcmd_look(struct shcmd *c, struct shtext *t);

/*
 * Append the words from i on with blanks between; with base, only what is
 * behind the last slash of word i.
 */
void shcmd_text(const struct shcmd *c, size_t i, int base, struct buf *b);

/* Empty it and free its memory. */
void shcmd_free(struct shcmd *c);

#endif
