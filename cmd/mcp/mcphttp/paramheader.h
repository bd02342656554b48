#ifndef PARAMHEADER_H
#define PARAMHEADER_H

/*
 * What 2026-07-28 repeats in headers: arguments of a call whose schema has
 * x-mcp-header, as Mcp-Param-NAME.
 */

#include "buf.h"
#include "json.h"

/*
 * Learn the headers of the tools of an answer to tools/list, and append that
 * answer without the tools whose x-mcp-header is wrong, each of which is
 * reported once.
 */
void paramheader_list(struct buf *b, const struct json *j);

/* Append the headers of this call, a request's body. */
void paramheader_add(struct strs *headers, struct span body);

/* Append a header's value: as it is, or "=?base64?...?=" where it must be. */
void paramheader_value(struct buf *b, const char *p, size_t n);

#endif
