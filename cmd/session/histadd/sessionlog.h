#ifndef SESSIONLOG_H
#define SESSIONLOG_H

/*
 * The one way to write a session file: whole records at its end, numbered,
 * under a lock.  turnpipe-session(5).
 */

#include <sys/types.h>

#include "record.h"
#include "session.h"

/* A zeroed struct with path set is ready. */
struct sessionlog {
	const char *path;
	const char *agent; /* for the header; may be NULL */
	struct buf *copy;  /* whole lines, as they were written; may be NULL */
	int isopen;
	int fd;
	off_t size; /* as we left it */
	struct session_count count;
	int ischained;
	struct buf head; /* the hash of the last line */
	int headfd;	 /* of its file, once a line was written */
};

/*
 * Open the file; with create, make it where it is missing.  A torn last
 * line is repaired: given its newline if it is a record, else moved to the
 * file "torn" of the run directory, with a line on stderr.  0, or -1 if
 * there is no such file.  All other faults die: EX_CANTCREAT, EX_IOERR,
 * EX_DATAERR.
 */
int sessionlog_open(struct sessionlog *l, int create);

/*
 * Append a record of a kind that session_keeps, or the session record that
 * a new file begins with (else one is made); numbered and stamped with the
 * time, in one write(2).  The file is locked meanwhile and no longer: others
 * may append between two records.
 */
void sessionlog_put(struct sessionlog *l, const struct rec *r);

/* Close; with sync, not before the disk has it all. */
void sessionlog_close(struct sessionlog *l, int sync);

#endif
