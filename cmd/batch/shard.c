/*
 * shard K/N file [--] command [arg ...]
 * shard -m [-p] -i file file ...
 *
 * - K/N: becomes a command that reads the requests of one of N shards, from a
 *   file: there is no pipe whose writer could die and leave a short shard.
 *   Which one a request is of depends on its id alone, so every machine and
 *   every later run agrees.
 * - -m: the answers of all shards become one stream; an id that was answered
 *   twice, or not at all, is a failure.
 */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "diag.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "requestfile.h"

enum { SHARDS_MAX = 1000000, SHOWN = 3, BUCKETS = 64, BLOCK = 8192 };

static const char usage[] =
    "usage: shard K/N file [--] command [arg ...]\n"
    "       shard -m [-p] -i file file ...\n"
    "\n"
    "  -i, --input FILE    the requests: one answer to each, in their order\n"
    "  -m, --merge         answers of shards become one stream\n"
    "  -p, --partial       merge what is there\n";

static const struct option opts[] = {
    {"input", required_argument, NULL, 'i'},
    {"merge", no_argument, NULL, 'm'},
    {"partial", no_argument, NULL, 'p'},
    {NULL, 0, NULL, 0}};

static const char *input; /* of requests */
static unsigned long shard, shards;

/* The id of a request or an answer, as JSON text; dies if there is none. */
static struct span
record_id(const struct rec *r, const char *name)
{
	struct span id = requestfile_id(r);

	if (id.n == 0 || strchr("\"-0123456789", *id.p) == NULL)
		die_at(EX_DATAERR, name, r->line, 1, "expected an id");
	return id;
}

/* Is it of our shard, or of all? */
static int
is_ours(const struct rec *r)
{
	struct span id;

	if (r->type == REC_END)
		return !r->implied;
	if (r->type != REC_REQUEST && r->type != REC_UNTYPED)
		die_at(EX_DATAERR, input, r->line, 1, "expected a request");
	id = record_id(r, input);
	return hash_bytes(id.p, id.n) % shards == shard - 1;
}

static FILE *part;

static void
put_part(const struct rec *r)
{
	if (is_ours(r)) {
		fwrite(r->s, 1, r->n, part);
		putc('\n', part);
	}
}

static int
open_file(const char *name)
{
	int fd = fd_open(name, O_RDONLY, 0);

	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", name);
	return fd;
}

/* Become the command, whose standard input is a file of our requests. */
static _Noreturn void
run(char **argv)
{
	int fd = file_unnamed();

	if (fd < 0 || (part = fdopen(fd, "w")) == NULL)
		die_sys(EX_CANTCREAT, "temporary file");
	if (requestfile_check(open_file(input), input, put_part) < 0)
		die(EX_NOINPUT, "%s: not a regular file", input);
	if (fflush(part) == EOF || ferror(part) || lseek(fd, 0, SEEK_SET) < 0
	    || dup2(fd, STDIN_FILENO) < 0)
		die_sys(EX_IOERR, "write a temporary file");
	fd_close(fd);
	child_become(argv);
}

/*
 * Merging.  Of ten million answers no more is in memory than this: records of
 * one id that follow each other in a file are one.
 */
struct answer {
	uint64_t hash;	/* of its id */
	uint64_t place; /* 20 bits: the file, 43: where, 1: was it taken? */
};

/* By the first bits of the hash: sorting takes as much memory as it sorts. */
static struct bucket {
	struct answer *v;
	size_t n, cap;
} buckets[BUCKETS];

static char **names;
static int *fds, nfiles;
static int partial, failed;
static int ordered = 1; /* file K is that of shard K */
static size_t nanswers, ntaken;

static int
file_of(const struct answer *a)
{
	return (int)(a->place >> 44);
}

static off_t
at_of(const struct answer *a)
{
	return (off_t)(a->place >> 1 & 0x7ffffffffff);
}

static struct bucket *
bucket_of(uint64_t hash)
{
	return &buckets[hash % BUCKETS];
}

