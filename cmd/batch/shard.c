/*
 * shard [-l bytes] K/N
 * shard -m [-i file] [-l bytes] file ...
 *
 * - K/N: passes the requests of one of N shards.  Which one a request is of
 *   depends on its id alone, so every machine and every later run agrees.
 * - -m: the answers of all shards become one stream; an id that was answered
 *   twice, or not at all, is a failure.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "fd.h"
#include "hash.h"
#include "opt.h"
#include "out.h"
#include "record.h"

enum { SHARDS_MAX = 1000000, SHOWN = 3 };

static const char usage[] =
    "usage: shard [-l bytes] K/N\n"
    "       shard -m [-i file] [-l bytes] file ...\n"
    "\n"
    "  -i, --input FILE    requests: one answer to each, in their order\n"
    "  -l, --line-limit N  bytes that a line may have (64 MiB)\n"
    "  -m, --merge         answers of shards become one stream\n";

static const struct option opts[] = {
    {"input", required_argument, NULL, 'i'},
    {"line-limit", required_argument, NULL, 'l'},
    {"merge", no_argument, NULL, 'm'},
    {NULL, 0, NULL, 0}};

/* The records that one file has for an id, one after another. */
struct answer {
	size_t id, idn; /* its JSON text in ids */
	uint64_t hash;
	int file;
	size_t line;
	off_t at;
	size_t n;
	int code;  /* of an error record in it */
	int taken;
};

static struct buf ids;
static struct answer *answers;
static size_t nanswers, cap;
static char **names;
static int *fds;

/* The id of a request or an answer, as JSON text; dies if there is none. */
static struct span
record_id(const struct json *j, const char *name, size_t line)
{
	int i = json_get(j, 0, "custom_id");

	/* A batch line's own id is the provider's. */
	if (i < 0)
		i = json_get(j, 0, "id");
	if (json_kind(j, i) != JSON_STRING && json_kind(j, i) != JSON_NUMBER)
		die_at(EX_DATAERR, name, line, 1, "expected an id");
	return json_span(j, i);
}

static void
split_requests(size_t k, size_t n)
{
	struct rec r;
	struct span id;

	record_filter(1);
	record_untyped = 1;
	while (record_next(&r)) {
		if (r.type == REC_END) {
			record_pass(&r);
			continue;
		}
		if (r.type != REC_REQUEST && r.type != REC_UNTYPED)
			die_at(EX_DATAERR, "<stdin>", r.line, 1,
			    "expected a request");
		id = record_id(record_json(&r), "<stdin>", r.line);
		if (hash_bytes(id.p, id.n) % n == k - 1)
			record_pass(&r);
	}
	record_close();
}

/* Give each line of a file to a function, with its place. */
static void
read_lines(int file, const char *name, FILE *f,
    void (*take)(int, const char *, struct rec *, off_t))
{
	struct rec r;
	const char *why;
	char *line = NULL;
	size_t size = 0, at, number = 0;
	off_t where = 0;
	ssize_t n;

	while ((n = getline(&line, &size, f)) > 0) {
		number++;
		if (line[n - 1] != '\n')
			die_at(EX_DATAERR, name, number, (size_t)n + 1,
			    "expected the end of the line");
		if (record_check(&r, line, (size_t)n - 1, &why, &at) < 0)
			die_at(EX_DATAERR, name, number, at + 1, why);
		r.line = number;
		take(file, name, &r, where);
		where += n;
	}
	if (ferror(f))
		die_sys(EX_IOERR, "read %s", name);
	free(line);
}

static struct json *
parse_record(const struct rec *r, const char *name)
{
	static struct json j;

	if (json_parse(&j, r->s, r->n) < 0)
		die_at(EX_DATAERR, name, r->line, j.at + 1, j.why);
	return &j;
}

/* Records of one id that follow each other are one answer. */
static void
note_answer(int file, const char *name, struct rec *r, off_t at)
{
	struct answer *a = nanswers > 0 ? &answers[nanswers - 1] : NULL;
	struct json *j;
	struct span id;

	if (r->type == REC_END)
		return;
	j = parse_record(r, name);
	id = record_id(j, name, r->line);
	if (a == NULL || a->file != file || a->idn != id.n
	    || memcmp(ids.p + a->id, id.p, id.n) != 0) {
		grow(&answers, &cap, nanswers, sizeof(*answers));
		a = &answers[nanswers++];
		memset(a, 0, sizeof(*a));
		a->id = ids.n;
		a->idn = id.n;
		a->hash = hash_bytes(id.p, id.n);
		a->file = file;
		a->line = r->line;
		a->at = at;
		buf_span(&ids, id);
	}
	a->n = (size_t)(at - a->at) + r->n + 1;
	if (r->type == REC_ERROR && a->code == 0)
		a->code = record_code(r);
}

static int
compare_ids(const struct answer *a, const char *id, size_t n)
{
	size_t least = a->idn < n ? a->idn : n;
	int c = memcmp(ids.p + a->id, id, least);

	return c != 0 ? c : (a->idn > n) - (a->idn < n);
}

static int
by_id(const void *va, const void *vb)
{
	const struct answer *a = va, *b = vb;
	int c;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	c = compare_ids(a, ids.p + b->id, b->idn);
	if (c != 0)
		return c;
	return a->file != b->file ? a->file - b->file
	    : (a->at > b->at) - (a->at < b->at);
}

