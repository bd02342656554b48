#ifndef PROGRAM_H
#define PROGRAM_H

/*
 * What is known of programs: share/shell/NAME.yaml lists which of their words
 * are harmless, and which programs run others.  toolrun(1), RULES.  All of
 * these die with EX_CONFIG at a file that cannot be understood.
 */

#include "buf.h"

/*
 * Are all words of a command, and of the command that it runs in its turn,
 * known to be harmless?  literal[i]: a rule spells word i.
 */
int program_knows(const struct strs *words, const char *literal);

/* Is there anything known of that program's words? */
int program_has_list(const char *name);

/*
 * Does the command run something that its words do not show as a command, or
 * might it?
 */
int program_is_opaque(const struct strs *words);

/*
 * The index of the command that command `from` runs in its turn ("env A=1
 * rm x"), or words->n.
 */
size_t program_inner(const struct strs *words, size_t from);

#endif
