#ifndef JOBS_H
#define JOBS_H

/*
 * All calls of a message, run in their order.  Calls of read-only tools
 * side by side run at once; any other call waits for all before it, and all
 * after it wait for it.
 */

#include <stddef.h>

#include "job.h"
#include "tool.h"
#include "toolcall.h"

/*
 * Run those calls that have no result yet, and write a tool message for
 * each, in their order, as soon as it and all before it are there.  Returns
 * their number.  On SIGINT, SIGTERM or SIGHUP it stops what runs, writes
 * what there is, "interrupted" for each open call, and dies of the signal.
 * all: run all that no rule denies.  *open: does a call wait for the user's
 * word?
 */
size_t jobs_run(struct toolcalls *calls, const struct tools *tools,
    int all, int *open);

#endif
