#ifndef JOURNAL_H
#define JOURNAL_H

/*
 * The answers of a run, kept in a file so that a run that was killed can be
 * taken up again.  JSON lines: a header, then {"id","hash","code","answer":
 * [RECORD...]}.  One process at a time.  llmcall(1), JOURNAL.
 */

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * Open or make the file and lock it, repair a torn last line (reported on
 * stderr), and read its answers; spendcap.h is given what they cost.
 * Dies: EX_TEMPFAIL if another process
 * has it, EX_DATAERR if it is something else, EX_CANTCREAT, EX_IOERR.
 */
void journal_open(const char *path);

int journal_isopen(void);

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

/* Flush, and wait for the disk; flush does it too, about once a second. */
void journal_close(void);

#endif
