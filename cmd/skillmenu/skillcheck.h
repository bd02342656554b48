#ifndef SKILLCHECK_H
#define SKILLCHECK_H

/* The validator: each fault of some skills, reported on stderr. */

#include "skill.h"

/*
 * Check skills, each given as its directory or the file in it; the list ends
 * with NULL.  Number of those with faults.
 */
size_t skillcheck(char *const *skills, enum skill_mode mode);

#endif
