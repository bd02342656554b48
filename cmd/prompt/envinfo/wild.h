#ifndef WILD_H
#define WILD_H

/*
 * Wildcards as in .gitignore: *, ?, [a-z], [!a-z], [[:alpha:]], \ in front
 * of a literal character.  Time is at most the product of the lengths,
 * whatever the pattern: it may come from a stranger's work tree.
 */

#include <stddef.h>

/* Does the pattern of np bytes match all of s?  '/' is like other bytes. */
int wild_match(const char *p, size_t np, const char *s, size_t n);

/*
 * The same name by name, slashes between; a name "**" in the pattern matches
 * any number of names, at its end at least one.
 */
int wild_path(const char *pattern, const char *path);

/* Is there anything in the pattern that a plain name has not? */
int wild_is(const char *pattern);

#endif
