#ifndef REPAIR_H
#define REPAIR_H

/*
 * The view that providers accept: every tool call is followed at once by
 * its one result, in the order of the calls, and there are no other results.
 * The log may differ (killed, aborted, two writers).  A view of a view is the
 * same, and a message in order is in it untouched.
 */

#include "chat.h"

/*
 * Make c's view.  A result belongs to the call of its id that is the last
 * before it; what is left over then goes to calls that got none, those
 * before it first.  Calls without result get one made from missing, a text
 * with holes {{name}}; empty messages, strays and duplicates are left out.
 */
void repair_chat(struct chat *c, const char *missing, size_t n);

#endif
