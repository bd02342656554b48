#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "failure.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "journal.h"
#include "json.h"
#include "spendcap.h"

enum {
	SYNC = 1000 /* milliseconds */
};

/* An answer in the file; those with the same key are together. */
struct entry_at {
	uint64_t key;
	off_t at;
	size_t n;
	size_t taken; /* of the first of a key: how many were */
};

static const char header[] = "{\"type\":\"journal\",\"version\":1}";
static const char *name;
static int fd = -1;
static struct entry_at *places;
static size_t nplaces, cap, ntaken;
static struct buf pending;

int
journal_isopen(void)
{
	return name != NULL;
}

uint64_t
journal_key(struct span id, struct span text)
{
	static struct buf b;

	buf_reset(&b);
	buf_span(&b, id);
	buf_putc(&b, '\n');
	buf_span(&b, text);
	return hash_bytes(b.p, b.n);
}

/* A line's time, or -1. */
static time_t
line_time(const struct json *j)
{
	char *s = json_dup(j, json_get(j, 0, "time"));
	time_t t;

	if (s == NULL || clock_parse(s, &t) < 0)
		t = -1;
	free(s);
	return t;
}

/* Read a line of the journal.  0, or -1 with j->why and j->at. */
static int
entry(struct json *j, const char *s, size_t n, uint64_t *key, long long *code)
{
	char *hash, *end;
	int ok;

	if (json_parse(j, s, n) < 0)
		return -1;
	j->at = 0;
	j->why = "expected hash, code and answer";
	hash = json_dup(j, json_get(j, 0, "hash"));
	ok = hash != NULL && strlen(hash) == 16;
	*key = ok ? strtoull(hash, &end, 16) : 0;
	ok = ok && *end == '\0';
	free(hash);
	return ok && json_int(j, json_get(j, 0, "code"), code) == 0
	    && json_kind(j, json_get(j, 0, "answer")) == JSON_ARRAY ? 0 : -1;
}

/* It was paid for, whatever it was. */
static void
count_cost(const struct json *j)
{
	double dollars = 0;
	long long tokens = 0;

	if (json_num(j, json_get(j, 0, "cost"), &dollars) < 0 || dollars < 0)
		dollars = 0;
	if (json_int(j, json_get(j, 0, "tokens"), &tokens) < 0 || tokens < 0)
		tokens = 0;
	spendcap_spent(dollars, tokens);
}

static int
isheader(const char *s, size_t n)
{
	return n == sizeof(header) - 1 && memcmp(s, header, n) == 0;
}

/* A line of each run, for journal_status. */
static int
is_run(const char *s, size_t n)
{
	static const char start[] = "{\"type\":\"run\",";

	return n > sizeof(start) && memcmp(s, start, sizeof(start) - 1) == 0;
}

/*
 * Batches: {"type":"batch","name","provider","time","keys":[HASH...]}, then
 * {"type":"batch","name","id"} and {"type":"batch","name","over":true}.
 */

static const char batch_start[] = "{\"type\":\"batch\",";
static struct journal_batch **batches;
static size_t nbatches, batchcap;

/* A request in a batch of an earlier run. */
struct pending_key {
	uint64_t key;
	size_t batch; /* its place in batches */
	int taken;
};

static struct pending_key *pending_keys;
static size_t npending_keys, pending_cap;

static int
is_batch(const char *s, size_t n)
{
	return n > sizeof(batch_start)
	    && memcmp(s, batch_start, sizeof(batch_start) - 1) == 0;
}

static struct journal_batch *
named(const char *s)
{
	size_t i;

	for (i = 0; i < nbatches; i++)
		if (strcmp(batches[i]->name, s) == 0)
			return batches[i];
	return NULL;
}

static struct journal_batch *
add_batch(const char *s, const char *provider, time_t made)
{
	struct journal_batch *b = xmalloc(sizeof(*b));

	memset(b, 0, sizeof(*b));
	b->name = xstrdup(s);
	b->provider = xstrdup(provider);
	b->made = made;
	grow(&batches, &batchcap, nbatches, sizeof(*batches));
	batches[nbatches++] = b;
	return b;
}

static void
add_pending(const struct journal_batch *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		grow(&pending_keys, &pending_cap, npending_keys,
		    sizeof(*pending_keys));
		memset(&pending_keys[npending_keys], 0, sizeof(*pending_keys));
		pending_keys[npending_keys].key = b->keys[i];
		pending_keys[npending_keys++].batch = nbatches - 1;
	}
}

