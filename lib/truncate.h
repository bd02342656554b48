#ifndef TRUNCATE_H
#define TRUNCATE_H

/*
 * Text of which only head and tail are kept when it is longer than a cap;
 * all of it goes to a file then.  Memory: three times the cap.
 */

#include "buf.h"

struct truncate {
	size_t max;    /* cap in bytes */
	size_t filemax; /* the file gets at most that many */
	struct buf path; /* the file to make; empty: none.  Another name is
			    put here if that one is taken */
	/* After truncate_end: */
	struct span head; /* all of it when it is not over the cap */
	struct span tail;
	unsigned long long bytes, lines; /* of the whole */
	unsigned long long kept;	 /* bytes in the file */
	int over;
	int err; /* errno of what went wrong with the file, or 0 */
	/* truncate.c's */
	struct buf first, last;
	int fd;
};

/* Start anew; path may be NULL. */
void truncate_start(
    struct truncate *c, size_t max, const char *path, size_t filemax);

void truncate_add(struct truncate *c, const char *p, size_t n);

/* Write all of it to the file, also where it is not over the cap. */
void truncate_save(struct truncate *c);

/*
 * Nothing more comes: set head and tail, each about half the cap, cut where
 * lines end if that loses no more than half of it, and never within a UTF-8
 * sequence.  They are owned by c.
 */
void truncate_end(struct truncate *c);

void truncate_free(struct truncate *c);

#endif
