#ifndef CLIP_H
#define CLIP_H

/*
 * Text of which only head and tail are kept when it is longer than a cap;
 * all of it goes to a file then.  Memory: three times the cap.
 */

#include "buf.h"

struct clip {
	size_t max;    /* cap in bytes */
	size_t filemax; /* the file gets at most that many */
	struct buf path; /* the file to make; empty: none.  Another name is
			    put here if that one is taken */
	/* After clip_end: */
	struct span head; /* all of it when it is not over the cap */
	struct span tail;
	unsigned long long bytes, lines; /* of the whole */
	unsigned long long kept;	 /* bytes in the file */
	int over;
	int err; /* errno of what went wrong with the file, or 0 */
	/* clip.c's */
	struct buf first, last;
	int fd;
};

/* Start anew; path may be NULL. */
void clip_start(struct clip *c, size_t max, const char *path, size_t filemax);

void clip_add(struct clip *c, const char *p, size_t n);

/*
 * Nothing more comes: set head and tail, each about half the cap, cut where
 * lines end if that loses no more than half of it, and never within a UTF-8
 * sequence.  They are owned by c.
 */
void clip_end(struct clip *c);

void clip_free(struct clip *c);

#endif
