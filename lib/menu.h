#ifndef MENU_H
#define MENU_H

/* How a skill stands in the menu that a model reads. */

#include "buf.h"
#include "skillset.h"

/*
 * Append a skill: a line of Markdown, or with xml set the element that the
 * Agent Skills guide shows, escaped.  Blanks of any kind become one.
 */
void menu_item(struct buf *b, const struct skillset_item *it, int xml);

#endif
