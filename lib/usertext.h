#ifndef USERTEXT_H
#define USERTEXT_H

/*
 * What the user said last in a conversation: for those who look only at
 * that.  A message is kept as it stands and decoded when asked for, so a
 * long history costs one copy per user message.
 */

#include "buf.h"
#include "record.h"

/*
 * Look at a record; those that are no user message are left alone, and so
 * is a skill's text that stands as one (tp.skill).
 */
void usertext_take(const struct rec *r);

/*
 * Its text, decoded, its parts on lines of their own; empty if there was
 * none.  Owned by us, until the next.
 */
const struct buf *usertext_text(void);

/* Forget the conversation. */
void usertext_reset(void);

#endif
