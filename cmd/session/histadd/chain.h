#ifndef CHAIN_H
#define CHAIN_H

/*
 * A session whose lines say what the line before was: the SHA-256 of its bytes
 * without the newline, in hexadecimal.  turnpipe-session(5).
 */

#include "record.h"

#define CHAIN "prev"	    /* the member, of a message's tp */
#define CHAIN_FIRST "sha256" /* what the first line has there */
#define CHAIN_HEAD "/head"  /* the last line's hash, in the run directory */

/* Replace b by the hash of a line. */
void chain_hash(struct buf *b, struct span line);

/* What a line says of the one before; empty for nothing.  Good until the next
 * call. */
struct span chain_said(const struct rec *r);

/*
 * Is each line what was written?  0, or EXIT_NO with a line on stderr that
 * names the first one that is not.  EX_DATAERR for a session without a chain,
 * EX_NOINPUT for one that is missing, or whose head is.
 */
int chain_verify(const char *path);

#endif
