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
#include "book.h"
#include "json.h"
#include "lock.h"

enum {
	SYNC = 1000 /* milliseconds */
};

/*
 * A line of the file that says what came of a request; those with the same
 * key are together.
 */
struct entry_at {
	uint64_t key;
	struct book_place place;
	int rounds;   /* of a failure: as book_put had it */
	long long status; /* of its error record, or -1 */
	size_t taken; /* of the first of a key: how many answers were */
};

static const char header[] = "{\"type\":\"journal\",\"version\":1}";
static const char *name;
static int fd = -1;
static struct entry_at *places, *failures;
static size_t nplaces, cap, ntaken, nfailures, failurecap;
static struct book_sum sum;
static struct buf last_command; /* of the last run that says it: JSON */

/* Requests under way where the file ends, or where a run ended in it. */
struct under_way {
	uint64_t key;
	struct book_sum most;
};

static struct under_way *under_way;
static size_t nunder_way, under_way_cap;

uint64_t
book_key(struct span id, struct span text)
{
	static struct buf b;

	buf_reset(&b);
	buf_span(&b, id);
	buf_putc(&b, '\n');
	buf_span(&b, text);
	return hash_bytes(b.p, b.n);
}

time_t
book_time(const struct json *j)
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

/* Read dollars and tokens; 0 where they are not known. */
static void
read_sum(const struct json *j, struct book_sum *v)
{
	if (json_num(j, json_get(j, 0, "cost"), &v->dollars) < 0
	    || v->dollars < 0)
		v->dollars = 0;
	if (json_int(j, json_get(j, 0, "tokens"), &v->tokens) < 0
	    || v->tokens < 0)
		v->tokens = 0;
}

static void
add_sum(const struct book_sum *v)
{
	sum.dollars += v->dollars;
	sum.tokens += v->tokens;
}

/* It is under way, and takes no more than this; NULL: it is over. */
static void
note_under_way(uint64_t key, const struct book_sum *most)
{
	size_t i;

	for (i = 0; i < nunder_way && under_way[i].key != key; i++)
		continue;
	if (most != NULL && i == nunder_way) {
		grow(&under_way, &under_way_cap, nunder_way,
		    sizeof(*under_way));
		under_way[nunder_way++].key = key;
	}
	if (most != NULL)
		under_way[i].most = *most;
	else if (i < nunder_way)
		under_way[i] = under_way[--nunder_way];
}

/* Nothing is under way any more: what was took what it might. */
static void
lose_all(void)
{
	while (nunder_way > 0)
		add_sum(&under_way[--nunder_way].most);
}

static int
isheader(const char *s, size_t n)
{
	return n == sizeof(header) - 1 && memcmp(s, header, n) == 0;
}

static int
begins(const char *s, size_t n, const char *start)
{
	return n > strlen(start) && memcmp(s, start, strlen(start)) == 0;
}

/* A line of each run, for book_status. */
static int
is_run(const char *s, size_t n)
{
	return begins(s, n, "{\"type\":\"run\",");
}

/* Is the line a note of a sent request? */
static int
is_sent(const char *s, size_t n)
{
	return begins(s, n, "{\"type\":\"sent\",");
}

/*
 * Batches: {"type":"batch","name","provider","time","keys":[HASH...]}, then
 * {"type":"batch","name","id"} and {"type":"batch","name","over":true}.
 */

static struct book_batch **batches;
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
	return begins(s, n, "{\"type\":\"batch\",");
}

static struct book_batch *
named(const char *s)
{
	size_t i;

	for (i = 0; i < nbatches; i++)
		if (strcmp(batches[i]->name, s) == 0)
			return batches[i];
	return NULL;
}

static struct book_batch *
add_batch(const char *s, const char *provider, time_t made)
{
	struct book_batch *b = xmalloc(sizeof(*b));

	memset(b, 0, sizeof(*b));
	b->name = xstrdup(s);
	b->provider = xstrdup(provider);
	b->made = made;
	grow(&batches, &batchcap, nbatches, sizeof(*batches));
	batches[nbatches++] = b;
	return b;
}

