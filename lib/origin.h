#ifndef ORIGIN_H
#define ORIGIN_H

/*
 * How the pieces of a message's text came, as its tp.from says:
 * turnpipe-record(5).
 */

#include "json.h"

enum origin { ORIGIN_TYPED, ORIGIN_INPUT, ORIGIN_FILE, ORIGIN_COMMAND,
	ORIGIN_CHANNEL, ORIGIN_UNKNOWN };

/* That of a name, or ORIGIN_UNKNOWN. */
enum origin origin_find(struct span name);

/* The name of one that is known. */
const char *origin_name(enum origin o);

/* Are these a person's own words: typed, or of a channel's message? */
int origin_isown(enum origin o);

/* The bytes of a message's texts: its content, or those of its parts. */
size_t origin_size(const struct json *j, int message);

/* Where a reader is in a message's text. */
struct origins {
	const struct json *j;
	int at;	      /* the next piece in tp.from, or -1 */
	size_t left;  /* bytes of the piece it is in */
	enum origin o;
};

/*
 * Begin to read the texts of a message, the record j.  Without tp.from all is
 * typed; with one that does not fit the text, of which a filter may have
 * changed some, all is ORIGIN_UNKNOWN.
 */
void origin_begin(struct origins *s, const struct json *j);

/*
 * How many of the next max bytes of them came the same way, and *o, which; 0
 * if max is 0.
 */
size_t origin_next(struct origins *s, size_t max, enum origin *o);

#endif
