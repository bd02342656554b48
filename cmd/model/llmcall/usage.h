#ifndef USAGE_H
#define USAGE_H

/* What a call used, as its server counted it.  turnpipe-record(5). */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum usage_count {
	USAGE_PROMPT,	  /* tokens of all of the input */
	USAGE_COMPLETION, /* and of all of the output */
	USAGE_CACHED,	  /* of the input: read from the cache, */
	USAGE_WRITTEN,	  /* written to it, */
	USAGE_WRITTEN_1H, /* of these for an hour */
	USAGE_REASONING,  /* of the output */
	USAGE_AUDIO_IN,	  /* of the input */
	USAGE_AUDIO_OUT,  /* of the output */
	USAGE_PREDICTED,  /* of the output: as the request foresaw, */
	USAGE_MISTAKEN,	  /* and not */
	USAGE_FRESH,	  /* of the input: neither cached nor written */
	USAGE_COUNTS
};

/* What the server did besides, by name: searches, programs that it ran. */
struct usage_piece {
	char name[32];
	long long n;
};

enum { USAGE_PIECES = 8 };

struct usage {
	long long n[USAGE_COUNTS]; /* -1: not said */
	double cost;		   /* dollars; NAN: not said */
	struct usage_piece piece[USAGE_PIECES]; /* up to one that is 0 */
	int any;				/* the server spoke of it */
};

/* Where a server's JSON has a count. */
struct usage_path {
	enum usage_count count;
	const char *path;
};

/* Nothing is known. */
void usage_reset(struct usage *u);

/* Read the object at i by n paths, later ones over earlier; 0, or -1. */
int usage_read(struct usage *u, const struct json *j, int i,
    const struct usage_path *path, size_t n);

/* The number at path of object i becomes *v; nothing if there is none. */
void usage_number(
    const struct json *j, int i, const char *path, long long *v);

/* The count of pieces with this name; NULL if there are too many names. */
long long *usage_piece(struct usage *u, struct span name);

/* What both used. */
void usage_add(struct usage *u, const struct usage *other);

/* Tokens in and out; -1 where one of both is not known. */
long long usage_tokens(const struct usage *u);

/* Write what is known as members of an open object. */
void usage_put(const struct usage *u, struct buf *b);

#endif
