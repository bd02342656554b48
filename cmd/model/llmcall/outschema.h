#ifndef OUTSCHEMA_H
#define OUTSCHEMA_H

/*
 * Structured output: the JSON Schema that an answer is asked to fit, in the
 * way its provider takes it, and held to here.  A request has it where Chat
 * Completions have it, in response_format.json_schema.schema.
 * turnpipe-providers(5), SCHEMAS.
 */

#include "buf.h"
#include "json.h"
#include "provider.h"

/*
 * Ask each request that says nothing of its own to fit the schema in this
 * file.  Dies if it is not a schema that we can check: EX_NOINPUT, EX_DATAERR.
 */
void outschema_open(const char *path);

/* Append the request j with that schema in it; 0, with nothing appended, if
 * no schema is set, or j has its own. */
int outschema_request(struct buf *b, const struct json *j);

/*
 * Append j as this provider's model takes it: a schema that it cannot be
 * sent goes into the system's text (prompts/schema.md).  0, with nothing
 * appended, if j can be sent as it is.
 */
int outschema_adapt(struct buf *b, const struct json *j,
    const struct provider *p, const char *model);

/*
 * Does an answer fit what the request asks for?  0; or -1 with "answer
 * .items[2].price: expected a number, found string" in why.  *bare becomes
 * the JSON in it, which may be between Markdown's fences; it points into
 * text.
 */
int outschema_check(const struct json *j, struct span text, struct span *bare,
    struct buf *why);

#endif
