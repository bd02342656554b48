#ifndef NFC_H
#define NFC_H

/*
 * A letter and the mark after it as the one character that Unicode has for
 * both: "e" and U+0301 become U+00E9, as in normal form C.  For names and
 * words in lower case, which file systems and keyboards give in both ways:
 * capitals, signs and the scripts of India stay as they are.
 */

#include <stdint.h>

#include "buf.h"

/* The character for both; 0 if there is none. */
uint32_t nfc_pair(uint32_t letter, uint32_t mark);

/* Append s with all pairs composed; s is valid UTF-8. */
void nfc_text(struct buf *b, const char *s, size_t n);

#endif
