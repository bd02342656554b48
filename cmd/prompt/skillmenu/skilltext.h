#ifndef SKILLTEXT_H
#define SKILLTEXT_H

/*
 * The text of a skill that a model asks for: a template with the holes name,
 * dir, body and resources; the last one is prompts/skill-files.md, with the
 * hole files, where the skill has files.  Nothing in them can close the
 * template's tags.
 */

#include "buf.h"
#include "fields.h"
#include "skillset.h"

/* Append the text of a skill by that template.  Dies if it is missing. */
void skilltext_put(struct buf *b, const char *file, const char *name,
    const char *dir, struct span body, size_t maxfiles);

/*
 * Skills that were loaded, and whose text went with the messages that a
 * summary replaced (state, skills_folded): put a section "skill:NAME" by
 * prompts/skill-restored.md for each; report one that is gone.
 */
void skilltext_restore(const struct skillset *set, struct fields *state,
    int quiet);

#endif