static void
read_keys(struct journal_batch *b, const struct json *j, int list)
{
	char *s;
	int k;

	b->keys = xreallocarray(NULL, json_count(j, list) + 1, sizeof(*b->keys));
	for (k = json_first(j, list); k >= 0; k = json_next(j, k)) {
		s = json_dup(j, k);
		b->keys[b->n++] = s == NULL ? 0 : strtoull(s, NULL, 16);
		free(s);
	}
}

/* Read a line of a batch.  0, or -1 if it is not one. */
static int
load_batch(const char *s, size_t n)
{
	static struct json j;
	struct journal_batch *b;
	char *own, *provider;
	time_t made;

	if (json_parse(&j, s, n) < 0)
		return -1;
	own = json_dup(&j, json_get(&j, 0, "name"));
	provider = json_dup(&j, json_get(&j, 0, "provider"));
	b = own == NULL ? NULL : named(own);
	if (own != NULL && b == NULL && provider != NULL) {
		made = line_time(&j);
		b = add_batch(own, provider, made);
		read_keys(b, &j, json_get(&j, 0, "keys"));
		add_pending(b);
	} else if (b != NULL && json_true(&j, json_get(&j, 0, "over"))) {
		b->over = 1;
	} else if (b != NULL) {
		free(b->id);
		b->id = json_dup(&j, json_get(&j, 0, "id"));
	}
	free(own);
	free(provider);
	return b == NULL ? -1 : 0;
}

/* A line that is not whole is as good as none: its request is asked anew. */
static void
load(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	struct entry_at *p;
	uint64_t key;
	long long code;

	if (line == 1) {
		if (!isheader(s, n))
			die_at(EX_DATAERR, name, 1, 1,
			    "expected a journal of llmcall");
		return;
	}
	if (is_run(s, n) || (is_batch(s, n) && load_batch(s, n) == 0))
		return;
	if (entry(&j, s, n, &key, &code) < 0) {
		warn("%s:%zu:%zu: %s: skipped", name, line, j.at + 1,
		    j.why);
		return;
	}
	count_cost(&j);
	if (!failure_isfinal((int)code))
		return;
	grow(&places, &cap, nplaces, sizeof(*places));
	p = &places[nplaces++];
	memset(p, 0, sizeof(*p));
	p->key = key;
	p->at = at;
	p->n = n;
}

static void
append(const char *p, size_t n)
{
	if (fd_write(fd, p, n) < 0)
		die_sys(EX_IOERR, "write %s", name);
}

/* The bytes after the last newline: whole, or cut off by a crash. */
static void
repair(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	uint64_t key;
	long long code;

	if (line == 1 && n <= sizeof(header) - 1
	    && memcmp(s, header, n) == 0) {
		append(header + n, sizeof(header) - 1 - n);
		append("\n", 1);
		return;
	}
	if (line == 1 || is_run(s, n)
	    || (is_batch(s, n) && json_parse(&j, s, n) == 0)
	    || entry(&j, s, n, &key, &code) == 0) {
		load(s, n, at, line);
		append("\n", 1);
		return;
	}
	warn("%s:%zu: the last line was torn: cut off", name, line);
	if (ftruncate(fd, at) < 0)
		die_sys(EX_IOERR, "write %s", name);
}

/*
 * Give each line to a function, and what is after the last newline, or the
 * nothing of an empty file, to another.
 */
static void
read_lines(void (*take)(const char *, size_t, off_t, size_t),
    void (*rest)(const char *, size_t, off_t, size_t))
{
	struct span text;
	const char *s, *nl, *end;
	size_t line = 1;

	if (file_map(fd, &text) < 0)
		die_sys(EX_IOERR, "read %s", name);
	end = text.p + text.n;
	for (s = text.p; (nl = memchr(s, '\n', (size_t)(end - s))) != NULL;
	     s = nl + 1)
		take(s, (size_t)(nl - s), s - text.p, line++);
	if (s < end || line == 1)
		rest(s, (size_t)(end - s), s - text.p, line);
	file_unmap(text);
}

/* By key; in the order of the file where it is the same. */
static int
compare(const void *a, const void *b)
{
	const struct entry_at *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static int
by_key(const void *a, const void *b)
{
	const struct pending_key *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->batch > y->batch) - (x->batch < y->batch);
}

void
journal_open(const char *path)
{
	struct stat st;

	name = path;
	fd = fd_open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	if (fstat(fd, &st) < 0)
		die_sys(EX_IOERR, "%s", path);
	if (!S_ISREG(st.st_mode))
		die(EX_CANTCREAT, "%s: not a regular file", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			die_sys(EX_IOERR, "lock %s", path);
		die(EX_TEMPFAIL, "%s: another run has this journal", path);
	}
	read_lines(load, repair);
	if (nplaces > 1)
		qsort(places, nplaces, sizeof(*places), compare);
	if (npending_keys > 1)
		qsort(pending_keys, npending_keys, sizeof(*pending_keys),
		    by_key);
}

