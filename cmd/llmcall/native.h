#ifndef NATIVE_H
#define NATIVE_H

/*
 * The assistant's words as their provider gave them, for that provider to
 * have back: "native" of a message (block.h), with the text and the calls
 * that it points to put in their places.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

struct native {
	/* What comes next: text, a call's token, or a block's; the others
	 * are empty, -1 and -1. */
	struct span text;
	int call, own;
	/* Private. */
	const struct json *j;
	int at, calls, late, blocks, rest;
	struct buf content;
	size_t pos;
};

/*
 * Begin with message m.  -1 if it has no such thing, another model made it
 * or this one spoken to in another way, or its text is no longer what it
 * was.  late: no text may stand behind a call.
 */
int native_open(struct native *w, const struct json *j, int m,
    const struct provider *p, const char *api, const char *model, int late);

/* On to the next piece, in order; 0 at the end.  Calls that "native" does
 * not have come last. */
int native_next(struct native *w);

void native_free(struct native *w);

#endif
