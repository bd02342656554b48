#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "hash.h"
#include "inbox.h"
#include "sha256.h"

enum {
	GROWN = 8 << 20, /* bytes: below this it is not made smaller */
	WASTE = 4	 /* times what is alive */
};

/* A key of a message that was taken; in a table and, by age, in a ring. */
struct seen {
	char key[INBOX_NAME + 1];
	struct seen *next; /* of its bucket */
};

static struct buf path, dir;
static int fd = -1;
static off_t size;
static int dirty;
static long long last; /* n given last */
static struct inbox_message *first, *newest;
static size_t count;
static long long unprinted; /* bytes of answers since one was sent */
static off_t alive; /* bytes of lines of messages not done */

static struct seen *ring; /* capacity entries, the oldest at head */
static struct seen **buckets;
static size_t capacity, head, nseen;

static struct seen **
bucket(const char *key)
{
	return &buckets[hash_bytes(key, INBOX_NAME) % capacity];
}

static int
is_seen(const char *key)
{
	const struct seen *s;

	for (s = *bucket(key); s != NULL; s = s->next)
		if (strcmp(s->key, key) == 0)
			return 1;
	return 0;
}

static void
remember_key(const char *key)
{
	struct seen *s = &ring[(head + nseen) % capacity], **p;

	if (nseen == capacity) {
		for (p = bucket(s->key); *p != s; p = &(*p)->next)
			;
		*p = s->next;
		head = (head + 1) % capacity;
		nseen--;
	}
	nseen++;
	memcpy(s->key, key, INBOX_NAME + 1);
	p = bucket(key);
	s->next = *p;
	*p = s;
}

static _Noreturn void
broken(void)
{
	die_sys(EX_IOERR, "%s", buf_cstr(&path));
}

static off_t
append(struct buf *b)
{
	off_t at = size;

	buf_putc(b, '\n');
	if (fd_write(fd, b->p, b->n) < 0)
		broken();
	size += (off_t)b->n;
	buf_reset(b);
	dirty = 1;
	return at;
}

static struct inbox_message *
link_message(long long n, off_t at, size_t len, const char *chat)
{
	struct inbox_message *x = xmalloc(sizeof(*x));

	memset(x, 0, sizeof(*x));
	x->n = n;
	x->at = at;
	x->len = len;
	memcpy(x->chat, chat, INBOX_NAME + 1);
	x->before = newest;
	*(newest != NULL ? &newest->after : &first) = x;
	newest = x;
	count++;
	alive += (off_t)len;
	return x;
}

static void
unlink_message(struct inbox_message *x)
{
	*(x->before != NULL ? &x->before->after : &first) = x->after;
	*(x->after != NULL ? &x->after->before : &newest) = x->before;
	alive -= (off_t)(x->len + x->answer_len);
	count--;
	free(x);
}

struct inbox_message *
inbox_first(void)
{
	return first;
}

size_t
inbox_count(void)
{
	return count;
}

