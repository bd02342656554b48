#ifndef BASE64_H
#define BASE64_H

/* Base64 of RFC 4648, section 4, with padding. */

#include "buf.h"

/* Append that of n bytes. */
void base64_put(struct buf *b, const char *p, size_t n);

#endif
