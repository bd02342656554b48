#ifndef ATTACH_H
#define ATTACH_H

/*
 * A picture or a document as a part of a message's content, as Chat
 * Completions has it: image_url or file, with the bytes in a data: URL.
 */

#include "buf.h"

/*
 * Append the part for a file to a list that is open in b.  What it is its
 * first bytes say: PNG, JPEG, GIF, WebP or PDF.  Dies: EX_NOINPUT if it can
 * not be read, EX_DATAERR if it is something else, has no byte, or if all
 * files together have more than ATTACH_MAX bytes.
 */
enum { ATTACH_MAX = 32 << 20 };
void attach_put(struct buf *b, const char *path);

#endif
