#ifndef REPLAY_H
#define REPLAY_H

/*
 * Recorded answers: JSON lines {"request":CANONICAL,"answer":[RECORD...]}.
 * The canonical request is an object of messages, model and tools with
 * sorted keys, without what is volatile and without what is ours; strings
 * have the maps applied (/home/me/tree becomes @ROOT@).  llmcall(1).
 */

#include "callstate.h"

/* FROM=TO; dies with EX_USAGE if it is no such thing. */
void replay_map(const char *arg);

/* Play from this file; dies if it can not be understood. */
void replay_open(const char *path);

/* Append to this file what is answered from now on; dies if it can not. */
void replay_to(const char *path);

/*
 * If a recording is being played: put its answer into c, or an error with
 * the first difference (EX_DATAERR), and return 1.  Else 0.
 */
int replay_play(struct call *c);

/* If a recording is being made: append this call's request and answer. */
void replay_record(struct call *c);

/* Did the recording break off?  It was reported, and EX_IOERR is due. */
int replay_lost(void);

#endif
