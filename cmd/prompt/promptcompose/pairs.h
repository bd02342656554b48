#ifndef PAIRS_H
#define PAIRS_H

/*
 * Calls and results as providers want them: every call is followed at once by
 * its one result, in the order of the calls, and there is no other result.
 * What comes may differ: a run was killed, a stage of the pipe left something
 * out, two have written.
 */

#include "buf.h"

/*
 * Put the messages in b, each with a comma after it, in order, if they are
 * not.  A result belongs to the last call of its id before it; one that is
 * left over goes to a call that got none.  A call without result gets one
 * from prompts/missing-result.md; strays and duplicates go.  Returns how many
 * messages there are.
 */
size_t pairs_repair(struct buf *b);

#endif
