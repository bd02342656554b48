#ifndef GRANT_H
#define GRANT_H

/*
 * What a skill's allowed-tools ask for: calls that run unasked once it is
 * loaded, as rules of toolrun(1).  Only the user's word about that very file
 * grants them.
 */

#include "skillset.h"

/*
 * Has the user said yes to what the skill asks for?  Also if it asks for
 * nothing.
 */
int grant_isgiven(const struct skillset_item *it);

/* Ask at the terminal, with the file; 1 for yes. */
int grant_ask(const struct skillset_item *it);

/*
 * The skill is loaded now: what was granted holds for the rest of the session
 * of TURNPIPE_RUN.
 */
void grant_use(const struct skillset_item *it);

/* Its rules in one line, for a person. */
const char *grant_text(const struct skillset_item *it);

#endif
