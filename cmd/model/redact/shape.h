#ifndef SHAPE_H
#define SHAPE_H

/*
 * What a secret looks like in a text: share/redact.yaml.  Time is linear in
 * the text, by patterns that are as that file asks for.  Where one takes more
 * steps than it may, the rest of the line counts as a secret, with a warning.
 */

#include <stddef.h>

#include "buf.h"

/* Shorter ones are no secrets: too many words would be one. */
enum { SHAPE_LEAST = 6 };

/*
 * Read the rules; those that are marked "asked" only if their names are in
 * the list.  A fault in the file, or a name that no rule has, dies with
 * EX_CONFIG.
 */
void shape_open(const struct strs *asked);

/* Tell found() of each secret in s, from its start on, with its rule's name. */
void shape_find(
    struct span s, void (*found)(const char *name, struct span secret));

/* Is the value of a member, or variable, of this name a secret? */
int shape_named(struct span name, struct span value);

/* Tell of the secrets known without a text: words, environment, key files. */
void shape_own(void (*found)(const char *name, struct span secret));

/* Is this a member whose text is left as it is? */
int shape_opaque(struct span key);

#endif
