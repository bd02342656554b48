#ifndef TODOFORM_H
#define TODOFORM_H

/*
 * The section "todos" in a form of one's own: the template
 * prompts/todos-FORM.md.  A line with one of the holes proposed, pending,
 * in_progress or completed comes once for each todo of that status, with its
 * text; in the others count and done are how many there are and are
 * completed.
 */

#include "buf.h"
#include "todos.h"

/* Read the template.  0; -1 if there is none. */
int todoform_load(const char *form);

/* Append the list by the template, or as todos_text() without one. */
void todoform_text(struct buf *b, const struct todos *l);

#endif
