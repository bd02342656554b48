#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "clock.h"
#include "diag.h"
#include "failure.h"
#include "fd.h"
#include "file.h"
#include "handover.h"
#include "book.h"
#include "out.h"
#include "service.h"

enum {
	NAME = 8,	 /* hexadecimal digits of a batch's name */
	KEY = 16,	 /* and of a request's key */
	FIRST_MS = 5000, /* between the first two questions */
	BLOCK = 65536
};

enum handover_mode handover_mode;

/* The batch that is being put together: its file, and its requests. */
static struct {
	struct service *service;
	struct buf name, text; /* text is not written yet */
	char *path;	       /* of the API of all its requests */
	uint64_t *keys;
	size_t n, cap, bytes;
	int fd;
} next = {.fd = -1};

/* Batches whose answers are here, in one file. */
struct came {
	struct book_batch *batch;
	struct service *service;
	struct service_state state;
};

static struct came *came;
static size_t ncame, camecap;
static size_t nfinal; /* answers given that no other try changes */

/* A line of that file; those with the same key are together. */
struct line {
	uint64_t key;
	size_t at, n, came;
	int taken;
};

static struct line *lines;
static size_t nlines, linecap;
static const char *answers; /* the file, mapped */

/* A file that goes with this process. */
static int
temporary(void)
{
	int fd = file_unnamed();

	if (fd < 0)
		die_sys(EX_CANTCREAT, "temporary file");
	return fd;
}

static struct span
map(int fd)
{
	struct span s;

	if (file_map(fd, &s) < 0)
		die_sys(EX_IOERR, "read a temporary file");
	return s;
}

static int
is_known(const char *id)
{
	const struct book_batch *b;
	size_t i;

	for (i = 0; (b = book_batch(i)) != NULL; i++)
		if (b->id != NULL && strcmp(b->id, id) == 0)
			return 1;
	return 0;
}

/*
 * A run was stopped between asking for a batch and learning its id: find out
 * if there is one.  0 if the service cannot tell yet.  A request on its way
 * may take a moment to be a batch, so "none" is asked twice.
 */
static int
find_batch(struct service *s, struct book_batch *b)
{
	struct buf id = {NULL, 0, 0};
	enum service_found found;
	long long ms = call_options.retry.max_wait;

	found = service_find(s, b->name, b->n, b->made, is_known, &id);
	if (found == SERVICE_NONE && clock_now() - b->made <= ms / 1000) {
		(void)poll(NULL, 0, (int)ms);
		found = service_find(
		    s, b->name, b->n, b->made, is_known, &id);
	}
	if (found == SERVICE_FOUND)
		book_batch_made(b, buf_cstr(&id));
	else if (found == SERVICE_NONE)
		book_batch_over(b);
	buf_free(&id);
	return found != SERVICE_LATER;
}

/* All that are not settled; services that are open are used again. */
static struct service *
service_of(const char *provider)
{
	static struct strs names;
	static struct service **open;
	static size_t cap;
	long i = strs_find(&names, provider);

	if (i >= 0)
		return open[i];
	grow(&open, &cap, names.n, sizeof(*open));
	open[names.n] = service_open(provider);
	strs_add(&names, provider);
	return open[names.n - 1];
}

static void
report_batch(const char *provider, const struct book_batch *b)
{
	warn("%s: batch %s: %zu requests handed over", provider, b->id, b->n);
}

void
handover_to(const char *provider)
{
	struct book_batch *b;
	size_t i;

	handover_mode = HANDOVER_TO;
	next.service = service_of(provider);
	for (i = 0; (b = book_batch(i)) != NULL;) {
		if (b->id == NULL)
			(void)find_batch(service_of(b->provider), b);
		i += (size_t)!b->over;
	}
}