/* The first place with this key, or NULL. */
static struct entry_at *
find(uint64_t key)
{
	size_t lo = 0, hi = nplaces, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (places[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < nplaces && places[lo].key == key ? &places[lo] : NULL;
}

int
journal_take(uint64_t key, struct buf *answer, int *code)
{
	static struct json j;
	static struct buf b;
	struct entry_at *first = find(key), *p;
	long long v;
	int k;

	if (first == NULL)
		return 0;
	p = first + first->taken;
	if (p == places + nplaces || p->key != key)
		return 0;
	first->taken++;
	ntaken++;
	buf_reset(&b);
	buf_room(&b, p->n);
	if (pread(fd, b.p, p->n, p->at) != (ssize_t)p->n
	    || entry(&j, b.p, p->n, &key, &v) < 0)
		die(EX_IOERR, "%s: changed while it was read", name);
	k = json_first(&j, json_get(&j, 0, "answer"));
	for (; k >= 0; k = json_next(&j, k)) {
		buf_span(answer, json_span(&j, k));
		buf_putc(answer, '\n');
	}
	*code = (int)v;
	return 1;
}

static void
emit_time(struct buf *b)
{
	emit_key(b, "time");
	buf_putc(b, '"');
	clock_utc(b, clock_now());
	buf_putc(b, '"');
}

void
journal_run(size_t lines)
{
	emit_open(&pending, '{');
	emit_pair(&pending, "type", "run");
	emit_time(&pending);
	if (lines > 0)
		emit_pairi(&pending, "lines", (long long)lines);
	emit_close(&pending, '}');
	buf_putc(&pending, '\n');
	journal_flush();
}

void
journal_put(uint64_t key, struct span id, int code, double dollars,
    long long tokens, const struct buf *answer)
{
	const char *p = answer->p, *end = p + answer->n, *nl;
	struct buf *b = &pending;

	emit_open(b, '{');
	if (id.n > 0)
		emit_pairj(b, "id", id);
	emit_key(b, "hash");
	buf_printf(b, "\"%016llx\"", (unsigned long long)key);
	emit_pairi(b, "code", code);
	emit_time(b);
	if (!isnan(dollars))
		emit_pairf(b, "cost", dollars);
	if (tokens >= 0)
		emit_pairi(b, "tokens", tokens);
	emit_key(b, "answer");
	emit_open(b, '[');
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		emit_raw(b, p, (size_t)(nl - p));
	}
	emit_close(b, ']');
	emit_close(b, '}');
	buf_putc(b, '\n');
}

/* Not all files are on a disk. */
static void
sync_disk(void)
{
	if (fd_sync(fd) < 0 && errno != EINVAL)
		die_sys(EX_IOERR, "write %s", name);
}

void
journal_flush(void)
{
	static long long synced;
	size_t n = pending.n;
	long long now;

	/* Emptied first: to die of this write must not write it again. */
	pending.n = 0;
	if (n == 0)
		return;
	append(pending.p, n);
	now = clock_ms();
	if (now - synced < SYNC)
		return;
	synced = now;
	sync_disk();
}

/* What is noted of a batch must not be lost, whatever dies next. */
static void
put_batch(struct buf *b)
{
	emit_close(b, '}');
	buf_putc(b, '\n');
	journal_flush();
	sync_disk();
}

struct journal_batch *
journal_batch_begun(const char *own, const char *provider,
    const uint64_t *keys, size_t n)
{
	struct journal_batch *made = add_batch(own, provider, clock_now());
	struct buf *b = &pending;
	char text[17];
	size_t i;

	made->keys = xreallocarray(NULL, n + 1, sizeof(*keys));
	memcpy(made->keys, keys, n * sizeof(*keys));
	made->n = n;
	emit_open(b, '{');
	emit_pair(b, "type", "batch");
	emit_pair(b, "name", own);
	emit_pair(b, "provider", provider);
	emit_time(b);
	emit_key(b, "keys");
	emit_open(b, '[');
	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%016llx",
		    (unsigned long long)keys[i]);
		emit_cstr(b, text);
	}
	emit_close(b, ']');
	put_batch(b);
	return made;
}

