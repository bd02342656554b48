#ifndef COVER_H
#define COVER_H

/*
 * The secrets of a run and what stands for each: a file that only its owner
 * can read, of JSON lines {"placeholder","value"}, which every process of the
 * run shares.  A placeholder is REDACTED_ID_NAME; ID is random, and says
 * nothing of the secret.
 */

#include <stddef.h>

#include "buf.h"

/*
 * Use this file, which may be missing.  Dies if others can read the file, or
 * redact did not write it.
 */
void cover_open(const char *path);

/* Note a secret, of the kind that name says; those noted before stay. */
void cover_note(const char *name, struct span secret);

/*
 * Give each secret that was noted a placeholder, in the file before this
 * returns.  Dies if the file cannot be written.
 */
void cover_fix(void);

/*
 * Append s with each secret of the file replaced, the longest where several
 * begin.  How many were.  cover_fix comes before.
 */
size_t cover_put(struct buf *b, struct span s);

/*
 * Where in s, from offset at on, is the first secret?  Its length with *at
 * set, or 0.
 */
size_t cover_next(struct span s, size_t *at, struct span *placeholder);

/* Note the placeholders of the file that stand in s: they are the user's. */
void cover_typed(struct span s);

/*
 * Append s with each placeholder of the file replaced by its secret; one that
 * is not in it stays.  How many were.  With rest, s is a part of a text: what
 * may be the beginning of a placeholder at its end is left out, *rest its
 * length.
 */
size_t cover_undo(struct buf *b, struct span s, size_t *rest);

#endif
