#ifndef PERSONA_H
#define PERSONA_H

/*
 * The base prompt, one text of several: the custom file, the definition's
 * systemPrompt, the agent's persona agents/NAME/instructions.md, the body of
 * its definition; a persona.md of the user's replaces each of them.
 */

#include "definition.h"

/*
 * Which text it is, in b, and the section's kind: identity, or custom-prompt
 * for the custom file and a systemPrompt.  NULL where there is none.  *source
 * is its file, good until the next call.  prompt: the custom file, NULL or ""
 * for none.  A blank file gives way to the next; one that can not be read
 * dies with EX_CONFIG.
 */
const char *persona_find(struct buf *b, const char *prompt,
    const struct definition *self, const char **source);

/* Put it as a section, if there is one. */
void persona_put(const char *prompt, const struct definition *self);

#endif
