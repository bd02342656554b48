#ifndef INBOUND_H
#define INBOUND_H

/*
 * Messages that come in from a channel, a line of JSON each:
 * {channel, chatId, sender, content}, perhaps id and agent.  chanroute(1).
 * A line that cannot be understood is reported and left out: one sender's
 * fault must not end the others' conversation.
 */

#include "buf.h"
#include "json.h"

/* A zeroed struct reads standard input. */
struct inbound {
	struct buf in;	 /* read; owned */
	size_t pos, scanned;
	size_t line;	 /* of the last one taken, from 1 */
	int eof;
	int skipping;	 /* the rest of a line that is too long */
	size_t nbad;	 /* lines that were reported */
	struct span text; /* the line as it came, without its newline */
	const struct json *json; /* its tokens */
	struct buf channel, chat; /* decoded; may hold NUL */
};

enum inbound_kind {
	INBOUND_NONE,	 /* no whole line is there yet */
	INBOUND_MESSAGE, /* with channel and chat */
	INBOUND_OTHER	 /* another record */
};

/*
 * The next line of what was read; all of it is good until the next call or
 * inbound_fill.  Bad lines are counted and passed over.
 */
enum inbound_kind inbound_next(struct inbound *m);

/* Read once.  0 at the end of input, else 1.  Dies if it cannot be read. */
int inbound_fill(struct inbound *m);

/* Report the line: what was expected at token i of it. */
void inbound_bad(struct inbound *m, int i, const char *why);

/* The text of a string or whole number at token i into b.  0, or -1. */
int inbound_word(const struct json *j, int i, struct buf *b);

#endif
