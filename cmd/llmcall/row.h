#ifndef ROW_H
#define ROW_H

/* Items of order.h one behind the other, by their mates; owns none. */

#include "order.h"

struct row {
	struct item *head, **tail; /* tail: &head of an empty one */
	size_t n;
};

void row_push(struct row *r, struct item *i);

/* Take out the one that *p, head or a mate of r's, points to. */
struct item *row_pull(struct row *r, struct item **p);

#endif
