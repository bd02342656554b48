#ifndef TERMINAL_H
#define TERMINAL_H

/*
 * Text for a terminal: what the terminal would obey, hide or reorder is made
 * visible.  A control character but newline and tab, a C1 control, a
 * bidirectional or zero-width mark, and a tag character become \u{HEX}; a
 * byte that is not UTF-8 becomes \xHEX.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* Is this code point one of those? */
int terminal_hides(uint32_t c);

/* Append s, cleaned. */
void terminal_clean(struct buf *b, const char *s, size_t n);

#endif
