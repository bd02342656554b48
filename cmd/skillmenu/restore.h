#ifndef RESTORE_H
#define RESTORE_H

/*
 * Skills that were loaded, and whose text went with what a summary stands
 * for (state, skills_folded): given again, by prompts/skill-restored.md.
 */

#include "fields.h"
#include "skillset.h"

/* Put a section "skill:NAME" for each; one that is gone is told. */
void restore_put(const struct skillset *set, struct fields *state,
    enum skillset_say say);

#endif
