#ifndef RENDER_H
#define RENDER_H

/* A section's text with what its place puts round it. */

#include "buf.h"
#include "json.h"
#include "layout.h"

/*
 * Append content as p says: wrap, heading over it, tag round it all, with a
 * name that nothing within it closes.  Holes and attributes are filled from
 * the record j (may be NULL) and the id; what comes from there is one line.
 */
void render(struct buf *b, const struct place *p, struct span content,
    const struct json *j, const char *id);

#endif
