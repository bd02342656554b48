#ifndef SHA256_H
#define SHA256_H

/* SHA-256 (FIPS 180-4): for names that others than the user may choose. */

#include <stddef.h>

#include "buf.h"

/* Append the first n (to 64) hex digits of the digest of len bytes at p. */
void sha256_hex(struct buf *b, const void *p, size_t len, size_t n);

#endif
