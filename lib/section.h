#ifndef SECTION_H
#define SECTION_H

/* Section records: a piece of the system prompt.  turnpipe-record(5). */

#include "buf.h"

/* A contributor's facts about a section; NULL and 0 where unset. */
struct section {
	const char *kind;  /* "project-context": what layouts address */
	const char *what;  /* distinguishes: the id is KIND or KIND:WHAT */
	const char *title; /* a heading's words, where the layout has one */
	const char *source; /* the file it came from */
	int isvolatile;	   /* changes from turn to turn */
};

/* Put one section record; content need not be valid UTF-8 (repaired). */
void section_put(const struct section *s, const char *content, size_t n);

/* Append it to b, as the text of a record. */
void section_add(
    struct buf *b, const struct section *s, const char *content, size_t n);

#endif
