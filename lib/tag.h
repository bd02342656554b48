#ifndef TAG_H
#define TAG_H

/* Tags that have a meaning in our prompts, where others write the text. */

#include "buf.h"

/*
 * Append s with "<" as "&lt;" wherever one of these tags begins or ends:
 * "<NAME", "</NAME", in any case, blanks before the name.  All else stays.
 */
void tag_escape(struct buf *b, const char *s, size_t n,
    const struct strs *names);

#endif
