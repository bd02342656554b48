#ifndef ESCAPETAGS_H
#define ESCAPETAGS_H

/*
 * Messages in which somebody else than the user wrote a tag that a layout
 * reserves to itself: its '<' becomes "&lt;".
 */

#include "buf.h"
#include "json.h"
#include "record.h"

/*
 * May escapetags_content write something for this message?  content is the
 * value of that key, tags may be NULL.
 */
int escapetags_may(const struct rec *r, struct span content,
    const struct strs *tags);

/*
 * If so: write to b the content of message j if a tool's result has one of
 * these tags, or what of a user's message was not typed: 1.  0: it may go as
 * it is.
 */
int escapetags_content(
    struct buf *b, const struct json *j, const struct strs *tags);

#endif
