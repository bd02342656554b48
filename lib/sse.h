#ifndef SSE_H
#define SSE_H

/*
 * Server-sent events out of bytes as they come, by the standard: lines end
 * in LF, CR or CRLF, wherever the bytes are cut; one BOM at the start is
 * dropped; ":" lines are comments; data lines join with LF; a blank line
 * dispatches when there was data.  Bytes are not decoded here.
 */

#include <stddef.h>

#include "buf.h"

/* Set max, event and arg; zero the rest. */
struct sse {
	size_t max; /* bytes that one line or one event may have; 0: any */
	void (*event)(
	    void *arg, const char *type, const char *data, size_t n);
	void *arg;
	int stop; /* event may set it: nothing more is dispatched */
	struct buf line, data, type, id;
	long long retry; /* milliseconds that the server asked for, or 0 */
	int hasdata, cr, begun;
};

/* Take n bytes.  0, or -1 when a line or an event is longer than max. */
int sse_feed(struct sse *s, const char *p, size_t n);

/*
 * The stream has ended.  The standard drops an event that no blank line
 * closed; it is dispatched nevertheless, since the data may be whole, and
 * 1 returned.  0 if there was none.
 */
int sse_end(struct sse *s);

/* Ready for another stream; keeps memory, max, event and arg. */
void sse_reset(struct sse *s);

void sse_free(struct sse *s);

#endif
