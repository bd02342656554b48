#ifndef RECALL_H
#define RECALL_H

/*
 * The few facts that matter for a text: BM25 over folded words (Robertson
 * and Zaragoza 2009, k1 = 1.2, b = 0.75).  Where scores tie the newer fact
 * goes first, then the surer one.  Words of one or two ASCII letters do not
 * count.  Two passes over the files; only the best are kept.
 */

#include <stddef.h>

#include "fact.h"

enum { RECALL_MAX = 50 };

/* Find at most max facts for the n bytes of s; their number. */
size_t recall(const char *s, size_t n, size_t max);

/* The i-th best of the last recall; owned by us, good until the next. */
const struct fact *recall_fact(size_t i);

#endif
