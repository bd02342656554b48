#ifndef ESCAPETAGS_H
#define ESCAPETAGS_H

/*
 * Messages in which a user or a tool wrote what looks like a tag of the layout:
 * it is neither obeyed nor taken away, but its '<' becomes "&lt;".
 */

#include "buf.h"
#include "json.h"
#include "layout.h"
#include "record.h"

/*
 * Add the tags that a layout uses among messages and after them, and
 * those of the setting toolrun.escape_tags.
 */
void escapetags_tags(struct strs *tags, const struct layout *l);

/*
 * May escapetags_content write something for this message?  content is the
 * value of that key.
 */
int escapetags_may(const struct rec *r, struct span content,
    const struct strs *tags);

/*
 * Write to b the content of message j, if it is a user's or a tool's and one
 * of these tags (NULL: none) is in it: 1.  0: it may go as it is.
 */
int escapetags_content(
    struct buf *b, const struct json *j, const struct strs *tags);

#endif
