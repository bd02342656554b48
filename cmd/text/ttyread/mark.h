#ifndef MARK_H
#define MARK_H

/*
 * Which characters were pasted: one of / ! @ that could be read as a command
 * or a path gets a mark in front, a blank that no keyboard has (U+2008, one
 * column, so that it is seen and can be deleted).  It moves with the text, into the history too, and is taken off at
 * the end; who deletes it has typed what stands behind it.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* Append pasted text; prev is the character before it, 0 at the beginning. */
void mark_add(struct buf *b, const char *s, size_t n, uint32_t prev);

/* Append the text without its marks. */
void mark_strip(struct buf *b, const char *s, size_t n);

/*
 * Append what was typed as more than text, a line each: "/" or "!" if the
 * text begins so, "@PATH" for each word that begins with @.
 */
void mark_list(struct buf *b, const char *s, size_t n);

#endif