static struct answer *
find_answer(struct span id)
{
	uint64_t h = hash_bytes(id.p, id.n);
	size_t lo = 0, hi = nanswers, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (answers[mid].hash < h || (answers[mid].hash == h
		    && compare_ids(&answers[mid], id.p, id.n) < 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < nanswers && answers[lo].hash == h
	    && compare_ids(&answers[lo], id.p, id.n) == 0 ? &answers[lo] : NULL;
}

static void
put_answer(struct answer *a)
{
	static struct buf b;
	ssize_t n;

	a->taken = 1;
	buf_reset(&b);
	buf_room(&b, a->n);
	n = pread(fds[a->file], b.p, a->n, a->at);
	if (n != (ssize_t)a->n)
		die(EX_IOERR, "%s: changed while it was read", names[a->file]);
	out_add(b.p, a->n);
}

static size_t missing;
static int status;

static void
put_request(int file, const char *name, struct rec *r, off_t at)
{
	struct span id;
	struct answer *a;

	(void)file;
	(void)at;
	if (r->type == REC_END)
		return;
	id = record_id(parse_record(r, name), name, r->line);
	a = find_answer(id);
	if (a == NULL) {
		if (missing++ < SHOWN)
			warn("%s:%zu: no answer to %.*s", name, r->line,
			    (int)id.n, id.p);
		return;
	}
	if (a->taken)
		die_at(EX_DATAERR, name, r->line, 1,
		    "expected an id that no request before has");
	if (status == 0)
		status = a->code;
	put_answer(a);
}

static void
check_duplicates(void)
{
	struct answer *a;
	size_t i, more = 0;

	for (i = 1; i < nanswers; i++) {
		a = &answers[i];
		if (a->hash != a[-1].hash
		    || compare_ids(a, ids.p + a[-1].id, a[-1].idn) != 0)
			continue;
		if (more++ < SHOWN)
			warn("%s:%zu: a second answer to %.*s; the first is "
			    "%s:%zu", names[a->file], a->line, (int)a->idn,
			    ids.p + a->id, names[a[-1].file], a[-1].line);
	}
	if (more > 0)
		die(EX_DATAERR, "%zu answers too many", more);
}

static int
by_place(const void *va, const void *vb)
{
	const struct answer *a = va, *b = vb;

	return a->file != b->file ? a->file - b->file
	    : (a->at > b->at) - (a->at < b->at);
}

static FILE *
open_file(const char *name)
{
	FILE *f;
	int fd = fd_open(name, O_RDONLY, 0);

	if (fd < 0 || (f = fdopen(fd, "r")) == NULL)
		die_sys(EX_NOINPUT, "%s", name);
	return f;
}

static void
merge_answers(int n, char **files, const char *input)
{
	size_t i, left = 0;
	FILE *f;
	int k;

	names = files;
	record_untyped = 1;
	fds = xreallocarray(NULL, (size_t)n, sizeof(*fds));
	for (k = 0; k < n; k++) {
		f = open_file(files[k]);
		fds[k] = fileno(f);
		read_lines(k, files[k], f, note_answer);
	}
	if (nanswers > 1)
		qsort(answers, nanswers, sizeof(*answers), by_id);
	check_duplicates();
	if (input != NULL) {
		f = open_file(input);
		read_lines(-1, input, f, put_request);
		fclose(f);
		for (i = 0; i < nanswers; i++)
			left += (size_t)!answers[i].taken;
		if (left > 0)
			warn("%zu answers are to other requests", left);
	} else {
		if (nanswers > 1)
			qsort(answers, nanswers, sizeof(*answers), by_place);
		for (i = 0; i < nanswers; i++) {
			if (status == 0)
				status = answers[i].code;
			put_answer(&answers[i]);
		}
	}
	out_end();
	if (missing > 0)
		die(EX_UNAVAILABLE, "%zu requests have no answer", missing);
}

int
main(int argc, char **argv)
{
	const char *input = NULL;
	char *end;
	unsigned long k, n;
	int c, merge = 0;

	prog = "shard";
	while ((c = opt_next(argc, argv, "i:l:m", opts, usage)) != -1)
		switch (c) {
		case 'i': input = optarg; break;
		case 'l':
			record_limit = (size_t)opt_int("-l", optarg, 1,
			    1LL << 40);
			break;
		case 'm': merge = 1; break;
		}
	if (merge) {
		if (optind == argc)
			opt_die(usage, "-m: expected files of answers");
		merge_answers(argc - optind, argv + optind, input);
		return status;
	}
	if (optind + 1 != argc || input != NULL)
		opt_die(usage, "expected K/N");
	k = strtoul(argv[optind], &end, 10);
	n = *end == '/' && end[1] >= '1' && end[1] <= '9'
	    ? strtoul(end + 1, &end, 10) : 0;
	if (*argv[optind] < '1' || *argv[optind] > '9' || *end != '\0'
	    || n > SHARDS_MAX || k > n)
		opt_die(usage, "expected K/N with K from 1 to N, not '%s'",
		    argv[optind]);
	split_requests(k, n);
	return 0;
}
