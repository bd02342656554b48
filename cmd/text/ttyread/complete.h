#ifndef COMPLETE_H
#define COMPLETE_H

#include "buf.h"

/* Can a line hold this name as it is, and a terminal show it? */
int complete_can(const char *name);

/*
 * Executables prefixNAME in the absolute directories of PATH, and words, that
 * begin so: each NAME is added to l, sorted.
 */
void complete_command(struct strs *l, const char *word, size_t n,
    const char *prefix, char **words);

#endif
