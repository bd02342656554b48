#ifndef ROSTER_H
#define ROSTER_H

/*
 * The agents that work can be given to: a record each, and one section
 * "agents" that lists them, by the template prompts/agents.md, or
 * prompts/agents-FORM.md, with the holes name, description and usage: " " and
 * the usage_guidelines, or nothing.
 */

#include "buf.h"
#include "definition.h"

/*
 * Read the template of a form, NULL for the plain one.  0; -1 if there is
 * none, or an empty one switches the list off.
 */
int roster_form(const char *form);

/*
 * Put the records of the agents that self may call and that say what they
 * are for, then the section, if there is a template.  Names that the message
 * addresses with an "@" are appended to named.
 */
void roster_put(const struct definition *self, const struct buf *message,
    struct strs *named);

/*
 * Print the names of all agents, a line each; with facts a record each.  What
 * is wrong with one is reported, and it is left out.
 */
void roster_list(int facts);

#endif