static void
begin_batch(const char *path)
{
	next.n = next.bytes = 0;
	free(next.path);
	next.path = xstrdup(path);
	buf_reset(&next.name);
	fd_random(&next.name, NAME);
	next.fd = temporary();
	buf_reset(&next.text);
	service_begin(next.service, &next.text, buf_cstr(&next.name));
}

static void
write_text(void)
{
	next.bytes += next.text.n;
	if (fd_write(next.fd, next.text.p, next.text.n) < 0)
		die_sys(EX_IOERR, "write a batch");
	buf_reset(&next.text);
}

/* Ask for the batch until it is known that there is one. */
static void
make(struct book_batch *b, struct span upload)
{
	struct buf id = {NULL, 0, 0};
	int n;

	for (n = 0; b->id == NULL; n++) {
		if (service_make(next.service, upload, b->name, next.path, &id)) {
			book_batch_made(b, buf_cstr(&id));
		} else if (!find_batch(next.service, b) || b->over) {
			/* Its requests are the next run's to hand over. */
			if (b->over)
				die(EX_UNAVAILABLE, "%s: no batch was made: "
				    "try again", b->provider);
			die(EX_TEMPFAIL, "%s: it is not known yet whether a "
			    "batch was made: try again", b->provider);
		}
	}
	buf_free(&id);
	report_batch(b->provider, b);
}

static void
hand_over(void)
{
	struct book_batch *b;
	struct span upload;

	if (next.fd < 0)
		return;
	service_end(next.service, &next.text, buf_cstr(&next.name));
	write_text();
	upload = map(next.fd);
	b = book_batch_begun(buf_cstr(&next.name),
	    provider_name(service_provider(next.service)), next.keys, next.n);
	make(b, upload);
	file_unmap(upload);
	fd_drop(next.fd);
	next.fd = -1;
}

/* Add a request to the batch. */
static void
add(struct call *c, uint64_t key)
{
	static struct buf body;
	char id[NAME + KEY + 24];
	const char *path = c->request.api->path;

	buf_reset(&body);
	call_body(c, &body);
	if (next.fd >= 0
	    && (next.n == service_requests(next.service)
		|| next.bytes + next.text.n + body.n + BLOCK
		    > service_bytes(next.service)
		|| strcmp(next.path, path) != 0))
		hand_over();
	if (next.fd < 0)
		begin_batch(path);
	snprintf(id, sizeof(id), "%s-%016llx-%zu", buf_cstr(&next.name),
	    (unsigned long long)key, next.n);
	service_line(next.service, &next.text, next.n, id, path,
	    buf_view(&body));
	if (next.text.n >= BLOCK)
		write_text();
	grow(&next.keys, &next.cap, next.n, sizeof(*next.keys));
	next.keys[next.n++] = key;
}

/* The key in "NAME-KEY-N" of a batch, or -1 if it is another's. */
static int
read_id(const struct json *j, const char *name, uint64_t *key)
{
	char *id = json_dup(j, json_get(j, 0, "custom_id")), *end = NULL;
	int ok;

	ok = id != NULL && strncmp(id, name, NAME) == 0
	    && strlen(id) > NAME + 1 + KEY && id[NAME] == '-';
	if (ok)
		*key = strtoull(id + NAME + 1, &end, 16);
	ok = ok && end == id + NAME + 1 + KEY && *end == '-';
	free(id);
	return ok ? 0 : -1;
}

