#ifndef USERTEXT_H
#define USERTEXT_H

/*
 * The last text of the user in a conversation, for filters that read only
 * that.  A message is kept as it came and decoded when asked for, so a
 * long history costs one copy per user message.
 */

#include "buf.h"
#include "record.h"

/*
 * Look at a record; ignores all but user messages, and a skill's text in the
 * form of one (tp.skill).
 */
void usertext_take(const struct rec *r);

/*
 * Its text, decoded, its parts on lines of their own; empty if there was
 * none.  Owned by us, until the next.
 */
const struct buf *usertext_text(void);

/*
 * The same, but only what a person typed or said in a channel: nothing that
 * came by standard input, from a file or of a command.
 */
const struct buf *usertext_own(void);

/* Forget the conversation. */
void usertext_reset(void);

#endif