void
journal_batch_made(struct journal_batch *made, const char *id)
{
	struct buf *b = &pending;

	free(made->id);
	made->id = xstrdup(id);
	emit_open(b, '{');
	emit_pair(b, "type", "batch");
	emit_pair(b, "name", made->name);
	emit_pair(b, "id", id);
	put_batch(b);
}

void
journal_batch_over(struct journal_batch *over)
{
	struct buf *b = &pending;

	over->over = 1;
	emit_open(b, '{');
	emit_pair(b, "type", "batch");
	emit_pair(b, "name", over->name);
	emit_pairb(b, "over", 1);
	put_batch(b);
}

struct journal_batch *
journal_batch(size_t i)
{
	size_t k;

	for (k = 0; k < nbatches; k++)
		if (!batches[k]->over && i-- == 0)
			return batches[k];
	return NULL;
}

struct journal_batch *
journal_waits(uint64_t key)
{
	size_t lo = 0, hi = npending_keys, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (pending_keys[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < npending_keys && pending_keys[lo].key == key; lo++)
		if (!pending_keys[lo].taken
		    && !batches[pending_keys[lo].batch]->over) {
			pending_keys[lo].taken = 1;
			return batches[pending_keys[lo].batch];
		}
	return NULL;
}

size_t
journal_batch_left(const struct journal_batch *b)
{
	size_t i, n = 0;

	for (i = 0; i < npending_keys; i++)
		if (batches[pending_keys[i].batch] == b && !pending_keys[i].taken
		    && find(pending_keys[i].key) == NULL)
			n++;
	return n;
}

size_t
journal_left(void)
{
	return nplaces - ntaken;
}

void
journal_close(void)
{
	if (fd < 0)
		return;
	journal_flush();
	sync_disk();
	if (fd_close(fd) < 0)
		die_sys(EX_IOERR, "write %s", name);
	fd = -1;
}


/* A line of a journal as journal_status counts it. */
struct seen {
	uint64_t key;
	int final, failed;
};

static struct journal_status status;
static struct seen *seen;
static size_t nseen, seencap;

static void
count_line(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	struct seen *v;
	uint64_t key;
	long long code, x;
	double dollars;

	(void)at;
	if (line == 1 && !isheader(s, n))
		die_at(EX_DATAERR, name, 1, 1, "expected a journal of llmcall");
	if (line == 1)
		return;
	if (is_batch(s, n) && load_batch(s, n) == 0)
		return;
	if (is_run(s, n) && json_parse(&j, s, n) == 0) {
		status.began = line_time(&j);
		status.requests = json_int(&j, json_get(&j, 0, "lines"), &x) == 0
		    && x > 0 ? (size_t)x : 0;
		status.minute = 0;
		return;
	}
	if (entry(&j, s, n, &key, &code) < 0)
		return;
	grow(&seen, &seencap, nseen, sizeof(*seen));
	v = &seen[nseen++];
	v->key = key;
	v->final = failure_isfinal((int)code);
	v->failed = code != 0;
	if (json_num(&j, json_get(&j, 0, "cost"), &dollars) == 0 && dollars > 0)
		status.dollars += dollars;
	if (json_int(&j, json_get(&j, 0, "tokens"), &x) == 0 && x > 0)
		status.tokens += (double)x;
	status.last = line_time(&j);
	if (status.last >= clock_now() - 60)
		status.minute++;
}

/* A torn line counts as none: the run that writes it may not be over. */
static void
count_torn(const char *s, size_t n, off_t at, size_t line)
{
	(void)at;
	if (line == 1 && (n > sizeof(header) - 1 || memcmp(s, header, n) != 0))
		die_at(EX_DATAERR, name, 1, 1, "expected a journal of llmcall");
}

static int
by_request(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

const struct journal_status *
journal_status(const char *path)
{
	size_t i, end;
	int final;

	name = path;
	fd = fd_open(path, O_RDONLY, 0);
	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	status.running = flock(fd, LOCK_SH | LOCK_NB) < 0;
	status.began = status.last = -1;
	read_lines(count_line, count_torn);
	if (nseen > 1)
		qsort(seen, nseen, sizeof(*seen), by_request);
	for (i = 0; i < nseen; i = end) {
		final = 0;
		for (end = i; end < nseen && seen[end].key == seen[i].key; end++) {
			final |= seen[end].final;
			status.answered += (size_t)seen[end].final;
			status.failed += (size_t)(seen[end].final && seen[end].failed);
		}
		status.again += (size_t)!final;
	}
	for (i = 0; journal_batch(i) != NULL; i++)
		status.handed += journal_batch(i)->n;
	fd_close(fd);
	fd = -1;
	name = NULL;
	return &status;
}
