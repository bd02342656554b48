#ifndef PROMPT_H
#define PROMPT_H

/*
 * A prompt: the pieces that fit the budget, as the text of the system
 * message and the messages after all others.
 */

#include <stddef.h>

#include "buf.h"
#include "piece.h"

struct prompt_tail {
	const char *role; /* the layout's */
	size_t at, n;	  /* its text in tailtext */
};

/* Zeroed but for pieces.layout, it is empty. */
struct prompt {
	struct pieces pieces; /* in prompt order after prompt_fit */
	struct buf system;
	struct buf tailtext;
	struct prompt_tail *tail;
	size_t ntail, tailcap;
	struct span beside[2]; /* JSON that stands in the same request */
	size_t tokens; /* of all that is kept, with wrappers and separators */
	size_t bytes;
	size_t kept, dropped;
	size_t excess; /* tokens over the budget */
};

/*
 * Choose among the pieces under a budget of tokens and make the texts.
 * Estimates are multiplied by ratio.
 */
void prompt_fit(struct prompt *p, size_t budget, double ratio);

/* Append all of it as plain text, an empty line between the messages. */
void prompt_text(const struct prompt *p, struct buf *b);

/*
 * Append "ID (TOKENS), ..." of what was dropped, or of the stickies; without
 * any, of what was let in at any size.
 */
void prompt_names(const struct prompt *p, struct buf *b, int sticky);

/* Forget the conversation, keep the layout. */
void prompt_reset(struct prompt *p);

#endif
