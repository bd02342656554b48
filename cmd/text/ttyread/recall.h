#ifndef RECALL_H
#define RECALL_H

/*
 * The history's file: a message on each line, oldest first, its newlines as
 * \n and its backslashes as \\; mode 0600.  A message that begins with a blank
 * is left out, and so is one over RECALL_LONG bytes.
 */

#include "buf.h"

enum {
	RECALL_MAX = 1000,	/* messages that are kept */
	RECALL_LONG = 65536,	/* bytes */
	RECALL_FILE = 16 << 20	/* bytes that are read */
};

/* The messages of the file, oldest first; a fault is warned of. */
void recall_read(struct strs *l, const char *path);

/* Append one. */
void recall_add(const char *path, const char *s, size_t n);

#endif
