#include "row.h"

void
row_push(struct row *r, struct item *i)
{
	i->mate = NULL;
	*r->tail = i;
	r->tail = &i->mate;
	r->n++;
}

struct item *
row_pull(struct row *r, struct item **p)
{
	struct item *i = *p;

	*p = i->mate;
	if (i->mate == NULL)
		r->tail = p;
	i->mate = NULL;
	r->n--;
	return i;
}
