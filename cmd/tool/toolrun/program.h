#ifndef PROGRAM_H
#define PROGRAM_H

/*
 * Programs that run programs or write: share/shell/NAME.yaml lists which of
 * their words do.  toolrun(1), PROGRAMS.
 */

#include "buf.h"

/* The task of a rule for a word. */
enum {
	PROGRAM_FREE,
	PROGRAM_NAMED, /* a pattern must spell it, but for a star in a path */
	PROGRAM_EXACT  /* a pattern without a star must spell it */
};

/*
 * Append to marks one byte per word of a command: what a rule must do about
 * it.  Returns whether all of the command's words must be spelled by it (it
 * runs what it reads).  *opaque is set when the command runs something that
 * its words do not show as a command.  Dies with EX_CONFIG at a file
 * that cannot be understood.
 */
int program_marks(const struct strs *words, struct buf *marks, int *opaque);

/*
 * The index of the command that command `from` runs in its turn ("env A=1
 * rm x"), or words->n.
 */
size_t program_inner(const struct strs *words, size_t from);

#endif
