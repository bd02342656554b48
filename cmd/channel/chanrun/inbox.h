#ifndef INBOX_H
#define INBOX_H

/*
 * The journal of messages and answers, DIR/journal: lines of JSON, appended
 * only, in the order
 *	{"n","token","key","chat","message"}	taken, on disk before work starts
 *	{"n","due","since","tries"}		to be tried again: times in seconds
 *	{"n","answer",...}			answered, on disk before it is printed
 *	{"n","sent":true}			printed
 * A message that has its answer is never worked on again.  An answer whose
 * third line is missing is printed again, unless it can be seen in the file
 * that is standard output.  All failures die.
 */

#include <sys/types.h>
#include <time.h>

#include "buf.h"
#include "inbound.h"

enum { INBOX_NAME = 32 }; /* hex digits of a chat's name and of a key */

/* A message that is not done; owned by the inbox. */
struct inbox_message {
	long long n; /* from 1, never given twice in a directory */
	off_t at, answer_at; /* its lines of the journal */
	size_t len, answer_len; /* answer_len 0: it has no answer */
	char chat[INBOX_NAME + 1];
	int isagain; /* its work may have begun */
	int tries; /* that failed in a way that passes */
	time_t since; /* the first of them */
	long long due; /* of clock_ms: not tried before; 0 without tries */
	struct inbox_message *mate; /* the caller's: next of the same chat */
	struct inbox_message *before, *after; /* by n */
};

/*
 * Read the journal of the directory, or start one; without resume what has no
 * answer is put aside, in a file of its own.  remember: how many keys of
 * messages that are done are kept, to know a repetition.
 */
void inbox_open(const char *dir, int resume, size_t remember);

/* The oldest message that is not done, and how many there are. */
struct inbox_message *inbox_first(void);
size_t inbox_count(void);

/*
 * Take a message: id is what it says or NULL.  NULL if one of its channel,
 * chat and id was taken before.
 */
struct inbox_message *inbox_take(const struct inbound *m, struct buf *id);

/* Its line, parsed: token and message.  Good until the next call. */
const struct json *inbox_line(const struct inbox_message *x);

/* It failed in a way that passes: note tries, since and due. */
void inbox_later(struct inbox_message *x);

/*
 * The answer, a line of JSON.  Several are put out together: inbox_answer of
 * each, inbox_sync, all printed in that order, inbox_sent of each.
 */
void inbox_answer(struct inbox_message *x, struct span line);

/*
 * Its answer, to be printed; empty if standard output has it already.  Where
 * that has a part of it, *istorn is set: a newline goes first.
 */
struct span inbox_unsent(const struct inbox_message *x, int *istorn);

/* The answer was printed: x is done and freed. */
void inbox_sent(struct inbox_message *x);

/* Wait until the disk has it all. */
void inbox_sync(void);

#endif
