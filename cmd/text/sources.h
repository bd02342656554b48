#ifndef SOURCES_H
#define SOURCES_H

/* The sources of an answer, as lines for its reader. */

#include "buf.h"
#include "json.h"

/*
 * Append a line "[1] TITLE ADDRESS" for each source that the annotations of
 * the message j name, once, after a blank line where b has text.  None of an
 * answer that is a JSON object or array, which a program reads.
 */
void sources_put(struct buf *b, const struct json *j);

#endif
