#ifndef SCHEMACHECK_H
#define SCHEMACHECK_H

/* Is a schema one that we can hold an answer to? */

#include "schema.h"

/*
 * The first place of a schema that could not be checked, as a token of j,
 * with what was expected there in *why; -1 if all of it can be.
 */
int schemacheck_fault(struct schema s, const char **why);

/*
 * Is it of the part that providers hold a model to, letter by letter: every
 * object closed, each of its members required?
 */
int schemacheck_strict(struct schema s);

/*
 * The n-th word that is taken, NULL after the last; *binds: does it bind a
 * value?  schemafit.h must then hold values to it.
 */
const char *schemacheck_word(size_t n, int *binds);

/* Append the schema without these words, in it and in those in it. */
void schemacheck_without(
    struct buf *b, struct schema s, const struct strs *drop);

#endif
