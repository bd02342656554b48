#ifndef COMPLETE_H
#define COMPLETE_H

#include "buf.h"

/*
 * What can follow the word before the cursor.  Words that begin so are added
 * to l, sorted, each as it would stand in the text after the / or @.
 */

/* Executables prefixNAME in the absolute directories of PATH, and words. */
void complete_command(struct strs *l, const char *word, size_t n,
    const char *prefix, char **words);

/* Files: a directory ends in a slash. */
void complete_path(struct strs *l, const char *word, size_t n);

/* Bytes that all of them begin with, no character cut. */
size_t complete_common(const struct strs *l);

#endif
