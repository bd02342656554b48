#ifndef JSONREPAIR_H
#define JSONREPAIR_H

/*
 * JSON that a model or a server wrote, and that is not quite JSON.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * Append to b an object: s itself if it is one; {} for an empty text; s
 * with what broke off closed and what is lax made strict, if that gives an
 * object; else {"arguments": s as a string}.  1 if s was changed.
 */
int jsonrepair_object(struct buf *b, const char *s, size_t n);

/* The text between Markdown fences, if it is; without blanks around it. */
struct span jsonrepair_unfence(struct span s);

/*
 * Append s with lone surrogate escapes, and bytes that are not UTF-8,
 * replaced by U+FFFD: what some servers send where they cut a character.
 */
void jsonrepair_text(struct buf *b, const char *s, size_t n);

/* The same, with a halves_sign for each lone surrogate; how many. */
size_t jsonrepair_halves(struct buf *b, const char *s, size_t n);

/*
 * Surrogate pairs that a server split: it cuts its text by UTF-16 units, so
 * one delta ends with "\ud83d" and the next begins with "\ude00".  Neither is
 * a character.  jsonrepair_halves puts a code point of plane 16 in the place of
 * each; these put them together again, or make them U+FFFD.
 */

/* The code point that marks half u, 0xd800 to 0xdfff. */
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
