#ifndef BOOK_H
#define BOOK_H

/*
 * A book of answers, so that a run that was killed can be taken up again.
 * JSON lines: a header, then a line for each run, lines for each batch of a
 * provider's service, what a request that is sent may take, and
 * {"id","hash","code","time","answer":[RECORD...]}.  journal(1), BOOK.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "buf.h"
#include "json.h"

/*
 * Open or make the file and lock it, repair a torn last line (reported on
 * stderr), and read its answers.  read_only: as it is, and unlocked; nothing
 * can be noted.  Dies: EX_TEMPFAIL if another process
 * has it, EX_DATAERR if it is something else, EX_NOINPUT, EX_CANTCREAT, EX_IOERR.
 */
void book_open(const char *path, int read_only);

/*
 * The same for who was started by the process that has it, for its batches.
 * Waits for others that do so.
 */
void book_join(const char *path);

/*
 * Give the lines of a book, which may be in use, to a function, with offset
 * and number; a torn last line is left out.  Is it in use?  Dies: EX_NOINPUT,
 * EX_IOERR.
 */
typedef void book_taker(const char *s, size_t n, off_t at, size_t line);
int book_look(const char *path, book_taker *take);

/* What a taker finds in a line: one of these, with its tokens in j. */
enum book_line {
	BOOK_OTHER,
	BOOK_HEADER,
	BOOK_RUN,
	BOOK_BATCH, /* noted: book_batch */
	BOOK_ANSWER /* with key and code set */
};
enum book_line book_line(struct json *j, const char *s, size_t n,
    uint64_t *key, long long *code);
time_t book_time(const struct json *j); /* or -1 */

/*
 * Note that a run of a command begins, with lines of input to come; 0: not
 * known.  What was under way before is lost.  With warns a command other than
 * that of the run before is reported on stderr, since answers are kept.
 */
void book_run(size_t lines, const struct strs *command, int warns);

/*
 * What a request is known by: its id (JSON, or empty) and this text, which
 * is all that its answer depends on.
 */
uint64_t book_key(struct span id, struct span text);

struct book_sum {
	double dollars;
	long long tokens;
};

/*
 * Spent in all, whichever run did.  Of a request that was sent and has no
 * answer where its run ended, it is what it might take.
 */
const struct book_sum *book_spent(void);

/* Where an answer is, and its exit status. */
struct book_place {
	off_t at;
	size_t n;
	int code;
	int gave_up;
};

/*
 * If there is a final answer to this request that was not taken yet: set its
 * place, and return 1.  Else 0.
 */
int book_take(uint64_t key, struct book_place *place);

/*
 * The rounds in which it failed, as book_put had them; *status: what a server
 * said at the last of them, -1 if none did.
 */
int book_rounds(uint64_t key, long long *status);

/* Append the records of an answer, each with its newline. */
void book_read(const struct book_place *place, struct buf *answer);

struct book_result {
	struct book_sum took; /* NAN, -1: not known */
	int code, rounds;
	int gave_up; /* it is the answer, whatever the code */
	size_t flight; /* requests that are under way then */
};

/* Note an answer, records with newlines: it is in the file, at *place. */
void book_put(uint64_t key, struct span id, const struct book_result *r,
    const struct buf *answer, struct book_place *place);

/* It is sent, and may take this. */
void book_sent(uint64_t key, const struct book_sum *most);

/* Has it n final answers more than when it was joined?  Reads it again. */
int book_has(size_t n);

/* Final answers in the book that matched no request of this run. */
size_t book_left(void);

/*
 * A batch that a provider's service has, or may have: its name is ours, its
 * id the service's, NULL until that is known.
 */
struct book_batch {
	char *name, *provider, *id;
	time_t made;
	uint64_t *keys; /* of its requests */
	size_t n;
	int over;
};

/* Those that are not over; one with its number, NULL behind the last. */
struct book_batch *book_batch(size_t i);

/*
 * Note a batch before it is made, that it was made, that it is over.  Each is
 * on the disk at once.
 */
struct book_batch *book_batch_begun(const char *name,
    const char *provider, const uint64_t *keys, size_t n);
void book_batch_made(struct book_batch *b, const char *id);
void book_batch_over(struct book_batch *b);

/*
 * Is a request with this key in a batch that an earlier run left, and was not
 * found before?  The batch, or NULL.
 */
struct book_batch *book_waits(uint64_t key);

/* Its requests that were neither found so nor answered in an earlier run. */
size_t book_batch_left(const struct book_batch *b);

/* Wait for the disk; book_put does it too, about once a second. */
void book_close(void);

#endif
