#ifndef MATCH_H
#define MATCH_H

/*
 * Globs that users write, for names of tools, agents, models and variables:
 * those of fnmatch(3) without flags.  (toolrun's rules have their own, with
 * "**" for paths and without "?" and "[", which a command line may hold; a
 * .gitignore has git's.)
 */

#include "buf.h"

/* Does the whole name fit the pattern? */
int match_name(const char *pattern, const char *name);

/* The first of the patterns that the name fits; NULL if there is none. */
const char *match_any(const struct strs *patterns, const char *name);

#endif
