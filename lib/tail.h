#ifndef TAIL_H
#define TAIL_H

/*
 * The lines of a file, the last one first.  Only what was asked for is
 * read, in blocks from the end, and stays: every byte of the file has its
 * place in memory, of which the system backs only what was touched.
 */

#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

struct tail {
	int fd;
	const char *name;
	off_t size;   /* the file's, when it was opened */
	off_t start;  /* read from here to the end */
	off_t next;   /* lines from here on were taken */
	char *mem;    /* owned; mem[at] is the file's byte at */
	struct span torn; /* the bytes after the last newline */
};

/*
 * Look at the end of an open regular file.  A read that fails dies with
 * EX_IOERR.  The descriptor stays the caller's.
 */
void tail_open(struct tail *t, int fd, const char *name);

/*
 * The line before, without its newline but with a NUL or newline after it
 * in memory; 0 at the start of the file.  Good until tail_close.
 */
int tail_prev(struct tail *t, struct span *line);

/* The line that begins at byte at; 0 if none begins there.  As tail_prev. */
int tail_line(struct tail *t, off_t at, struct span *line);

/* The offset in the file of a byte of a line. */
off_t tail_at(const struct tail *t, const char *p);

/* Begin again at the end; what was read stays. */
void tail_rewind(struct tail *t);

/* Make the torn bytes the last line: they turned out to be a record. */
void tail_whole(struct tail *t);

/*
 * die with EX_DATAERR, "name:line:col: why", at a byte of the file.  Counts
 * the lines before it, so this is the one call that reads the whole file.
 */
_Noreturn void tail_bad(struct tail *t, off_t at, const char *why);

void tail_close(struct tail *t);

#endif