/* The line of len bytes at that place, without its newline. */
static struct span
fetch(off_t at, size_t len)
{
	static struct buf b;
	ssize_t r;

	buf_reset(&b);
	buf_room(&b, len);
	while (b.n < len) {
		r = pread(fd, b.p + b.n, len - b.n, at + (off_t)b.n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			broken();
		b.n += (size_t)r;
	}
	return (struct span){ b.p, len - 1 };
}

static const struct json *
fetch_json(off_t at, size_t len)
{
	static struct json j;
	struct span s = fetch(at, len);

	if (json_parse(&j, s.p, s.n) < 0)
		die(EX_DATAERR, "%s: byte %lld: %s", buf_cstr(&path),
		    (long long)at + (long long)j.at, j.why);
	return &j;
}

const struct json *
inbox_line(const struct inbox_message *x)
{
	return fetch_json(x->at, x->len);
}

/* A string of hex digits of the journal, or -1. */
static int
name(const struct json *j, const char *key, char *to)
{
	static struct buf b;

	buf_reset(&b);
	if (json_str(j, json_get(j, 0, key), &b) < 0 || b.n != INBOX_NAME
	    || strspn(buf_cstr(&b), "0123456789abcdef") != INBOX_NAME)
		return -1;
	memcpy(to, b.p, INBOX_NAME + 1);
	return 0;
}

static struct inbox_message *
find(long long n)
{
	struct inbox_message *x;

	for (x = first; x != NULL && x->n < n; x = x->after)
		;
	return x != NULL && x->n == n ? x : NULL;
}

/* What is left of a time to wait goes on in this run. */
static void
recall_later(struct inbox_message *x, const struct json *j, long long due)
{
	long long v, left = due - (long long)clock_now();

	if (json_int(j, json_get(j, 0, "tries"), &v) == 0 && v > 0
	    && v < INT_MAX)
		x->tries = (int)v;
	if (json_int(j, json_get(j, 0, "since"), &v) == 0)
		x->since = (time_t)v;
	x->due = clock_ms() + (left > 0 ? left * 1000 : 0);
}

/* A line of an earlier run.  0, or -1 with what was expected. */
static int
recall(const struct json *j, off_t at, size_t len, const char **why)
{
	char key[INBOX_NAME + 1], chat[INBOX_NAME + 1];
	struct inbox_message *x;
	long long n, due;

	*why = "expected a line of a journal";
	if (json_int(j, json_get(j, 0, "n"), &n) < 0)
		return -1;
	if (n > last)
		last = n;
	if (json_get(j, 0, "message") >= 0) {
		if (name(j, "key", key) < 0 || name(j, "chat", chat) < 0)
			return -1;
		x = link_message(n, at, len, chat);
		x->isagain = 1;
		if (!is_seen(key))
			remember_key(key);
	} else if (json_get(j, 0, "answer") >= 0) {
		if ((x = find(n)) == NULL)
			return 0;
		alive += (off_t)len - (off_t)x->answer_len;
		x->answer_at = at;
		x->answer_len = len;
	} else if (json_int(j, json_get(j, 0, "due"), &due) == 0) {
		if ((x = find(n)) != NULL)
			recall_later(x, j, due);
	} else if (json_true(j, json_get(j, 0, "sent"))) {
		if ((x = find(n)) != NULL)
			unlink_message(x);
	} else if (name(j, "key", key) == 0) {
		if (!is_seen(key))
			remember_key(key);
	}
	return 0;
}

static void
read_journal(void)
{
	static struct json j;
	struct span text;
	const char *p, *nl, *end, *why = NULL;
	size_t line = 1, n;

	if (file_map(fd, &text) < 0)
		broken();
	end = text.p + text.n;
	for (p = text.p; (nl = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = nl + 1, line++) {
		n = (size_t)(nl - p);
		if (json_parse(&j, p, n) < 0)
			die_at(EX_DATAERR, buf_cstr(&path), line, j.at + 1,
			    j.why);
		if (recall(&j, p - text.p, n + 1, &why) < 0)
			die_at(EX_DATAERR, buf_cstr(&path), line, 1, why);
	}
	size = p - text.p;
	n = (size_t)(end - p);
	file_unmap(text);
	if (n == 0)
		return;
	warn("%s: torn last line (%zu bytes) left out", buf_cstr(&path), n);
	/* What a killed run left so was not on disk as a whole. */
	if (ftruncate(fd, size) < 0)
		broken();
}

static int
open_file(const char *p, int flags)
{
	int f = fd_open(p, O_RDWR | O_APPEND | O_CREAT | flags, 0600);

	if (f < 0)
		die_sys(EX_CANTCREAT, "%s", p);
	return f;
}

static void
sync_dir(void)
{
	int f = fd_open(buf_cstr(&dir), O_RDONLY | O_DIRECTORY, 0);

	if (f < 0 || fd_sync(f) < 0)
		die_sys(EX_IOERR, "%s", buf_cstr(&dir));
	close(f);
}

/* Messages without an answer stay in a file that nothing overwrites. */
static void
put_aside(void)
{
	static struct buf to;

	buf_printf(&to, "%s.%lld", buf_cstr(&path), last);
	/* A run that was killed here has linked it already. */
	if (link(buf_cstr(&path), buf_cstr(&to)) < 0
	    && (errno != EEXIST
		|| !file_same(buf_cstr(&path), buf_cstr(&to))))
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&to));
	warn("%zu messages of an earlier run are not answered, which -r would "
	     "have done; they are now in %s", count, buf_cstr(&to));
}

void
inbox_later(struct inbox_message *x)
{
	static struct buf b;
	long long ms = x->due - clock_ms();

	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "n", x->n);
	emit_pairi(&b, "due", clock_now() + (ms > 0 ? (ms + 999) / 1000 : 0));
	emit_pairi(&b, "since", x->since);
	emit_pairi(&b, "tries", x->tries);
	emit_close(&b, '}');
	append(&b);
}

/* Take a line of the old journal into that of fd; its place there. */
static off_t
carry(int old, off_t at, size_t len)
{
	static struct buf b;
	int to = fd;

	fd = old;
	buf_span(&b, fetch(at, len));
	fd = to;
	return append(&b);
}

/* The journal with nothing in it but what is not done, and the keys. */
static void
rewrite(void)
{
	static struct buf temporary, b;
	struct inbox_message *x;
	size_t i;
	int old = fd;

	buf_reset(&temporary);
	buf_printf(&temporary, "%s.new", buf_cstr(&path));
	fd = open_file(buf_cstr(&temporary), O_TRUNC);
	size = 0;
	for (i = 0; i < nseen; i++) {
		emit_open(&b, '{');
		emit_pairi(&b, "n", last);
		emit_pair(&b, "key", ring[(head + i) % capacity].key);
		emit_close(&b, '}');
		append(&b);
	}
	/* The number goes on even where there are no keys. */
	emit_open(&b, '{');
	emit_pairi(&b, "n", last);
	emit_close(&b, '}');
	append(&b);
	for (x = first; x != NULL; x = x->after) {
		x->at = carry(old, x->at, x->len);
		if (x->tries > 0)
			inbox_later(x);
		if (x->answer_len > 0)
			x->answer_at =
			    carry(old, x->answer_at, x->answer_len);
	}
	if (fd_sync(fd) < 0 || rename(buf_cstr(&temporary), buf_cstr(&path)) < 0)
		broken();
	sync_dir();
	dirty = 0;
	close(old);
}

