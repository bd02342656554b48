#ifndef MISHAP_H
#define MISHAP_H

/* What went wrong since the model last gave a whole answer. */

#include "chat.h"
#include "record.h"

/* A zeroed struct is ready. */
struct mishap {
	long long retries; /* marks "retry" since then */
	struct span error; /* the last error record; p NULL for none */
	size_t looked;	   /* messages looked at for that answer */
	int settled;	   /* it was met */
};

/*
 * Take a mark or an error, reading back from a session's end; c holds the
 * messages behind it.
 */
void mishap_take(
    struct mishap *m, const struct rec *r, const struct chat *c);

/* Append the state's fields retries and error, as far as there are any. */
void mishap_put(struct buf *b, const struct mishap *m);

#endif
