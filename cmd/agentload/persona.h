#ifndef PERSONA_H
#define PERSONA_H

/*
 * The base prompt, one text of several: the custom file, the agent's
 * persona agents/NAME/instructions.md, the body of its definition; a
 * persona.md of the user's stands in the place of each.
 */

#include "agent.h"

/*
 * Put the section identity, or custom-prompt where that file is it; nothing
 * where nobody has a text.  prompt: the custom file, NULL or "" for none.  A
 * blank file gives way to the next; one that can not be read dies with
 * EX_CONFIG.
 */
void persona_put(
    const char *name, const char *prompt, const struct agent *self);

#endif
