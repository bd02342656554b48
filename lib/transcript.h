#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

/*
 * A conversation as flat text, for a model that shall read it and not take
 * part in it: each message under its role in brackets, calls and results
 * with the tool's name.
 */

#include "chat.h"

/* Bytes after which the texts of messages, arguments, results are cut. */
struct transcript {
	size_t text, args, result;
};

/*
 * Append item i of the view, whole as it is in the log and not shortened.
 */
void transcript_put(struct buf *b, const struct transcript *t,
    const struct chat *c, size_t i);

/* Append the text of item i alone. */
void transcript_text(struct buf *b, const struct transcript *t,
    const struct chat *c, size_t i);

/*
 * Append text in which no line names a speaker: a line that begins with one of
 * these words (the last is NULL) is indented.
 */
void transcript_quote(struct buf *b, const char *s, size_t n,
    const char *const *speakers);

#endif
