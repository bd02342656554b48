#ifndef MARKUP_H
#define MARKUP_H

/* Tags round text by others, which it cannot close. */

#include <stddef.h>

#include "buf.h"
#include "template.h"

/* A letter or '_', then letters, digits, '_', '.' and '-'? */
int markup_isname(const char *s, size_t n);

/*
 * Append the name of an element that text cannot close: name, or if text has
 * a tag that opens or closes that, name with a suffix, with which it has none.
 * Whatever the case, with blanks where a reader may overlook them, and with
 * characters that are not seen (terminal.h) also within the name.
 */
void markup_element(struct buf *b, const char *name, struct span text);

/* Append s, in which the elements of these names get those for text. */
void markup_rename(struct buf *b, const char *s, size_t n,
    const struct strs *names, struct span text);

/*
 * template_expand, with what is filled in as it is: no value can close an
 * element of the template.  A hole may be filled more than once.
 */
void markup_expand(struct buf *b, const char *s, size_t n,
    template_fill *fill, void *arg);

/*
 * Append text; where it opens or closes a tag of one of these names the '<'
 * becomes "&lt;".
 */
void markup_text(
    struct buf *b, const char *s, size_t n, const struct strs *tags);

/*
 * Could text in the form of a JSON string have such a tag?  No, or perhaps:
 * what is escaped in it may be anything.  hasu is 0 if it has no \u escape.
 */
int markup_may(
    const char *s, size_t n, const struct strs *tags, int hasu);

/* Add the names of the tags that a template closes. */
void markup_closed(struct strs *tags, const char *s, size_t n);

/* Append the value of an attribute: textfile_name, & < > " escaped. */
void markup_attr(struct buf *b, const char *s, size_t n);

/* Append a name made of any text: what no name may have becomes '-'. */
void markup_name(struct buf *b, const char *s, size_t n);

#endif
