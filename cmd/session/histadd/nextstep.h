#ifndef NEXTSTEP_H
#define NEXTSTEP_H

/*
 * What comes after a step of a turn: by the step's records, and by what the
 * log has of the turn, back to the user's message.  histadd(1), --next.
 */

#include "record.h"
#include "tail.h"

/* Of a step's records; zeroed at its start. */
struct nextstep {
	int said;     /* there is a message of the assistant */
	int called;   /* one calls a tool */
	int answered; /* the last one is an answer with a text, whole */
	int owed;     /* a tool must be called before the turn may end */
	int later;    /* a call waits for the user's word */
	int ended;    /* by a record, not by the end of input */
	int code;     /* the first error's, or 0 */
	int silent;   /* that is toolrun's: the answer is empty */
};

void nextstep_take(struct nextstep *s, const struct rec *r);

/*
 * The same by the end of the log alone, where a step may be missing: *late, the
 * time of the turn was used up; text is that of the last answer, or its error's.
 */
void nextstep_read(struct nextstep *s, int *late, struct buf *text,
    struct tail *t);

/* Of the turn. */
struct turnlog {
	long long tries;     /* marks "retry" since the last whole answer */
	long long overflows; /* errors 6 since then */
	long long rounds;    /* of --until */
	long long folds, tokens;
	double cost;
	int unasked; /* a call was denied, and no user was asked */
};

/* Read it from the end of the log; a bad line dies with EX_DATAERR. */
void turnlog_read(struct turnlog *l, struct tail *t);

struct nextword {
	const char *why;
	int status;
	int late; /* why the turn ends */
};

/* late: the time of the turn is used up. */
struct nextword nextstep_decide(
    const struct nextstep *s, const struct turnlog *l, int late);

/*
 * Append the mark that the next step is to know of, without a newline; nothing
 * where there is none.
 */
void nextstep_mark(struct buf *b, struct nextword w, const struct turnlog *l);

/* Append the next record; text, of the answer or the error, may be NULL. */
void nextstep_put(struct buf *b, struct span session, struct nextword w,
    const struct nextstep *s, const struct turnlog *l, const struct buf *text);

#endif
