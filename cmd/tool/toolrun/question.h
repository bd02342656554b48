#ifndef TOOLRUN_QUESTION_H
#define TOOLRUN_QUESTION_H

/* A call as the user sees it before it runs. */

#include "places.h"
#include "toolcall.h"

/*
 * Append the call: a line per argument, further ones indented; old and new
 * as the lines of a diff, content as a diff against the file that the path
 * names; where the paths lead, if not to what they say.
 */
void question_call(
    struct buf *b, const struct toolcall *c, const struct places *p);

/*
 * Append what it will change in files, as question_call does, or as its patch
 * says; nothing if that cannot be seen.
 */
void question_change(struct buf *b, const struct toolcall *c);

#endif
