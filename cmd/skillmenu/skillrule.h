#ifndef SKILLRULE_H
#define SKILLRULE_H

/*
 * What a skill's front matter must be, and what is taken though it is not.
 * Only skill.c has business here.
 */

#include "skill.h"

/* The skill whose faults are reported from now on; dir and file must stay. */
void skill_subject(
    const char *dir, const char *file, const struct skill_rules *rules);

/* Tell that the skill is lost; line 0 for the file as a whole.  SKILL_LOST. */
enum skill_result skill_lose(size_t line, size_t col, const char *why);

/*
 * Check the front matter that was parsed, and fill s from it.  SKILL_OK or
 * SKILL_LOST.
 */
enum skill_result skill_check(struct skill *s);

#endif
