#include <errno.h>
#include <glob.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "book.h"
#include "clock.h"
#include "diag.h"
#include "failure.h"
#include "out.h"
#include "progress.h"
#include "status.h"

enum { EVERY = 1000, TIMES = 5 }; /* milliseconds */

/* An answer to a request; those to the same are together once sorted. */
struct seen {
	uint64_t key;
	int final, failed;
};

static struct seen *seen;
static size_t nseen, seencap;

/* Of the book that is read. */
static const char *name;
static struct {
	time_t began;	 /* its last run; -1: not known */
	size_t requests; /* lines of that run's input; 0: not known */
	size_t minute;	 /* answers of the last minute, of that run */
	size_t flight;	 /* requests under way at its last answer */
} now;

/* Of all books. */
static struct {
	size_t running;
	size_t requests;
	int unknown;	/* how many these are */
	size_t flight;	/* requests under way */
	size_t answered; /* final answers, with those that failed */
	size_t failed;
	size_t again;	/* requests that the next run asks again */
	size_t handed;	/* requests in batches that are not over */
	double rate;	/* answers a second */
	size_t unpriced; /* answers that no price is known of */
	double tokens, dollars;
} all;

static void
count_answer(const struct json *j, uint64_t key, int code)
{
	struct seen *v;
	double dollars;
	long long n;

	grow(&seen, &seencap, nseen, sizeof(*seen));
	v = &seen[nseen++];
	v->key = key;
	v->final = failure_isfinal(code)
	    || json_true(j, json_get(j, 0, "gave_up"));
	v->failed = code != 0;
	dollars = NAN;
	if (json_num(j, json_get(j, 0, "cost"), &dollars) == 0 && dollars > 0)
		all.dollars += dollars;
	if (json_int(j, json_get(j, 0, "tokens"), &n) == 0 && n > 0) {
		all.tokens += (double)n;
		all.unpriced += (size_t)isnan(dollars);
	}
	if (json_int(j, json_get(j, 0, "flight"), &n) == 0 && n >= 0)
		now.flight = (size_t)n;
	else
		now.flight = 0;
	now.minute += (size_t)(book_time(j) >= clock_now() - 60);
}

static void
count_line(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	enum book_line kind;
	uint64_t key;
	long long v;

	(void)at;
	kind = book_line(&j, s, n, &key, &v);
	if (line == 1 && kind != BOOK_HEADER)
		die_at(EX_DATAERR, name, 1, 1, "expected a book of answers");
	if (kind == BOOK_ANSWER)
		count_answer(&j, key, (int)v);
	if (kind != BOOK_RUN)
		return;
	now.began = book_time(&j);
	now.requests = json_int(&j, json_get(&j, 0, "lines"), &v) == 0 && v > 0
	    ? (size_t)v : 0;
	now.minute = now.flight = 0;
}

static int
by_request(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Requests of one book, each with all that was answered to it. */
static size_t
count_seen(void)
{
	size_t i, end, n = all.answered;
	int final;

	if (nseen > 1)
		qsort(seen, nseen, sizeof(*seen), by_request);
	for (i = 0; i < nseen; i = end) {
		final = 0;
		for (end = i; end < nseen && seen[end].key == seen[i].key; end++) {
			final |= seen[end].final;
			all.answered += (size_t)seen[end].final;
			all.failed += (size_t)(seen[end].final && seen[end].failed);
		}
		all.again += (size_t)!final;
	}
	nseen = 0;
	return all.answered - n;
}

static void
count_book(const char *path)
{
	double span = 60;
	size_t answered;
	int running;

	name = path;
	memset(&now, 0, sizeof(now));
	now.began = -1;
	running = book_look(path, count_line);
	answered = count_seen();
	if (now.began >= 0 && clock_now() - now.began < 60
	    && clock_now() > now.began)
		span = (double)(clock_now() - now.began);
	if (running) {
		all.running++;
		all.rate += (double)now.minute / span;
		all.flight += now.flight;
	}
	/* The answers of a book may be of more inputs than the last run's. */
	if (now.requests == 0 || now.requests < answered)
		all.unknown = 1;
	all.requests += now.requests;
}

static void
describe(struct buf *b, size_t books)
{
	size_t requests = all.unknown ? 0 : all.requests;

	if (books > 1)
		buf_printf(b, "%zu of %zu running", all.running, books);
	else
		buf_puts(b, all.running ? "running" : "not running");
	buf_printf(b, ", %zu", all.answered);
	if (requests > 0)
		buf_printf(b, "/%zu", requests);
	buf_puts(b, " answered");
	if (all.failed > 0)
		buf_printf(b, ", %zu failed", all.failed);
	if (all.again > 0)
		buf_printf(b, ", %zu to be asked again", all.again);
	if (all.handed > 0)
		buf_printf(b, ", %zu in batches", all.handed);
	if (all.flight > 0)
		buf_printf(b, ", %zu in flight", all.flight);
	buf_puts(b, ", ");
	progress_number(b, all.tokens);
	buf_puts(b, " tokens");
	if (all.dollars > 0)
		buf_printf(b, ", $%.2f%s", all.dollars,
		    all.unpriced > 0 ? "+" : "");
	if (all.dollars > 0 && requests > all.answered && all.answered > 0)
		buf_printf(b, " of about $%.2f", all.dollars
		    * (double)requests / (double)all.answered);
	if (all.unpriced > 0)
		buf_printf(b, ", cost of %zu not known (no price: "
		    "turnpipe-prices(5))", all.unpriced);
	if (all.rate > 0)
		buf_printf(b, ", %.*f/s", all.rate < 10 ? 1 : 0, all.rate);
	if (all.rate > 0 && requests > all.answered) {
		buf_puts(b, ", ");
		progress_time(b, (double)(requests - all.answered)
		    / all.rate);
		buf_puts(b, " left");
	}
}

static void
look(char **books)
{
	static struct buf b;
	size_t i, n = 0;
	glob_t g;

	memset(&all, 0, sizeof(all));
	for (; *books != NULL; books++) {
		if (glob(*books, GLOB_NOCHECK, NULL, &g) != 0)
			die_sys(EX_NOINPUT, "%s", *books);
		for (i = 0; i < g.gl_pathc; i++, n++)
			count_book(g.gl_pathv[i]);
		globfree(&g);
	}
	for (i = 0; book_batch(i) != NULL; i++)
		all.handed += book_batch(i)->n;
	describe(&b, n);
	if (progress_can(STDOUT_FILENO))
		progress_put(STDOUT_FILENO, &b);
	else
		out_add(b.p, b.n);
}

void
status_print(char **books)
{
	long long began;

	do {
		began = clock_ms();
		look(books);
		/* Large books take their time to read. */
		if (all.running > 0 && progress_can(STDOUT_FILENO))
			(void)poll(NULL, 0,
			    EVERY + TIMES * (int)(clock_ms() - began));
	} while (all.running > 0 && progress_can(STDOUT_FILENO));
	out_add("\n", 1);
}
