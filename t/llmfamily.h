#ifndef LLMFAMILY_H
#define LLMFAMILY_H

/* Answers in the terms of the Messages and of the Responses API. */

#include "llmanswer.h"

/*
 * Make the answer that a script's line describes, if the path is one of
 * theirs: 1.  Else 0.
 */
int family_make(const struct source *s, const char *path,
    const struct buf *text, int streams);

#endif
