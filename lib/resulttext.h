#ifndef RESULTTEXT_H
#define RESULTTEXT_H

/* Texts for the model, from share/results.yaml: toolrun(1). */

#include "buf.h"

/*
 * Append the text with its holes filled: pairs are name and value, a NULL
 * name ends them.  A file without that text gives "error: KEY"; one that
 * cannot be understood dies with EX_CONFIG.
 */
void resulttext(struct buf *b, const char *key, const char *const *pairs);

#endif
