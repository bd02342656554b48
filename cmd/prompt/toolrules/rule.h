#ifndef RULE_H
#define RULE_H

/*
 * Rules: what is said to the model when certain tools are on offer, or the
 * user speaks of something.  They
 * are the files rules/NAME.yaml of the search path, in the order of their
 * names; rules/groups.yaml names groups of tools.  turnpipe-rules(5).
 */

#include "buf.h"
#include "keyword.h"

/*
 * Read them all, in place of those read before.  What is wrong with one
 * dies (EX_CONFIG).
 */
void rule_load(void);

/* Does one of them ask for the user's words? */
int rule_bysaid(void);

/* The facts that the conditions test. */
struct rule_facts {
	const struct strs *names; /* of the tools on offer */
	const char *profile;
	const struct keyword_text *said; /* what the user said last */
	int first;			 /* a session's first turn */
};

/*
 * Append as "- " lines what the rules say that ask for the user's words
 * (bysaid), or what those say that do not.
 */
void rule_say(struct buf *b, const struct rule_facts *f, int bysaid);

#endif
