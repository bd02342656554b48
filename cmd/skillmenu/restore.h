#ifndef RESTORE_H
#define RESTORE_H

/*
 * Skills that were loaded, and whose text went with the messages that a
 * summary replaced (state, skills_folded): given again, by
 * prompts/skill-restored.md.
 */

#include "fields.h"
#include "skillset.h"

/* Put a section "skill:NAME" for each; report one that is gone. */
void restore_put(const struct skillset *set, struct fields *state,
    enum skillset_say say);

#endif
