#ifndef TEXTFILE_H
#define TEXTFILE_H

/* Texts that a model reads: files of share/, never strings in C. */

#include "buf.h"

/*
 * Append the file that wins for rel (path.h), or the file itself where rel
 * begins with '/', without its last newlines.  0; -1 if an empty one switches
 * it off, -2 if there is none.  One that cannot be read dies (EX_CONFIG).
 */
int textfile_read(struct buf *b, const char *rel);

/* The same for a file by its own path; one that is not there dies too. */
void textfile_load(struct buf *b, const char *path);

/*
 * Append a text as one line: each run of blanks, ends of lines and control
 * characters becomes one blank, at the ends nothing.
 */
void textfile_line(struct buf *b, struct span s);

/* Append a name or path, in which each end of a line or control is a blank. */
void textfile_name(struct buf *b, struct span s);

#endif
