#ifndef PAGETEXT_H
#define PAGETEXT_H

/* The text of an HTML page, with headings, lists and links as in Markdown. */

#include "buf.h"

/* Append it to b.  Any bytes are taken; a page cut anywhere, too. */
void pagetext(struct buf *b, const char *s, size_t n);

#endif
