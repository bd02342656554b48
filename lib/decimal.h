#ifndef DECIMAL_H
#define DECIMAL_H

/*
 * JSON numbers by their text: compared and made whole without a double in
 * between, so that no digit is lost.
 */

#include "buf.h"

/* <0, 0 or >0 as a is less than, equal to or more than b, by value. */
int decimal_compare(struct span a, struct span b);

/*
 * Append the number without point and exponent: "5.0" and "0.5e1" are 5.
 * -1, with nothing appended, if it is not whole or has over 40 digits.
 */
int decimal_whole(struct buf *b, struct span s);

/* Is it whole, whatever its length? */
int decimal_iswhole(struct span s);

/*
 * Is a a multiple of b?  1 also where that is not known: for b 0, and where
 * both on one scale have over 18 digits.
 */
int decimal_multiple(struct span a, struct span b);

#endif
