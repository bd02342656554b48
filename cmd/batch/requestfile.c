#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batchline.h"
#include "buf.h"
#include "diag.h"
#include "hash.h"
#include "requestfile.h"

enum { TWINS = 1000 };

/* A request whose id has the hash of another's. */
struct twin {
	struct buf id;
	size_t line;
};

static uint64_t *hashes;
static size_t nhashes, cap;
static uint64_t twice[TWINS]; /* some of those that are there twice, sorted */
static size_t ntwice;

struct span
requestfile_id(const struct rec *r)
{
	/* A batch line's own id is the provider's. */
	return record_member(r, r->type == REC_UNTYPED ? "custom_id" : "id");
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
look(const struct rec *r)
{
	static struct buf b;
	struct span id = requestfile_id(r);

	if (r->type == REC_REQUEST) {
		batchline_check(r, 0);
	} else if (r->type == REC_UNTYPED) {
		buf_reset(&b);
		batchline_request(&b, r);
	} else {
		return;
	}
	if (id.n == 0)
		return;
	grow(&hashes, &cap, nhashes, sizeof(*hashes));
	hashes[nhashes++] = hash_bytes(id.p, id.n);
}

static void
find_twice(void)
{
	size_t i;

	if (nhashes > 1)
		qsort(hashes, nhashes, sizeof(*hashes), compare);
	for (i = 1; i < nhashes && ntwice < TWINS; i++)
		if (hashes[i] == hashes[i - 1]
		    && (ntwice == 0 || twice[ntwice - 1] != hashes[i]))
			twice[ntwice++] = hashes[i];
	free(hashes);
	hashes = NULL;
	nhashes = cap = 0;
}

/* Die if it has the id of one before it. */
static void
check_twin(const struct rec *r, const char *name)
{
	static struct twin *twins;
	static size_t n, room;
	struct span id = requestfile_id(r);
	uint64_t h = hash_bytes(id.p, id.n);
	size_t i;

	if ((r->type != REC_REQUEST && r->type != REC_UNTYPED) || id.n == 0
	    || bsearch(&h, twice, ntwice, sizeof(h), compare) == NULL)
		return;
	for (i = 0; i < n; i++)
		if (span_same(buf_view(&twins[i].id), id))
			die(EX_DATAERR, "%s:%zu: the id %.*s is that of line "
			    "%zu", name, r->line, (int)id.n, id.p,
			    twins[i].line);
	grow(&twins, &room, n, sizeof(*twins));
	memset(&twins[n], 0, sizeof(*twins));
	buf_span(&twins[n].id, id);
	twins[n++].line = r->line;
}

static void
rewind_to(int fd, const char *name, off_t at)
{
	if (lseek(fd, at, SEEK_SET) < 0)
		die_sys(EX_IOERR, "read %s", name);
	record_from(fd, name);
}

long long
requestfile_check(int fd, const char *name, void (*take)(const struct rec *r))
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	long long lines = 0;
	struct stat st;
	struct rec r;

	if (at < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	rewind_to(fd, name, at);
	while (record_next(&r)) {
		if (!r.implied)
			lines = (long long)r.line;
		look(&r);
		if (take != NULL)
			take(&r);
	}
	find_twice();
	rewind_to(fd, name, at);
	if (ntwice == 0)
		return lines;
	while (record_next(&r))
		check_twin(&r, name);
	rewind_to(fd, name, at);
	return lines;
}
