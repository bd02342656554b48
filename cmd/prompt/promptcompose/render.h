#ifndef RENDER_H
#define RENDER_H

/* A section's text with what its place puts round it. */

#include "buf.h"
#include "json.h"
#include "layout.h"

/*
 * Append content as p says: wrap, heading over it, tag round it all.  Holes
 * and attributes are filled from the record j (may be NULL) and the id; what
 * comes from there or from content opens and closes no tag of the layout.
 */
void render(struct buf *b, const struct layout *l, const struct place *p,
    struct span content, const struct json *j, const char *id);

/*
 * The same round what needs no care: text of our own files, or what is
 * rendered already, a group or the trailing block.
 */
void render_round(struct buf *b, const struct layout *l,
    const struct place *p, struct span content);

#endif
