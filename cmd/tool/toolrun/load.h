#ifndef LOAD_H
#define LOAD_H

/*
 * A call of load_tools: which of the tools that its record names in run.load
 * are on offer from the next step on.  toolpick(1) reads it in tp.loaded.
 */

#include "toolcall.h"

/*
 * Append the result to b and the names it puts on offer to loaded.  0; -1 if
 * it puts none on offer.
 */
int load_run(const struct toolcall *c, struct buf *b, struct strs *loaded);

#endif
