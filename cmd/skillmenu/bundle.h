#ifndef BUNDLE_H
#define BUNDLE_H

/*
 * A skill as a model gets it that asks for it: a template,
 * prompts/skill.md, with the holes name, dir, body and resources; the last
 * one is prompts/skill-files.md, with the hole files, where the skill
 * brings files along.  Nothing in them can close the template's tags.
 */

#include "buf.h"

/* Append the text of a skill by that template.  Dies if it is missing. */
void bundle_put(struct buf *b, const char *file, const char *name,
    const char *dir, struct span body, size_t maxfiles);

#endif
