#ifndef JOURNAL_H
#define JOURNAL_H

/*
 * The answers of a run, kept in a file so that a run that was killed can be
 * taken up again.  JSON lines: a header, then a line for each run, lines for
 * each batch of a provider's service and
 * {"id","hash","code","time","answer":[RECORD...]}.  One process at a time.  llmcall(1), JOURNAL.
 */

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "buf.h"

/*
 * Open or make the file and lock it, repair a torn last line (reported on
 * stderr), and read its answers; spendcap.h is given what they cost.
 * Dies: EX_TEMPFAIL if another process
 * has it, EX_DATAERR if it is something else, EX_CANTCREAT, EX_IOERR.
 */
void journal_open(const char *path);

int journal_isopen(void);

/* Note that a run begins, with lines of input to come; 0: not known. */
void journal_run(size_t lines);

/*
 * What a request is known by: its id (JSON, or empty) and this text, which
 * is all that its answer depends on.
 */
uint64_t journal_key(struct span id, struct span text);

/*
 * If there is a final answer to this request that was not taken yet: append
 * its records, each with its newline, set its exit status, and return 1.
 * Else 0.
 */
int journal_take(uint64_t key, struct buf *answer, int *code);

/*
 * Note an answer: records with newlines, and what it took (NAN, -1: not
 * known).  Not in the file before flush.
 */
void journal_put(uint64_t key, struct span id, int code, double dollars,
    long long tokens, const struct buf *answer);
void journal_flush(void);

/*
 * The number of final answers in the journal that matched no request of this
 * run.
 */
size_t journal_left(void);

/*
 * A batch that a provider's service has, or may have: its name is ours, its
 * id the service's, NULL until that is known.
 */
struct journal_batch {
	char *name, *provider, *id;
	time_t made;
	uint64_t *keys; /* of its requests */
	size_t n;
	int over;
};

/* Those that are not over; one with its number, NULL behind the last. */
struct journal_batch *journal_batch(size_t i);

/*
 * Note a batch before it is made, that it was made, that it is over.  Each is
 * on the disk at once.
 */
struct journal_batch *journal_batch_begun(const char *name,
    const char *provider, const uint64_t *keys, size_t n);
void journal_batch_made(struct journal_batch *b, const char *id);
void journal_batch_over(struct journal_batch *b);

/*
 * Is a request with this key in a batch that an earlier run left, and was not
 * found before?  The batch, or NULL.
 */
struct journal_batch *journal_waits(uint64_t key);

/* Its requests that were neither found so nor answered in an earlier run. */
size_t journal_batch_left(const struct journal_batch *b);

/* How far a journal is. */
struct journal_status {
	int running;	/* a run has it now */
	time_t began;	/* the last run; -1: not known */
	time_t last;	/* the last answer; -1: not known */
	size_t requests; /* lines of that run's input; 0: not known */
	size_t answered; /* final answers, with those that failed */
	size_t failed;
	size_t again;	/* requests that the next run asks again */
	size_t handed;	/* requests in batches that are not over */
	size_t minute;	/* answers of the last minute, of the last run */
	double tokens, dollars;
};

/*
 * Read a journal, which may be in use.  Dies: EX_NOINPUT, EX_DATAERR if it is
 * something else, EX_IOERR.
 */
const struct journal_status *journal_status(const char *path);

/* Flush, and wait for the disk; flush does it too, about once a second. */
void journal_close(void);

#endif
