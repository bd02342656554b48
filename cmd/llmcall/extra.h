#ifndef EXTRA_H
#define EXTRA_H

/*
 * Members of an object that we do not know, gathered from the pieces of a
 * stream to be given back as they came: strings and arrays grow by each
 * piece, everything else is replaced, null changes nothing.
 */

#include "buf.h"
#include "json.h"

struct extra {
	char *key;
	enum json_kind kind;
	struct buf value; /* decoded of strings, the elements of arrays */
};

/* A zeroed struct is empty. */
struct extras {
	struct extra *v;
	size_t n;
	size_t cap;
};

/* Take in the value of key k of an object. */
void extras_add(struct extras *x, const struct json *j, int k);

/* Write key and value of each. */
void extras_put(const struct extras *x, struct buf *b);

/* The values are whole: halves.h. */
void extras_settle(struct extras *x);

void extras_reset(struct extras *x);

#endif
