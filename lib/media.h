#ifndef MEDIA_H
#define MEDIA_H

/* Images and files in a message's content: Chat Completions' parts. */

#include "buf.h"
#include "json.h"

enum media_kind { MEDIA_NONE, MEDIA_IMAGE, MEDIA_FILE };

/* What part i is; its URL is appended to url. */
enum media_kind media_url(struct buf *url, const struct json *j, int i);

/* "data:TYPE;base64,DATA": 1, with both, in url; else 0. */
int media_data(const struct buf *url, struct span *type, struct span *data);

/* Bytes of a document for one of its tokens: a page of text in a PDF. */
enum { MEDIA_FILE_BYTES = 10 };

/*
 * Tokens by which a count of the letters of a request, or of a message, is
 * too high (below 0: too low) where each image takes this many, whatever its
 * bytes are, and a document one for so many of its bytes.  With 0 bytes it is
 * left as text, which is more than it takes.
 */
long long media_excess(const struct json *j, long long image, int bytes);

#endif
