#ifndef CONTENT_H
#define CONTENT_H

/*
 * What a server answered, as text.  Images, sounds and other bytes become
 * files below $TURNPIPE_RUN/out with a line each that names the file
 * (results.yaml, mcp_*).
 */

#include "buf.h"
#include "json.h"

/*
 * Append the text of result i of tools/call: texts joined by newlines; the
 * structured content where there is no other.  Returns whether it says
 * isError.
 */
int content_result(struct buf *b, const struct json *j, int i);

/* Append the text of one content block: text, image, audio, resource. */
void content_block(struct buf *b, const struct json *j, int i);

/* The same of the contents of a resource: {uri, mimeType?, text | blob}. */
void content_resource(struct buf *b, const struct json *j, int i);

#endif
