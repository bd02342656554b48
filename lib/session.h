#ifndef SESSION_H
#define SESSION_H

/*
 * Session files: their names and their numbering.  turnpipe-session(5).
 *
 * Records are numbered n from 1, messages among them message, user messages
 * among those turn.  What a file's last message says is carried on, so
 * nothing ever counts a whole file but one that was written by hand.
 */

#include "buf.h"
#include "record.h"
#include "tail.h"

/* The numbers that were given last, 0 for none. */
struct session_count {
	long long n, message, turn;
	long long summary; /* the byte where the last one begins, 0: none */
};

/* PROJECT: the work tree's name and a hash of its path; appended to b. */
void session_project(struct buf *b);

/*
 * The path of a new session of the current project.  Sessions of an agent (not
 * NULL) have its name after theirs, so that a sub-agent's session is not taken
 * for the last session of the user.
 */
void session_new(struct buf *b, const char *agent);

/* The session of this project written to last.  0, or -1 for none. */
int session_last(struct buf *b, const char *agent);

/*
 * The session that a pipe is for: TURNPIPE_SESSION, in a dry run its copy,
 * TURNPIPE_DRY; NULL for none.
 */
const char *session_working(void);

/* The directory of what goes with a session's file; appended to b. */
void session_run(struct buf *b, const char *path);

/* The session's id: its file's name without directory and ".jsonl". */
struct span session_id(const char *path);

/* Is this a type of record that a session keeps and numbers? */
int session_keeps(enum rec_type t);

/*
 * Take the line before, checked; 0 at the start.  A line that is no record
 * dies with EX_DATAERR at its place.
 */
int session_prev(struct tail *t, struct rec *r);

/*
 * The last numbers of the records before the torn bytes of t, found in as few
 * lines as possible.  Leaves t rewound.
 */
void session_counted(struct tail *t, struct session_count *c);

#endif
