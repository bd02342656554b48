#ifndef STEM_H
#define STEM_H

/*
 * The stems of words, by libstemmer (Snowball): "builds" and "building" have
 * that of "build".
 */

#include "buf.h"

/* From now on words are of that language; "" for none.  0, or -1 if unknown. */
int stem_language(const char *name);

/* Of a word in lower case; ours until the next call, or the word itself. */
struct span stem(struct span word);

#endif
