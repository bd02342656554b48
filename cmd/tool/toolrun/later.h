#ifndef LATER_H
#define LATER_H

/*
 * Questions that wait: where there is no user to ask, a call stays open in
 * the session, and the user answers it later by its id.
 */

#include "places.h"
#include "toolcall.h"

enum later { LATER_OPEN, LATER_YES, LATER_NO };

/*
 * May a question wait?  toolrun.ask_later, TURNPIPE_ASK_LATER; none of an
 * agent that another one has started, and none of a part of a batch.
 */
int later_may(const struct toolcall *c);

/* The user's answer: the call's id, of a no also "ID=REASON". */
void later_answer(int yes, const char *arg);

/* Were answers given?  Then nothing else runs. */
int later_answered(void);

/* The answer to a call; of a no its reason, "" for none, points into arg. */
enum later later_find(const char *id, const char **reason);

/*
 * Is each answer that of one open call, asked in this directory?  If not,
 * dies with EX_USAGE and the ids of those that are open.
 */
void later_check(const struct toolcalls *c);

/* Take in a mark "deferred" of the stream. */
void later_take(struct toolcalls *c, const struct rec *r);

/* Does the call lead where it led when it was put off? */
int later_same(const struct toolcall *c, const struct places *p);

/*
 * Show the question with the command line that answers it, on stderr and in
 * $TURNPIPE_RUN/asked, and append the mark to b; rules, those that would allow
 * it from now on, may be NULL.
 */
void later_put(struct buf *b, const struct toolcall *c,
    const struct places *p, const struct buf *question,
    const struct strs *rules);

#endif