void
inbox_open(const char *in, int resume, size_t remember)
{
	capacity = remember > 0 ? remember : 1;
	ring = xreallocarray(NULL, capacity, sizeof(*ring));
	buckets = xreallocarray(NULL, capacity, sizeof(struct seen *));
	memset(buckets, 0, capacity * sizeof(struct seen *));
	buf_puts(&dir, in);
	file_join(&path, in, "journal");
	fd = open_file(buf_cstr(&path), 0);
	read_journal();
	if (!resume) {
		if (count > 0)
			put_aside();
		while (first != NULL)
			unlink_message(first);
		memset(buckets, 0, capacity * sizeof(struct seen *));
		nseen = head = 0;
	}
	rewrite();
}

struct inbox_message *
inbox_take(const struct inbound *m, struct buf *id)
{
	static struct buf b, text, now;
	char key[INBOX_NAME + 1], chat[INBOX_NAME + 1];
	struct inbox_message *x;
	off_t at;
	size_t len;

	buf_reset(&text);
	buf_printf(&text, "%zu:", m->channel.n);
	buf_span(&text, buf_view(&m->channel));
	buf_span(&text, buf_view(&m->chat));
	buf_reset(&b);
	sha256_hex(&b, text.p, text.n, INBOX_NAME);
	memcpy(chat, buf_cstr(&b), sizeof(chat));
	last++;
	buf_reset(&now);
	clock_utc(&now, clock_now());
	buf_printf(&now, "-%lld", last);
	buf_reset(&b);
	buf_puts(&b, chat);
	buf_span(&b, buf_view(id->n > 0 ? id : &now));
	buf_reset(&text);
	sha256_hex(&text, b.p, b.n, INBOX_NAME);
	memcpy(key, buf_cstr(&text), sizeof(key));
	if (is_seen(key)) {
		last--;
		return NULL;
	}
	remember_key(key);
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "n", last);
	emit_pairn(&b, "token", now.p, now.n);
	emit_pair(&b, "key", key);
	emit_pair(&b, "chat", chat);
	emit_pairj(&b, "message", json_span(m->json, 0));
	emit_close(&b, '}');
	len = b.n + 1;
	at = append(&b);
	x = link_message(last, at, len, chat);
	return x;
}

/* Standard output, if it is a file, and its length. */
static int
output_file(struct stat *st)
{
	return fstat(STDOUT_FILENO, st) == 0 && S_ISREG(st->st_mode);
}

void
inbox_answer(struct inbox_message *x, struct span line)
{
	static struct buf b;
	struct stat st;
	size_t len;

	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "n", x->n);
	if (output_file(&st)) {
		emit_pairi(&b, "dev", (long long)st.st_dev);
		emit_pairi(&b, "ino", (long long)st.st_ino);
		emit_pairi(&b, "at", (long long)st.st_size + unprinted);
	}
	unprinted += (long long)line.n + 1;
	emit_pairj(&b, "answer", line);
	emit_close(&b, '}');
	len = b.n + 1;
	x->answer_at = append(&b);
	x->answer_len = len;
	alive += (off_t)len;
}

/*
 * How many of its len bytes are in the file that is standard output, as far
 * as we wrote it.
 */
static long long
printed(const struct json *j, size_t len)
{
	struct stat st;
	long long dev, ino, at, n;

	if (!output_file(&st)
	    || json_int(j, json_get(j, 0, "dev"), &dev) < 0
	    || json_int(j, json_get(j, 0, "ino"), &ino) < 0
	    || json_int(j, json_get(j, 0, "at"), &at) < 0
	    || dev != (long long)st.st_dev || ino != (long long)st.st_ino)
		return 0;
	n = (long long)st.st_size - at;
	return n < 0 ? 0 : n > (long long)len ? (long long)len : n;
}

struct span
inbox_unsent(const struct inbox_message *x, int *istorn)
{
	const struct json *j = fetch_json(x->answer_at, x->answer_len);
	struct span s = json_span(j, json_get(j, 0, "answer"));
	long long n = printed(j, s.n + 1);

	*istorn = n > 0;
	return n > (long long)s.n ? (struct span){ NULL, 0 } : s;
}

void
inbox_sent(struct inbox_message *x)
{
	static struct buf b;

	unprinted = 0;
	emit_open(&b, '{');
	emit_pairi(&b, "n", x->n);
	emit_pairb(&b, "sent", 1);
	emit_close(&b, '}');
	append(&b);
	unlink_message(x);
	if (size > GROWN && size > WASTE * alive
	    && size > (off_t)(WASTE * nseen * 64))
		rewrite();
}

void
inbox_sync(void)
{
	if (dirty && fd_sync(fd) < 0)
		broken();
	dirty = 0;
}
