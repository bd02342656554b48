#ifndef MCPLIST_H
#define MCPLIST_H

/* The tools of MCP servers, as toolhold(1) lists them. */

#include "buf.h"

/*
 * Append the tool records, a line each, of these servers (NULL: of all); those
 * that are slower than wait seconds are left out.  What goes wrong costs tools,
 * and toolhold has said why.
 */
void mcplist(struct buf *b, const struct strs *servers, long wait);

#endif
