#ifndef ENTER_H
#define ENTER_H

/*
 * A filter in a ring, TURNPIPE_RING: the session record at the head of a
 * conversation says in whose directory and for which session it works.  By
 * hand, without that variable, such a record steers nothing.
 */

#include "record.h"

/*
 * Of a session record in a ring: go to its work tree, set TURNPIPE_SESSION and
 * TURNPIPE_RUN.  A directory that cannot be entered is a fault of the
 * conversation (record_fault); a path that is not absolute dies.
 */
void enter_session(const struct rec *r);

#endif
