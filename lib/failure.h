#ifndef FAILURE_H
#define FAILURE_H

/*
 * What a failure means for who asked: share/faults.yaml,
 * turnpipe-providers(5), FAULTS.
 */

#include "json.h"

/* faults.yaml; without a token if there is none. */
const struct json *failure_table(void);

/*
 * The class of an exit status: "again", "later" or "final"; NULL for one that
 * is in none, as that of a signal or of wrong usage.  Owned by us.  A table
 * without classes dies (EX_CONFIG).
 */
const char *failure_class(int status);

/* 0, or of the class final: the same would end so again. */
int failure_isfinal(int status);

#endif
