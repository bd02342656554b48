#ifndef CHART_H
#define CHART_H

/* The sections of a prompt as a table, for people. */

#include "prompt.h"

/*
 * Append a line with a bar for each section that was kept or dropped, for
 * each that the layout ignores or replaces, and one for the whole.
 */
void chart_put(const struct prompt *p, struct buf *b);

#endif
