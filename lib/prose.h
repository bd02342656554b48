#ifndef PROSE_H
#define PROSE_H

/* Texts that a model reads: files of share/, never strings in C. */

#include "buf.h"

/*
 * Append the file that wins for rel (path.h), or the file itself where rel
 * begins with '/', without its last newlines.  0; -1 if an empty one switches
 * it off, -2 if there is none.  One that can not be read dies (EX_CONFIG).
 */
int prose_read(struct buf *b, const char *rel);

/* The same for a file by its own path; one that is not there dies too. */
void prose_file(struct buf *b, const char *path);

/* Append a text as one line: each run of blanks becomes one. */
void prose_line(struct buf *b, struct span s);

#endif