static void
note_answer(int file, const struct rec *r, off_t at)
{
	static struct buf last;
	static int of = -1;
	struct span id;
	struct bucket *b;
	uint64_t hash;

	if (r->type == REC_END)
		return;
	failed |= r->type == REC_ERROR;
	id = record_id(r, names[file]);
	if (of == file && span_same(buf_view(&last), id))
		return;
	of = file;
	buf_reset(&last);
	buf_span(&last, id);
	hash = hash_bytes(id.p, id.n);
	ordered &= hash % (uint64_t)nfiles == (uint64_t)file;
	b = bucket_of(hash);
	grow(&b->v, &b->cap, b->n, sizeof(*b->v));
	b->v[b->n++] = (struct answer){hash,
	    (uint64_t)file << 44 | (uint64_t)at << 1};
	nanswers++;
}

static void
read_answers(int file)
{
	FILE *f = fdopen(dup(fds[file]), "r");
	const char *why;
	char *line = NULL;
	size_t size = 0, at, number = 0;
	off_t where = 0;
	struct rec r;
	ssize_t n;

	if (f == NULL)
		die_sys(EX_IOERR, "read %s", names[file]);
	while ((n = getline(&line, &size, f)) > 0) {
		number++;
		if (line[n - 1] != '\n' && partial)
			break;
		if (line[n - 1] != '\n')
			die_at(EX_DATAERR, names[file], number, (size_t)n + 1,
			    "expected the end of the line");
		if (record_check(&r, line, (size_t)n - 1, &why, &at) < 0)
			die_at(EX_DATAERR, names[file], number, at + 1, why);
		r.line = number;
		note_answer(file, &r, where);
		where += n;
	}
	if (ferror(f))
		die_sys(EX_IOERR, "read %s", names[file]);
	fclose(f);
	free(line);
}

static int
compare(const void *va, const void *vb)
{
	const struct answer *a = va, *b = vb;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/*
 * The answer's first line, and what of the file came with it, in b; with id,
 * all of its lines, to output.  Its id.
 */
static struct span
read_answer(const struct answer *a, struct buf *b, const struct span *id)
{
	const char *name = names[file_of(a)], *why;
	struct span own = {NULL, 0};
	size_t at, end = 0;
	struct rec r;
	char *nl;
	ssize_t n;

	buf_reset(b);
	for (;;) {
		nl = b->n > end ? memchr(b->p + end, '\n', b->n - end) : NULL;
		if (nl == NULL) {
			buf_room(b, BLOCK + b->n);
			n = pread(fds[file_of(a)], b->p + b->n, BLOCK + b->n,
			    at_of(a) + (off_t)b->n);
			if (n < 0 || (n == 0 && own.n == 0))
				die(EX_IOERR, "%s: changed while it was read",
				    name);
			if (n == 0)
				return own;
			b->n += (size_t)n;
			continue;
		}
		if (record_check(&r, b->p + end, (size_t)(nl - b->p) - end,
			&why, &at) < 0)
			die(EX_IOERR, "%s: changed while it was read", name);
		end = (size_t)(nl - b->p) + 1;
		if (r.type == REC_END)
			continue;
		own = requestfile_id(&r);
		if (id == NULL || !span_same(own, *id))
			return own;
		out_add(r.s, r.n + 1);
	}
}

static struct answer *
find_answer(struct span id)
{
	uint64_t h = hash_bytes(id.p, id.n);
	struct bucket *k = bucket_of(h);
	size_t lo = 0, hi = k->n, mid;
	static struct buf b;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->v[mid].hash < h)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < k->n && k->v[lo].hash == h; lo++)
		if (span_same(read_answer(&k->v[lo], &b, NULL), id))
			return &k->v[lo];
	return NULL;
}