static void
add_pending(const struct book_batch *b)
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
read_keys(struct book_batch *b, const struct json *j, int list)
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
	struct book_batch *b;
	char *own, *provider;
	time_t made;

	if (json_parse(&j, s, n) < 0)
		return -1;
	own = json_dup(&j, json_get(&j, 0, "name"));
	provider = json_dup(&j, json_get(&j, 0, "provider"));
	b = own == NULL ? NULL : named(own);
	if (own != NULL && b == NULL && provider != NULL) {
		made = book_time(&j);
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

enum book_line
book_line(struct json *j, const char *s, size_t n, uint64_t *key,
    long long *code)
{
	if (isheader(s, n))
		return BOOK_HEADER;
	if (is_batch(s, n) && load_batch(s, n) == 0)
		return BOOK_BATCH;
	if (is_run(s, n) && json_parse(j, s, n) == 0)
		return BOOK_RUN;
	return entry(j, s, n, key, code) == 0 ? BOOK_ANSWER : BOOK_OTHER;
}

/* 0, or -1 if it is not such a line. */
static int
load_sent(const char *s, size_t n)
{
	static struct json j;
	struct book_sum most;
	char *hash;

	if (json_parse(&j, s, n) < 0
	    || (hash = json_dup(&j, json_get(&j, 0, "hash"))) == NULL)
		return -1;
	read_sum(&j, &most);
	note_under_way(strtoull(hash, NULL, 16), &most);
	free(hash);
	return 0;
}

/* Keep the command, as it stands there. */
static void
load_run(const char *s, size_t n)
{
	static struct json j;
	int i;

	if (json_parse(&j, s, n) < 0 || (i = json_get(&j, 0, "command")) < 0)
		return;
	buf_reset(&last_command);
	buf_span(&last_command, json_span(&j, i));
}

static int
gave_up(const struct json *j)
{
	return json_true(j, json_get(j, 0, "gave_up"));
}

/* Does an entry answer its request for good? */
static int
is_answer(const struct json *j, int code)
{
	return failure_isfinal(code) || gave_up(j);
}

/* A line that is not whole is as good as none: its request is asked anew. */
static void
load(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	struct entry_at p;
	struct book_sum took;
	long long code, rounds;
	int k;

	if (line == 1) {
		if (!isheader(s, n))
			die_at(EX_DATAERR, name, 1, 1,
			    "expected a book of answers");
		return;
	}
	if (is_run(s, n)) {
		lose_all();
		load_run(s, n);
		return;
	}
	if ((is_sent(s, n) && load_sent(s, n) == 0)
	    || (is_batch(s, n) && load_batch(s, n) == 0))
		return;
	memset(&p, 0, sizeof(p));
	if (entry(&j, s, n, &p.key, &code) < 0) {
		warn("%s:%zu:%zu: %s: skipped", name, line, j.at + 1,
		    j.why);
		return;
	}
	read_sum(&j, &took);
	add_sum(&took);
	note_under_way(p.key, NULL);
	p.place.at = at;
	p.place.n = n;
	p.place.code = (int)code;
	p.place.gave_up = gave_up(&j);
	if (json_int(&j, json_get(&j, 0, "rounds"), &rounds) == 0)
		p.rounds = (int)rounds;
	p.status = -1;
	k = json_first(&j, json_get(&j, 0, "answer"));
	for (; k >= 0 && p.rounds > 0; k = json_next(&j, k))
		json_int(&j, json_get(&j, k, "status"), &p.status);
	if (is_answer(&j, (int)code)) {
		grow(&places, &cap, nplaces, sizeof(p));
		places[nplaces++] = p;
	} else if (p.rounds > 0) {
		grow(&failures, &failurecap, nfailures, sizeof(p));
		failures[nfailures++] = p;
	}
}

/* At the end, wherever that is by now: its place. */
static off_t
append(const char *p, size_t n)
{
	if (fd_write(fd, p, n) < 0)
		die_sys(EX_IOERR, "write %s", name);
	return lseek(fd, 0, SEEK_CUR) - (off_t)n;
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
	    || ((is_batch(s, n) || is_sent(s, n)) && json_parse(&j, s, n) == 0)
	    || entry(&j, s, n, &key, &code) == 0) {
		load(s, n, at, line);
		append("\n", 1);
		return;
	}
	warn("%s:%zu: the last line was torn: cut off", name, line);
	if (ftruncate(fd, at) < 0)
		die_sys(EX_IOERR, "write %s", name);
}

static void
read_lines(book_taker *take, book_taker *rest)
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
	return (x->place.at > y->place.at) - (x->place.at < y->place.at);
}

static int
by_key(const void *a, const void *b)
{
	const struct pending_key *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->batch > y->batch) - (x->batch < y->batch);
}

static void
sort_lines(void)
{
	if (nplaces > 1)
		qsort(places, nplaces, sizeof(*places), compare);
	if (nfailures > 1)
		qsort(failures, nfailures, sizeof(*failures), compare);
	if (npending_keys > 1)
		qsort(pending_keys, npending_keys, sizeof(*pending_keys),
		    by_key);
}

static void
ignore(const char *s, size_t n, off_t at, size_t line)
{
	(void)s;
	(void)n;
	(void)at;
	(void)line;
}

