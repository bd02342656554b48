#ifndef HALVES_H
#define HALVES_H

/*
 * Surrogate pairs that a server split: it cuts its text by UTF-16 units, so
 * one delta ends with "\ud83d" and the next begins with "\ude00".  Neither is
 * a character.  mend.h puts a code point of plane 16 in the place of each;
 * here they are put together again, or become U+FFFD.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* The code point that stands for half u, 0xd800 to 0xdfff. */
uint32_t halves_sign(unsigned u);

/*
 * What b holds from offset from on was added just now.  A first half at its
 * end waits there, as three bytes that are not UTF-8, unless joined is 0:
 * then what waits before from has no second half.
 */
void halves_added(struct buf *b, size_t from, int joined);

/* Bytes of b before a first half that waits. */
size_t halves_shown(const struct buf *b);

/* Nothing more will be added. */
void halves_end(struct buf *b);

#endif
