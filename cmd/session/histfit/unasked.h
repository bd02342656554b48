#ifndef UNASKED_H
#define UNASKED_H

/* Calls of the last turn that were not run, though no user said so. */

#include "tail.h"

/*
 * Print an error record that names them, with EX_NOPERM as its code, and
 * warn.  0, and nothing is printed, without any or with the setting ok_denied.
 */
int unasked_put(struct tail *t);

#endif
