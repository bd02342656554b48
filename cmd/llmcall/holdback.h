#ifndef HOLDBACK_H
#define HOLDBACK_H

/*
 * Tags that a model writes for the program, not for people, taken out of a
 * text as it comes: "<status>Running the tests</status>".  What may be the
 * beginning of one is held back until it is known.  In code, between
 * backticks, there are none.
 */

#include "block.h"
#include "buf.h"

struct holdback_tag {
	const char *name; /* not owned */
	struct strs texts;
};

/* Bytes of the text that are not in out. */
struct holdback_cut {
	size_t at, n;
};

/* A zeroed struct takes out nothing. */
struct holdback {
	struct buf out; /* what people see */
	struct holdback_tag *tag;
	size_t ntags, tagcap;
	/* Private. */
	struct holdback_cut *cut;
	size_t ncuts, cutcap;
	struct buf pending;
	size_t at;    /* of the text, what is taken in */
	int eat;      /* blanks behind a tag go with it */
	int start;    /* blanks alone, or backticks, since the line's start */
	int ticks;    /* at the line's start */
	int fenced, code;
};

/* Begin with a text; its tags have these names. */
void holdback_reset(struct holdback *h, const struct strs *names);

/* Take in more of the text. */
void holdback_feed(struct holdback *h, const char *s, size_t n);

/*
 * There is no more: what is held back is text; of a text that broke off, half
 * a tag.
 */
void holdback_end(struct holdback *h, int whole);

/* Blocks that counted bytes of the text count those of out. */
void holdback_blocks(const struct holdback *h, struct blocks *bs);

/* Are there any tags? */
int holdback_any(const struct holdback *h);

/* Write the tags' texts as members of an open object, each a list. */
void holdback_put(const struct holdback *h, struct buf *b);

void holdback_free(struct holdback *h);

#endif
