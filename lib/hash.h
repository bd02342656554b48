#ifndef HASH_H
#define HASH_H

/*
 * FNV-1a, 64 bits: for names and tables, not against an enemy.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

uint64_t hash_bytes(const void *p, size_t n);

/* The same folded to 32 bits, as 8 hex digits; appended to b. */
void hash_hex(struct buf *b, const void *p, size_t n);

#endif
