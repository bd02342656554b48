#ifndef RECORD_H
#define RECORD_H

/*
 * The record stream: the one loop that all filters share.  Reads JSON Lines
 * strictly, knows each record's type, passes records through untouched and
 * in order, closes conversations.  turnpipe-record(5).
 *
 *	while (record_next(&r))
 *		switch (r.type) {
 *		case REC_TOOL: note(&r); record_pass(&r); break;
 *		case REC_END: answer(); record_pass(&r); forget(); break;
 *		default: record_pass(&r);
 *		}
 *	return record_close();
 *
 * Bad input ends the command with EX_DATAERR (65), "<stdin>:LINE:COL: what
 * was expected"; what was passed or put before it has been written whole.
 */

#include <stddef.h>

#include "buf.h"
#include "json.h"

enum rec_type {
	REC_OTHER, /* has a type, but an unknown one */
	REC_UNTYPED, /* neither type nor role; see record_untyped */
	REC_SESSION,
	REC_MESSAGE,
	REC_MARK,
	REC_SECTION,
	REC_TOOL, /* also OpenAI's "type":"function" */
	REC_SKILL,
	REC_AGENT,
	REC_CONFIG,
	REC_TODO,
	REC_FACT,
	REC_STATE,
	REC_REMINDER,
	REC_SUMMARY,
	REC_PROMPT,
	REC_REQUEST,
	REC_DELTA,
	REC_USAGE,
	REC_NEXT,
	REC_ERROR,
	REC_END
};

struct rec {
	const char *s; /* the record without its newline; good until the
			  next record_next */
	size_t n;      /* bytes; 0 in an end that the end of input implies */
	size_t ntok;   /* what json_tokens needs */
	struct span name; /* its type as written, "message" for a bare role */
	struct span role; /* of a message; p may be NULL */
	enum rec_type type;
	size_t line; /* from 1 */
	uint64_t keys; /* what gate.h says of them; see record_has */
	int hasu; /* one of its values has a \u escape */
	struct rec_seen *seen; /* where its tokens are remembered, or NULL */
	int implied; /* a REC_END made up where input ended without one */
};

/* Take objects without type and role too, instead of dying of them. */
extern int record_untyped;

/*
 * Report a line that is no record and go on with the next, instead of dying of
 * it; record_failed says whether there was one.
 */
extern int record_lenient;

enum { RECORD_MAX = 64 << 20 }; /* bytes a line may have */

/*
 * Does this run filter a stream?  If so, from now on die() also writes an
 * error record to stdout, after the last whole record.  Call it first in
 * main, and with 0 once the options ask for something else than a stream.
 */
void record_filter(int inpipe);

/*
 * A fault of this conversation alone, not of the stream: report it and write an
 * error record.  Until its end record_next drops all but errors; the end comes,
 * is to be passed and not to be answered.  record_fault_sys adds errno's words.
 */
void record_fault(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void record_fault_sys(int code, const char *path);

/* The same where another one reports the fault. */
void record_drop(void);

/* Has this conversation such a fault? */
int record_isfaulty(void);

/* Did the command die, or is it dying, because of its input? */
int record_failed(void);

/*
 * Read from fd under this name for messages, instead of standard input.
 * Closes conversations as standard input does.
 */
void record_from(int fd, const char *name);

/*
 * The next record; 0 at the end of input.  Where input stops and the last
 * record was no end, first a REC_END with implied set (also for input that
 * is empty: a source is asked to say what it has).  Output is flushed
 * before it waits for input.
 */
int record_next(struct rec *r);

/*
 * For those that watch other descriptors too: can record_next answer without
 * waiting?  And: read once from standard input, for when it can be read.
 */
int record_ready(void);
void record_read(void);

/*
 * What record_next asks of a line, for lines that come from elsewhere (a
 * session's file).  0 with *r set but for line, or -1 with the reason and
 * its offset.
 */
int record_check(struct rec *r, const char *s, size_t n, const char **why,
    size_t *at);

/* Pass a record on, byte for byte; an implied end passes nothing. */
void record_pass(const struct rec *r);

/*
 * Append a record that is kept to an empty b, before the next record_next.  A
 * large one is not copied: r->s is no longer good.
 */
void record_keep(const struct rec *r, struct buf *b);

/*
 * Put a record of our own: b holds its JSON text without newline and is
 * emptied.
 */
void record_put(struct buf *b);

/* The record's tokens: a static struct, good until the next record. */
struct json *record_json(const struct rec *r);

/* die with the place of token i of the record just tokenised. */
_Noreturn void record_bad(const struct rec *r, int i, const char *why);

/*
 * Write {"type":"error",...} as a record; id, a JSON value, may be empty.
 */
void record_error(int code, const char *msg, struct span id);

/* Of a REC_ERROR: its code, or EX_SOFTWARE if that is no number 1..127. */
int record_code(const struct rec *r);

/*
 * May the record have this key, at any depth?  0 if it has not: cheaper than
 * record_json where most have none.
 */
int record_has(const struct rec *r, const char *key);

/*
 * The value of a key of the record itself, without its tokens; p is NULL if
 * it has none.
 */
struct span record_member(const struct rec *r, const char *key);

/* Of a REC_OTHER: report its type, once; it may be misspelt. */
void record_unknown(const struct rec *r);

/*
 * Flush and check stdout; returns what main returns: 0, or the highest code of
 * the faults.
 */
int record_close(void);

/* "message" etc.; NULL for REC_OTHER and REC_UNTYPED.  And back. */
const char *record_name(enum rec_type t);
enum rec_type record_type(struct span name);

#endif
