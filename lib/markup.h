#ifndef MARKUP_H
#define MARKUP_H

/* Tags round the sections of a prompt, which no content can close or forge. */

#include <stddef.h>

#include "buf.h"

/* A letter or '_', then letters, digits, '_', '.' and '-'? */
int markup_isname(const char *s, size_t n);

/*
 * Append text; where it opens or closes a tag of one of these names, or of
 * the name own if that is not NULL, the '<' becomes "&lt;": whatever the
 * case, with blanks where a reader may overlook them, and with characters
 * that are not seen (terminal.h) also within the name.
 */
void markup_text(struct buf *b, const char *s, size_t n,
    const struct strs *tags, const char *own);

/*
 * Could text in the form of a JSON string have such a tag?  No, or perhaps:
 * what is escaped in it may be anything.  hasu is 0 if it has no \u escape.
 */
int markup_may(
    const char *s, size_t n, const struct strs *tags, int hasu);

/* Add the names of the tags that a template closes. */
void markup_closed(struct strs *tags, const char *s, size_t n);

/* Append s for a tag's content or attribute: & < > " and controls escaped. */
void markup_escape(struct buf *b, const char *s, size_t n);

/* Append " NAME=\"VALUE\"", with & < > " and controls of value escaped. */
void markup_attr(struct buf *b, const char *name, const char *s, size_t n);

/* Append a name made of any text: what no name may have becomes '-'. */
void markup_name(struct buf *b, const char *s, size_t n);

#endif