void
book_open(const char *path, int read_only)
{
	struct stat st;

	name = path;
	fd = read_only ? fd_open(path, O_RDONLY, 0)
	    : fd_open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	if (fd < 0)
		die_sys(read_only ? EX_NOINPUT : EX_CANTCREAT, "%s", path);
	if (fstat(fd, &st) < 0)
		die_sys(EX_IOERR, "%s", path);
	if (!S_ISREG(st.st_mode))
		die(EX_CANTCREAT, "%s: not a regular file", path);
	if (!read_only && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			die_sys(EX_IOERR, "lock %s", path);
		die(EX_TEMPFAIL, "%s: another run has this book", path);
	}
	read_lines(load, read_only ? ignore : repair);
	sort_lines();
}

void
book_join(const char *path)
{
	struct buf b = {NULL, 0, 0};

	/* Of one that is left alone by its parent's death the end is awaited. */
	buf_printf(&b, "%s.batches", path);
	if (lock_take(buf_cstr(&b), -1) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	buf_free(&b);
	name = path;
	fd = fd_open(path, O_RDWR | O_APPEND, 0);
	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	read_lines(load, ignore);
	sort_lines();
}

int
book_look(const char *path, book_taker *take)
{
	int locked;

	name = path;
	fd = fd_open(path, O_RDONLY, 0);
	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	locked = flock(fd, LOCK_SH | LOCK_NB) < 0;
	read_lines(take, ignore);
	fd_close(fd);
	fd = -1;
	return locked;
}

/* Index of the first of n sorted structs, each with its key first, >= key. */
static size_t
lower_bound(const void *list, size_t n, size_t size, uint64_t key)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (*(const uint64_t *)((const char *)list + mid * size) < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first of a sorted list with this key, or NULL. */
static struct entry_at *
find_in(struct entry_at *list, size_t n, uint64_t key)
{
	size_t lo = lower_bound(list, n, sizeof(*list), key);

	return lo < n && list[lo].key == key ? &list[lo] : NULL;
}

const struct book_sum *
book_spent(void)
{
	return &sum;
}

int
book_take(uint64_t key, struct book_place *place)
{
	struct entry_at *first = find_in(places, nplaces, key), *p;

	if (first == NULL)
		return 0;
	p = first + first->taken;
	if (p == places + nplaces || p->key != key)
		return 0;
	first->taken++;
	ntaken++;
	*place = p->place;
	return 1;
}

int
book_rounds(uint64_t key, long long *status)
{
	const struct entry_at *p = find_in(failures, nfailures, key);
	int n = 0;

	for (; p != NULL && p < failures + nfailures && p->key == key; p++)
		if (p->rounds > n) {
			n = p->rounds;
			*status = p->status;
		}
	return n;
}

void
book_read(const struct book_place *place, struct buf *answer)
{
	static struct json j;
	static struct buf b;
	uint64_t key;
	long long code;
	int k;

	buf_reset(&b);
	buf_room(&b, place->n);
	if (pread(fd, b.p, place->n, place->at) != (ssize_t)place->n
	    || entry(&j, b.p, place->n, &key, &code) < 0)
		die(EX_IOERR, "%s: changed while it was read", name);
	k = json_first(&j, json_get(&j, 0, "answer"));
	for (; k >= 0; k = json_next(&j, k)) {
		buf_span(answer, json_span(&j, k));
		buf_putc(answer, '\n');
	}
}

static void
emit_time(struct buf *b)
{
	emit_key(b, "time");
	buf_putc(b, '"');
	clock_utc(b, clock_now());
	buf_putc(b, '"');
}

/* Not all files are on a disk. */
static void
sync_disk(void)
{
	if (fd_sync(fd) < 0 && errno != EINVAL)
		die_sys(EX_IOERR, "write %s", name);
}

static off_t
put_line(struct buf *b)
{
	static long long synced;
	long long now = clock_ms();
	off_t at;

	emit_close(b, '}');
	buf_putc(b, '\n');
	at = append(b->p, b->n);
	buf_reset(b);
	if (now - synced < SYNC)
		return at;
	synced = now;
	sync_disk();
	return at;
}

/* Say it where a change of the command might have wanted other answers. */
static void
check_command(const struct strs *command)
{
	static struct buf now;

	size_t at;

	emit_strs(&now, "command", command);
	at = sizeof("\"command\":") - 1;
	if (command->n > 0 && last_command.n > 0 && nplaces > 0
	    && !span_same(buf_view(&last_command),
		(struct span){now.p + at, now.n - at}))
		warn("%s: its answers were to another command, %.*s; "
		     "they are kept, unless -k has another text",
		    name, (int)last_command.n, last_command.p);
}

void
book_run(size_t lines, const struct strs *command, int warns)
{
	static struct buf b;

	lose_all();
	if (warns)
		check_command(command);
	emit_open(&b, '{');
	emit_pair(&b, "type", "run");
	emit_time(&b);
	if (lines > 0)
		emit_pairi(&b, "lines", (long long)lines);
	if (command->n > 0)
		emit_strs(&b, "command", command);
	put_line(&b);
}

static void
emit_hash(struct buf *b, uint64_t key)
{
	emit_key(b, "hash");
	buf_printf(b, "\"%016llx\"", (unsigned long long)key);
}

void
book_sent(uint64_t key, const struct book_sum *most)
{
	static struct buf b;

	emit_open(&b, '{');
	emit_pair(&b, "type", "sent");
	emit_hash(&b, key);
	emit_pairf(&b, "cost", most->dollars);
	emit_pairi(&b, "tokens", most->tokens);
	put_line(&b);
	note_under_way(key, most);
}

void
book_put(uint64_t key, struct span id, const struct book_result *r,
    const struct buf *answer, struct book_place *place)
{
	const char *p = answer->p, *end = p + answer->n, *nl;
	static struct buf b;

	emit_open(&b, '{');
	if (id.n > 0)
		emit_pairj(&b, "id", id);
	emit_hash(&b, key);
	emit_pairi(&b, "code", r->code);
	emit_time(&b);
	if (!isnan(r->took.dollars)) {
		emit_pairf(&b, "cost", r->took.dollars);
		sum.dollars += r->took.dollars;
	}
	if (r->took.tokens >= 0) {
		emit_pairi(&b, "tokens", r->took.tokens);
		sum.tokens += r->took.tokens;
	}
	if (r->flight > 0)
		emit_pairi(&b, "flight", (long long)r->flight);
	if (r->rounds > 0)
		emit_pairi(&b, "rounds", r->rounds);
	if (r->gave_up)
		emit_pairb(&b, "gave_up", 1);
	emit_key(&b, "answer");
	emit_open(&b, '[');
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		emit_raw(&b, p, (size_t)(nl - p));
	}
	emit_close(&b, ']');
	place->n = b.n + 1;
	place->code = r->code;
	place->gave_up = r->gave_up;
	place->at = put_line(&b);
	note_under_way(key, NULL);
}

/* What is noted of a batch must not be lost, whatever dies next. */
static void
put_batch(struct buf *b)
{
	put_line(b);
	sync_disk();
}

struct book_batch *
book_batch_begun(const char *own, const char *provider,
    const uint64_t *keys, size_t n)
{
	struct book_batch *made = add_batch(own, provider, clock_now());
	static struct buf line, *b = &line;
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
book_batch_made(struct book_batch *made, const char *id)
{
	static struct buf line, *b = &line;

	free(made->id);
	made->id = xstrdup(id);
	emit_open(b, '{');
	emit_pair(b, "type", "batch");
	emit_pair(b, "name", made->name);
	emit_pair(b, "id", id);
	put_batch(b);
}

void
book_batch_over(struct book_batch *over)
{
	static struct buf line, *b = &line;

	over->over = 1;
	emit_open(b, '{');
	emit_pair(b, "type", "batch");
	emit_pair(b, "name", over->name);
	emit_pairb(b, "over", 1);
	put_batch(b);
}

struct book_batch *
book_batch(size_t i)
{
	size_t k;

	for (k = 0; k < nbatches; k++)
		if (!batches[k]->over && i-- == 0)
			return batches[k];
	return NULL;
}

struct book_batch *
book_waits(uint64_t key)
{
	size_t lo = lower_bound(pending_keys, npending_keys,
	    sizeof(*pending_keys), key);

	for (; lo < npending_keys && pending_keys[lo].key == key; lo++)
		if (!pending_keys[lo].taken
		    && !batches[pending_keys[lo].batch]->over) {
			pending_keys[lo].taken = 1;
			return batches[pending_keys[lo].batch];
		}
	return NULL;
}

size_t
book_batch_left(const struct book_batch *b)
{
	size_t i, n = 0;

	for (i = 0; i < npending_keys; i++)
		if (batches[pending_keys[i].batch] == b && !pending_keys[i].taken
		    && find_in(places, nplaces, pending_keys[i].key) == NULL)
			n++;
	return n;
}

static size_t nread;

static void
count(const char *s, size_t n, off_t at, size_t line)
{
	static struct json j;
	uint64_t key;
	long long code;

	(void)at;
	if (line > 1 && entry(&j, s, n, &key, &code) == 0
	    && is_answer(&j, (int)code))
		nread++;
}

int
book_has(size_t n)
{
	nread = 0;
	read_lines(count, ignore);
	return nread >= nplaces + n;
}

size_t
book_left(void)
{
	return nplaces - ntaken;
}

void
book_close(void)
{
	if (fd < 0)
		return;
	sync_disk();
	if (fd_close(fd) < 0)
		die_sys(EX_IOERR, "write %s", name);
	fd = -1;
}