static void
check_duplicates(void)
{
	static struct buf one, two;
	struct answer *a;
	struct bucket *k;
	struct span id;
	size_t more = 0;

	for (k = buckets; k < buckets + BUCKETS; k++) {
		if (k->n > 1)
			qsort(k->v, k->n, sizeof(*k->v), compare);
		for (a = k->v + 1; k->n > 0 && a < k->v + k->n; a++) {
			if (a->hash != a[-1].hash)
				continue;
			id = read_answer(a, &one, NULL);
			if (!span_same(id, read_answer(a - 1, &two, NULL)))
				continue;
			if (more++ < SHOWN)
				warn("%s: a second answer to %.*s; the first "
				    "is in %s", names[file_of(a)], (int)id.n,
				    id.p, names[file_of(a - 1)]);
		}
	}
	if (more > 0)
		die(EX_DATAERR, "%zu answers too many", more);
}

static size_t missing;
static unsigned char *redo; /* is an answer missing in shard K? */

static void
put_request(const struct rec *r)
{
	static struct buf b;
	struct span id;
	struct answer *a;

	if (r->type == REC_END)
		return;
	id = record_id(r, input);
	a = find_answer(id);
	if (a == NULL) {
		if (missing++ < SHOWN)
			warn("%s:%zu: no answer to %.*s", input, r->line,
			    (int)id.n, id.p);
		redo[hash_bytes(id.p, id.n) % (uint64_t)nfiles] = 1;
		return;
	}
	if (a->place & 1)
		die_at(EX_DATAERR, input, r->line, 1,
		    "expected an id that no request before has");
	a->place |= 1;
	ntaken++;
	read_answer(a, &b, &id);
}

/* Shards with a request that has no answer. */
static int
name_redo(void)
{
	static struct buf b;
	int k;

	for (k = 0; k < nfiles && ordered; k++)
		if (redo[k])
			buf_printf(&b, " %s", names[k]);
	warn("%zu requests have no answer%s%s", missing,
	    b.n > 0 ? "; to be made again:" : "", b.n > 0 ? buf_cstr(&b) : "");
	return partial ? EXIT_NO : EX_UNAVAILABLE;
}

static int
merge_answers(int n, char **files)
{
	struct rec r;
	int k;

	names = files;
	nfiles = n;
	fds = xreallocarray(NULL, (size_t)n, sizeof(*fds));
	redo = xreallocarray(NULL, (size_t)n, sizeof(*redo));
	memset(redo, 0, (size_t)n);
	for (k = 0; k < n; k++) {
		fds[k] = partial && access(files[k], F_OK) < 0 ? -1
		    : open_file(files[k]);
		if (fds[k] >= 0)
			read_answers(k);
	}
	check_duplicates();
	record_from(open_file(input), input);
	while (record_next(&r))
		put_request(&r);
	if (ntaken < nanswers)
		warn("%zu answers are to other requests", nanswers - ntaken);
	out_end();
	return missing > 0 ? name_redo() : failed ? EXIT_NO : 0;
}

static void
set_shard(const char *s)
{
	char *end;

	shard = strtoul(s, &end, 10);
	shards = *end == '/' && end[1] >= '1' && end[1] <= '9'
	    ? strtoul(end + 1, &end, 10) : 0;
	if (*s < '1' || *s > '9' || *end != '\0' || shards > SHARDS_MAX
	    || shard > shards)
		opt_die(usage, "expected K/N with K from 1 to N, not '%s'", s);
}

int
main(int argc, char **argv)
{
	int c, merge = 0;

	prog = "shard";
	while ((c = opt_next(argc, argv, "i:mp", opts, usage)) != -1)
		switch (c) {
		case 'i': input = optarg; break;
		case 'm': merge = 1; break;
		case 'p': partial = 1; break;
		}
	record_untyped = 1;
	argv += optind;
	argc -= optind;
	if (merge) {
		if (argc == 0 || input == NULL)
			opt_die(usage, "-m: expected -i and files of answers");
		return merge_answers(argc, argv);
	}
	if (argc == 0 || input != NULL || partial)
		opt_die(usage, "expected K/N");
	set_shard(argv[0]);
	input = argv[1];
	argv += argc > 1 ? 2 : 1;
	if (*argv != NULL && strcmp(*argv, "--") == 0)
		argv++;
	if (*argv == NULL)
		opt_die(usage, "expected a file of requests and a command");
	run(argv);
}