static int
by_key(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Note where the lines are that are answers of batch k, from at on. */
static void
index_lines(size_t k, size_t at, size_t end)
{
	static struct json j;
	struct line *l;
	const char *nl;
	uint64_t key;
	size_t n;

	for (; at < end; at += n + 1) {
		nl = memchr(answers + at, '\n', end - at);
		n = nl == NULL ? end - at : (size_t)(nl - (answers + at));
		if (n == 0)
			continue;
		if (json_parse(&j, answers + at, n) < 0
		    || read_id(&j, came[k].batch->name, &key) < 0) {
			warn("batch %s: a line is not an answer to a request of "
			     "it: skipped", came[k].batch->id);
			continue;
		}
		grow(&lines, &linecap, nlines, sizeof(*lines));
		l = &lines[nlines++];
		memset(l, 0, sizeof(*l));
		l->key = key;
		l->at = at;
		l->n = n;
		l->came = k;
	}
}

/* Wait before the next question; longer each time. */
static void
wait_more(long long *pause, long long until)
{
	long long most = call_options.retry.max_wait, ms = *pause, left;

	if (ms > most)
		ms = most;
	left = until - clock_ms();
	if (left <= 0)
		die(EX_TEMPFAIL, "the batch is not over: try again later");
	(void)poll(NULL, 0, (int)(ms < left ? ms : left));
	*pause += *pause / 2;
}

/* Wait until the batch is over, and say how it goes. */
static void
await(struct came *k, long long until)
{
	struct service_state *st = &k->state;
	struct buf last = {NULL, 0, 0};
	long long pause = FIRST_MS;

	for (;;) {
		service_ask(k->service, k->batch->id, st);
		if (!span_is(buf_view(&st->word), buf_cstr(&last)))
			warn("%s: batch %s: %s, %lld of %lld",
			    k->batch->provider, k->batch->id,
			    buf_cstr(&st->word), st->done, st->all);
		if (st->over)
			break;
		buf_reset(&last);
		buf_span(&last, buf_view(&st->word));
		wait_more(&pause, until);
	}
	buf_free(&last);
}

void
handover_from(long long ms)
{
	long long until = ms < 0 ? LLONG_MAX : clock_ms() + ms, pause;
	struct book_batch *b;
	struct came *k;
	size_t i;
	off_t *ends;
	int fd = -1;

	handover_mode = HANDOVER_FROM;
	for (i = 0; (b = book_batch(i)) != NULL;) {
		pause = FIRST_MS;
		while (b->id == NULL && !b->over)
			if (!find_batch(service_of(b->provider), b))
				wait_more(&pause, until);
		if (b->over)
			continue;
		grow(&came, &camecap, ncame, sizeof(*came));
		k = &came[ncame++];
		memset(k, 0, sizeof(*k));
		k->batch = b;
		k->service = service_of(b->provider);
		i++;
	}
	if (ncame == 0)
		return;
	fd = temporary();
	ends = xreallocarray(NULL, ncame, sizeof(*ends));
	for (i = 0; i < ncame; i++) {
		await(&came[i], until);
		service_fetch(
		    came[i].service, came[i].batch->id, &came[i].state, fd);
		ends[i] = lseek(fd, 0, SEEK_CUR);
	}
	answers = map(fd).p;
	for (i = 0; i < ncame; i++)
		index_lines(i, i == 0 ? 0 : (size_t)ends[i - 1],
		    (size_t)ends[i]);
	free(ends);
	fd_drop(fd);
	if (nlines > 1)
		qsort(lines, nlines, sizeof(*lines), by_key);
}

/* The next line of a batch with this key, or NULL. */
static struct line *
find(const struct book_batch *b, uint64_t key)
{
	size_t lo = 0, hi = nlines, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (lines[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < nlines && lines[lo].key == key; lo++)
		if (!lines[lo].taken && came[lines[lo].came].batch == b) {
			lines[lo].taken = 1;
			return &lines[lo];
		}
	return NULL;
}

static void
fail(struct call *c, int code, const char *why)
{
	nfinal += (size_t)failure_isfinal(code);
	answer_fail(c, code, why, -1);
	call_over(c);
}

/* Why the service refused the line of the request with this key, or NULL. */
static const char *
refusal(const struct came *k, uint64_t key)
{
	const struct service_state *st = &k->state;
	long long line;
	size_t i;

	for (i = 0; i < st->nrefused; i++) {
		line = st->refused[i].line;
		if (line >= 1 && (size_t)line <= k->batch->n
		    && k->batch->keys[line - 1] == key)
			return st->refused[i].why == NULL
			    ? "refused" : st->refused[i].why;
	}
	return NULL;
}

/* What a batch as a whole says of a request that it has no line for. */
static void
fail_of(struct call *c, const struct book_batch *b, uint64_t key)
{
	static struct buf why;
	const char *own = NULL;
	struct came *k = came;
	int code = EX_TEMPFAIL;

	while (k < came + ncame && k->batch != b)
		k++;
	buf_reset(&why);
	buf_printf(&why, "batch %s: ", b->id);
	if (k < came + ncame)
		own = refusal(k, key);
	if (own != NULL) {
		code = EX_DATAERR;
		buf_puts(&why, own);
	} else if (k < came + ncame && k->state.why.n > 0) {
		code = EX_UNAVAILABLE;
		buf_span(&why, buf_view(&k->state.why));
	} else if (k < came + ncame && k->state.nrefused > 0) {
		buf_puts(&why, "refused for another line of it");
	} else {
		buf_puts(&why, "no answer");
	}
	fail(c, code, buf_cstr(&why));
}

static void
take_answer(struct call *c, uint64_t key)
{
	static struct buf why;
	static struct json j;
	struct book_batch *b = book_waits(key);
	struct line *l = b == NULL ? NULL : find(b, key);
	struct span body;
	int status;

	if (b == NULL) {
		fail(c, EX_TEMPFAIL, "in no batch: --to-batch hands it over");
		return;
	}
	if (l == NULL) {
		fail_of(c, b, key);
		return;
	}
	if (json_parse(&j, answers + l->at, l->n) < 0)
		die(EX_SOFTWARE, "internal error: the answer is not JSON");
	buf_reset(&why);
	buf_printf(&why, "batch %s: ", b->id);
	status = service_read(came[l->came].service, &j, &body, &why);
	if (status == 0) {
		fail(c, EX_TEMPFAIL, buf_cstr(&why));
		return;
	}
	call_stored(c, status, body);
	nfinal += (size_t)failure_isfinal(c->code);
}

void
handover_call(struct call *c, uint64_t key)
{
	static struct buf why;

	if (handover_mode == HANDOVER_FROM) {
		take_answer(c, key);
		return;
	}
	if (c->request.provider != service_provider(next.service)) {
		buf_reset(&why);
		buf_printf(&why, "model '%s': not one of %s", c->request.model,
		    provider_name(service_provider(next.service)));
		fail(c, EX_CONFIG, buf_cstr(&why));
		return;
	}
	if (book_waits(key) == NULL)
		add(c, key);
	call_over(c);
}

/* Until the journal has written all answers down: 0, or -1 if it does not. */
static int
await_book(void)
{
	long long until = clock_ms() + call_options.retry.max_wait;
	int ms = 1;

	out_flush();
	while (!book_has(nfinal)) {
		if (clock_ms() >= until)
			return -1;
		(void)poll(NULL, 0, ms);
		ms += ms < 1000 ? ms : 0;
	}
	return 0;
}

void
handover_end(void)
{
	struct book_batch *b;
	size_t i, left, k;

	if (handover_mode == HANDOVER_TO)
		hand_over();
	if (handover_mode != HANDOVER_FROM || ncame == 0)
		return;
	if (await_book() < 0) {
		warn("the answers are not in the book yet: the batches are kept");
		return;
	}
	for (i = 0; (b = book_batch(i)) != NULL;) {
		left = book_batch_left(b);
		if (left > 0) {
			warn("batch %s: %zu of its requests did not come: it is "
			     "kept", b->id, left);
			i++;
			continue;
		}
		for (k = 0; k < ncame && came[k].batch != b; k++)
			continue;
		book_batch_over(b);
		if (k < ncame)
			service_forget(came[k].service, &came[k].state);
	}
}
