#ifndef SKILLMSG_H
#define SKILLMSG_H

/*
 * Loaded skills as messages: a view in which the result of the tool that
 * loads a skill says only that it is loaded, by prompts/skill-loaded.md, and
 * the skill's text follows the results as a message of the user, by
 * prompts/skill-message.md; holes are name and content.  Such a message ages
 * out with the window.
 */

#include "chat.h"
#include "statefacts.h"

/* The texts.  0; -1 if one of them is missing or switched off. */
int skillmsg_load(void);

/* The result that item i becomes; as it is if it loads no skill. */
const struct chat_item *skillmsg_item(
    struct chat *c, const struct statefacts_names *names, size_t i);

/* Append the lines of the messages of all results since the last time. */
void skillmsg_messages(struct buf *b);

#endif
