#ifndef FACTRANK_H
#define FACTRANK_H

/*
 * The few facts that matter for a text, by bm25.h.  Where scores tie the
 * newer fact goes first, then the surer one, then the one said later.  One
 * pass over the files, of which only what has a word of the text in it is
 * kept, or is of a scope that is always wanted.
 */

#include <stddef.h>

#include "fact.h"

enum { FACTRANK_MAX = 50 };

/* How many facts, of all scopes together or of each. */
struct factrank_limits {
	int each;		 /* scope's own: max[scope]; else max[0] */
	size_t max[FACT_SCOPES]; /* at most FACTRANK_MAX is taken */
	int always[FACT_SCOPES]; /* also without a word of the text */
};

/*
 * Find the facts for the n bytes of s; their number.  more holds records
 * that are no file's, a line each; it may be empty.
 */
size_t factrank(const char *s, size_t n, const struct factrank_limits *limits,
    const struct buf *more);

/*
 * The user's last fact of category persona; NULL where there is none.  Facts
 * of that category are never among those found.  Static, good until the
 * next call.
 */
const struct fact *factrank_persona(void);

/* The i-th best of the last call, those of a scope with
 * its own limit together; owned by us, good until the next. */
const struct fact *factrank_fact(size_t i);

#endif
