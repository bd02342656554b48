#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "apierror.h"
#include "call.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "http.h"
#include "retry.h"
#include "service.h"
#include "signals.h"

enum {
	PAGES = 50,	      /* of a list of batches */
	PAGE = 100,	      /* batches in one */
	CLOCKS = 600,	      /* seconds by which clocks may differ */
	LAST_MS = 3600 * 1000 /* for an upload or a download */
};

struct service {
	struct provider *provider;
	const char *key;
	int inline_; /* else files */
	long long requests, bytes;
};

/* One HTTP request; the body of its answer goes to fd, or to reply. */
struct ask {
	struct http http;
	struct buf url, reply;
	int fd, over;
};

static struct ask ask = {.fd = -1};

struct service *
service_open(const char *name)
{
	struct service *s = xmalloc(sizeof(*s));
	struct buf model = {NULL, 0, 0}, why = {NULL, 0, 0};
	const struct json *j;
	const char *form, *rest;

	memset(s, 0, sizeof(*s));
	buf_printf(&model, "%s/", name);
	buf_puts(&model, "x");
	s->provider = provider_for(buf_cstr(&model), &rest);
	if (s->provider == NULL || rest == buf_cstr(&model))
		die(EX_CONFIG, "no such provider '%s'; "
		    "'sharefind -l providers' lists them", name);
	buf_free(&model);
	form = provider_str(s->provider, "batch.form");
	if (form == NULL)
		die(EX_CONFIG, "providers/%s.yaml names no batch service",
		    name);
	s->inline_ = strcmp(form, "inline") == 0;
	j = provider_json(s->provider);
	json_int(j, provider_at(s->provider, "batch.requests"), &s->requests);
	json_int(j, provider_at(s->provider, "batch.bytes"), &s->bytes);
	if (provider_ready(s->provider, &why) < 0)
		die(EX_CONFIG, "%s", buf_cstr(&why));
	if (provider_key(s->provider, &s->key, &why) < 0)
		die(EX_NOPERM, "%s", buf_cstr(&why));
	buf_free(&why);
	return s;
}

struct provider *
service_provider(const struct service *s)
{
	return s->provider;
}

size_t
service_requests(const struct service *s)
{
	return (size_t)s->requests;
}

size_t
service_bytes(const struct service *s)
{
	return (size_t)s->bytes;
}

static void
on_data(struct http *h, const char *p, size_t n)
{
	if (ask.fd < 0 || h->status / 100 != 2)
		buf_add(&ask.reply, p, n);
	else if (fd_write(ask.fd, p, n) < 0)
		die_sys(EX_IOERR, "write the answers of a batch");
}

static void
on_done(struct http *h)
{
	(void)h;
	ask.over = 1;
}

/*
 * Send one: GET where body.p is NULL.  The status, 0 if no whole answer came.
 * Nothing is under way that a signal could not end.
 */
static int
send_one(struct service *s, const char *path, const char *type,
    struct span body)
{
	static struct http_limits limits;
	struct http *h = &ask.http;

	limits.connect = call_options.limits.connect;
	limits.total = LAST_MS;
	buf_reset(&ask.url);
	buf_printf(&ask.url, "%s%s", provider_base(s->provider), path);
	buf_reset(&ask.reply);
	strs_reset(&h->headers);
	provider_headers(s->provider, s->key, 0, &h->headers);
	if (type != NULL) {
		/* In place of application/json, the first one. */
		free(h->headers.v[0]);
		h->headers.v[0] = xstrdup(type);
	}
	h->url = buf_cstr(&ask.url);
	h->body = body;
	h->limits = &limits;
	h->data = on_data;
	h->done = on_done;
	/* libcurl by itself would make a second batch. */
	h->fresh = body.p != NULL;
	ask.over = 0;
	signals_arm(SIGNALS_AT_ONCE);
	if (signals_caught() != 0)
		signals_die(signals_caught());
	http_start(h);
	while (!ask.over)
		http_wait(-1, -1, -1, -1);
	return h->end == HTTP_DONE ? h->status : 0;
}

/* What came instead of an answer, for people. */
static const char *
describe(struct service *s)
{
	static struct buf b;
	static struct apierror e;
	const struct http *h = &ask.http;

	apierror_reset(&e);
	buf_reset(&b);
	buf_printf(&b, "batches of %s: ", provider_name(s->provider));
	if (h->status != 0)
		buf_printf(&b, "%d: ", h->status);
	if (h->status / 100 != 2)
		apierror_body(&e, ask.reply.p, ask.reply.n);
	apierror_say(&e, &b);
	if (h->end != HTTP_DONE && h->why != NULL)
		buf_puts(&b, h->why);
	provider_mask(&b);
	return buf_cstr(&b);
}

static int
exit_code(int status)
{
	return status == 401 || status == 403 ? EX_NOPERM
	    : status == 404		      ? EX_CONFIG
	    : status == 429		      ? EX_TEMPFAIL
	    : status == 0 || status >= 500    ? EX_UNAVAILABLE
					      : EX_DATAERR;
}

/* Wait before try n, or die: there is none. */
static void
pause_before(struct service *s, int n)
{
	const struct retry *r = &call_options.retry;
	long long ms = retry_asked(&ask.http, clock_now());

	if (ms < 0)
		ms = retry_backoff(r, n, retry_random());
	if (n > r->tries || ms > r->max_wait)
		die(exit_code(ask.http.status), "%s", describe(s));
	warn("try %d of %d in %.3g s: %s", n + 1, r->tries + 1,
	    (double)ms / 1000, describe(s));
	(void)poll(NULL, 0, (int)ms);
}

/*
 * Send one that does no harm twice, until an answer comes, which is read
 * into j where the body does not go to a file.
 */
static void
send_again(struct service *s, const char *path, const char *type,
    struct span body, struct json *j)
{
	off_t begin = ask.fd < 0 ? 0 : lseek(ask.fd, 0, SEEK_CUR);
	int n, status;

	for (n = 1;; n++) {
		status = send_one(s, path, type, body);
		if (status / 100 == 2
		    && (ask.fd >= 0
			|| json_parse(j, ask.reply.p, ask.reply.n) == 0))
			return;
		if (status != 0 && status / 100 != 2
		    && !retry_status(status,
			   http_header(&ask.http, "x-should-retry")))
			die(exit_code(status), "%s", describe(s));
		pause_before(s, n);
		if (ask.fd >= 0
		    && (ftruncate(ask.fd, begin) < 0
			|| lseek(ask.fd, begin, SEEK_SET) < 0))
			die_sys(EX_IOERR, "write the answers of a batch");
	}
}

static void
get(struct service *s, const char *path, struct json *j)
{
	static const struct span none;

	send_again(s, path, NULL, none, j);
}

void
service_begin(const struct service *s, struct buf *b, const char *name)
{
	if (s->inline_) {
		buf_puts(b, "{\"requests\":[");
		return;
	}
	buf_printf(b, "--turnpipe-%s\r\n"
	    "Content-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
	    "--turnpipe-%s\r\n"
	    "Content-Disposition: form-data; name=\"file\"; "
	    "filename=\"turnpipe-%s.jsonl\"\r\n"
	    "Content-Type: application/jsonl\r\n\r\n", name, name, name);
}

void
service_line(const struct service *s, struct buf *b, size_t n,
    const char *id, const char *path, struct span body)
{
	if (n > 0)
		buf_putc(b, s->inline_ ? ',' : '\n');
	emit_open(b, '{');
	emit_pair(b, "custom_id", id);
	if (!s->inline_) {
		emit_pair(b, "method", "POST");
		emit_key(b, "url");
		buf_printf(b, "\"/v1%s\"", path);
	}
	emit_pairj(b, s->inline_ ? "params" : "body", body);
	emit_close(b, '}');
}

void
service_end(const struct service *s, struct buf *b, const char *name)
{
	if (s->inline_)
		buf_puts(b, "]}");
	else
		buf_printf(b, "\r\n--turnpipe-%s--\r\n", name);
}

/* Upload the file of a batch: its id, owned by the caller. */
static char *
upload_file(struct service *s, struct span upload, const char *name)
{
	static struct json j;
	struct buf type = {NULL, 0, 0};
	char *id;

	buf_printf(&type, "Content-Type: multipart/form-data; "
	    "boundary=turnpipe-%s", name);
	send_again(s, "/files", buf_cstr(&type), upload, &j);
	buf_free(&type);
	id = json_dup(&j, json_get(&j, 0, "id"));
	if (id == NULL)
		die(EX_PROTOCOL, "batches of %s: expected the id of a file",
		    provider_name(s->provider));
	return id;
}

int
service_make(struct service *s, struct span upload, const char *name,
    const char *path, struct buf *id)
{
	static struct json j;
	static struct buf b;
	char *file;
	int n, status;

	if (!s->inline_) {
		file = upload_file(s, upload, name);
		buf_reset(&b);
		emit_open(&b, '{');
		emit_pair(&b, "input_file_id", file);
		emit_key(&b, "endpoint");
		buf_printf(&b, "\"/v1%s\"", path);
		emit_pair(&b, "completion_window", "24h");
		emit_key(&b, "metadata");
		emit_open(&b, '{');
		emit_pair(&b, "turnpipe", name);
		emit_close(&b, '}');
		emit_close(&b, '}');
		free(file);
		upload = buf_view(&b);
	}
	for (n = 1;; n++) {
		status = send_one(s, s->inline_ ? "/messages/batches"
						: "/batches", NULL, upload);
		if (status != 429)
			break;
		pause_before(s, n);
	}
	if (status / 100 == 2 && json_parse(&j, ask.reply.p, ask.reply.n) == 0
	    && json_str(&j, json_get(&j, 0, "id"), id) == 0 && id->n > 0)
		return 1;
	if (status / 100 == 4 && status != 408 && status != 409)
		die(exit_code(status), "%s", describe(s));
	warn("%s", describe(s));
	return 0;
}

/* Is a batch that is over one of that name?  So say its requests' ids. */
static int
is_ours(struct service *s, const char *id, const char *name)
{
	static struct buf path, first;
	static struct json j;
	static const struct span none;
	const char *nl;

	buf_reset(&path);
	buf_printf(&path, "/messages/batches/%s/results", id);
	ask.fd = -1;
	if (send_one(s, buf_cstr(&path), NULL, none) / 100 != 2)
		return 0;
	nl = ask.reply.n == 0 ? NULL
			      : memchr(ask.reply.p, '\n', ask.reply.n);
	buf_reset(&first);
	if (json_parse(&j, ask.reply.p,
		nl == NULL ? ask.reply.n : (size_t)(nl - ask.reply.p)) < 0
	    || json_str(&j, json_get(&j, 0, "custom_id"), &first) < 0)
		return 0;
	return strncmp(buf_cstr(&first), name, strlen(name)) == 0;
}

static long long
count(const struct json *j, int i, const char *name)
{
	long long v;

	return json_int(j, json_get(j, i, name), &v) == 0 ? v : 0;
}

/* The requests of an inline batch; *open: those that are not done. */
static long long
requests_of(const struct json *j, int i, long long *open)
{
	int c = json_get(j, i, "request_counts");

	*open = count(j, c, "processing");
	return *open + count(j, c, "succeeded") + count(j, c, "errored")
	    + count(j, c, "canceled") + count(j, c, "expired");
}

/* When it was made, or -1. */
static time_t
made_at(const struct json *j, int i)
{
	long long v;
	time_t t = -1;
	char *s;

	if (json_int(j, json_get(j, i, "created_at"), &v) == 0)
		return (time_t)v;
	s = json_dup(j, json_get(j, i, "created_at"));
	if (s != NULL && clock_parse(s, &t) < 0)
		t = -1;
	free(s);
	return t;
}

/*
 * Inline batches have no place for a name: one with as many requests, made
 * since, is ours if the ids in its answers say so.
 */
static enum service_found
match_inline(struct service *s, const struct json *j, int i, const char *id,
    const char *name, size_t n)
{
	long long open, all = requests_of(j, i, &open);

	if ((size_t)all != n)
		return SERVICE_NONE;
	if (!json_is(j, json_get(j, i, "processing_status"), "ended"))
		return SERVICE_LATER;
	return is_ours(s, id, name) ? SERVICE_FOUND : SERVICE_NONE;
}

enum service_found
service_find(struct service *s, const char *name, size_t n, time_t made,
    int (*known)(const char *id), struct buf *id)
{
	static struct buf path, last;
	enum service_found one, found = SERVICE_NONE;
	struct json j = {0};
	struct buf page = {NULL, 0, 0};
	int i, pages, old = 0, more = 1;

	buf_reset(&last);
	for (pages = 0; pages < PAGES && more && !old; pages++) {
		buf_reset(&path);
		buf_printf(&path, "%s?limit=%d", s->inline_
			? "/messages/batches" : "/batches", PAGE);
		if (last.n > 0)
			buf_printf(&path, "&%s=%s",
			    s->inline_ ? "after_id" : "after",
			    buf_cstr(&last));
		get(s, buf_cstr(&path), &j);
		/* What is asked meanwhile goes to the same place. */
		buf_reset(&page);
		buf_add(&page, ask.reply.p, ask.reply.n);
		if (json_parse(&j, page.p, page.n) < 0)
			break;
		more = json_true(&j, json_get(&j, 0, "has_more"));
		i = json_first(&j, json_get(&j, 0, "data"));
		more = more && i >= 0;
		for (; i >= 0; i = json_next(&j, i)) {
			buf_reset(&last);
			json_str(&j, json_get(&j, i, "id"), &last);
			if (made_at(&j, i) != -1
			    && made_at(&j, i) < made - CLOCKS) {
				old = 1;
				break;
			}
			if (last.n == 0 || known(buf_cstr(&last)))
				continue;
			one = s->inline_
			    ? match_inline(s, &j, i, buf_cstr(&last), name, n)
			    : json_is(&j, json_at(&j, i, "metadata.turnpipe"),
				  name) ? SERVICE_FOUND : SERVICE_NONE;
			if (one == SERVICE_LATER)
				found = SERVICE_LATER;
			if (one != SERVICE_FOUND)
				continue;
			buf_span(id, buf_view(&last));
			json_free(&j);
			buf_free(&page);
			return SERVICE_FOUND;
		}
	}
	json_free(&j);
	buf_free(&page);
	return found;
}

static void
copy(struct buf *b, const struct json *j, int i)
{
	buf_reset(b);
	if (json_kind(j, i) == JSON_STRING)
		json_str(j, i, b);
}

/* What is wrong with single lines, and with all of it. */
static void
read_refusals(struct service_state *state, const struct json *j, int list)
{
	struct service_refusal *r;
	int i;

	for (i = json_first(j, list); i >= 0; i = json_next(j, i)) {
		grow(&state->refused, &state->cap, state->nrefused,
		    sizeof(*r));
		r = &state->refused[state->nrefused];
		if (json_int(j, json_get(j, i, "line"), &r->line) < 0) {
			copy(&state->why, j, json_get(j, i, "message"));
			continue;
		}
		r->why = json_dup(j, json_get(j, i, "message"));
		state->nrefused++;
	}
}

void
service_ask(struct service *s, const char *id, struct service_state *state)
{
	static const char *const ends[] = {
		"completed", "failed", "expired", "cancelled", "ended"};
	static struct buf path;
	static struct json j;
	long long open;
	size_t k;
	int c;

	buf_reset(&path);
	buf_printf(&path, "%s/%s", s->inline_ ? "/messages/batches"
					      : "/batches", id);
	get(s, buf_cstr(&path), &j);
	copy(&state->word, &j, json_get(&j, 0, s->inline_
		? "processing_status" : "status"));
	state->over = 0;
	for (k = 0; k < sizeof(ends) / sizeof(*ends); k++)
		state->over |= strcmp(buf_cstr(&state->word), ends[k]) == 0;
	if (s->inline_) {
		state->all = requests_of(&j, 0, &open);
		state->done = state->all - open;
		return;
	}
	c = json_get(&j, 0, "request_counts");
	state->all = count(&j, c, "total");
	state->done = count(&j, c, "completed") + count(&j, c, "failed");
	copy(&state->input, &j, json_get(&j, 0, "input_file_id"));
	copy(&state->output, &j, json_get(&j, 0, "output_file_id"));
	copy(&state->faults, &j, json_get(&j, 0, "error_file_id"));
	if (state->over)
		read_refusals(state, &j, json_at(&j, 0, "errors.data"));
}

void
service_forget(struct service *s, const struct service_state *state)
{
	const struct buf *file[] = {&state->input, &state->output,
	    &state->faults};
	static const struct span none;
	static struct buf path;
	size_t i;

	ask.http.method = "DELETE";
	for (i = 0; i < sizeof(file) / sizeof(*file); i++) {
		if (file[i]->n == 0)
			continue;
		buf_reset(&path);
		buf_printf(&path, "/files/%.*s", (int)file[i]->n, file[i]->p);
		if (send_one(s, buf_cstr(&path), NULL, none) / 100 != 2)
			warn("%.*s is not deleted: %s", (int)file[i]->n,
			    file[i]->p, describe(s));
	}
	ask.http.method = NULL;
}

/* The bodies of what is got go to fd, with a newline after the last line. */
static void
fetch(struct service *s, const char *path, int fd)
{
	char last = '\n';
	off_t end;

	ask.fd = fd;
	get(s, path, NULL);
	ask.fd = -1;
	end = lseek(fd, 0, SEEK_CUR);
	if (end > 0 && pread(fd, &last, 1, end - 1) != 1)
		die_sys(EX_IOERR, "read the answers of a batch");
	if (last != '\n' && fd_write(fd, "\n", 1) < 0)
		die_sys(EX_IOERR, "write the answers of a batch");
}

void
service_fetch(struct service *s, const char *id,
    const struct service_state *state, int fd)
{
	const struct buf *file[] = {&state->output, &state->faults};
	static struct buf path;
	size_t i;

	buf_reset(&path);
	if (s->inline_) {
		/* Not where results_url says: the key goes to no other host. */
		buf_printf(&path, "/messages/batches/%s/results", id);
		fetch(s, buf_cstr(&path), fd);
		return;
	}
	for (i = 0; i < sizeof(file) / sizeof(*file); i++) {
		if (file[i]->n == 0)
			continue;
		buf_reset(&path);
		buf_printf(&path, "/files/%.*s/content", (int)file[i]->n,
		    file[i]->p);
		fetch(s, buf_cstr(&path), fd);
	}
}

/* The HTTP statuses that Anthropic documents for its errors. */
static int
error_status(const struct json *j, int error)
{
	static const struct {
		const char *type;
		int status;
	} known[] = {{"invalid_request_error", 400},
	    {"authentication_error", 401}, {"billing_error", 402},
	    {"permission_error", 403}, {"not_found_error", 404},
	    {"request_too_large", 413}, {"rate_limit_error", 429},
	    {"overloaded_error", 529}};
	int type = json_at(j, error, "error.type");
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (json_is(j, type, known[i].type))
			return known[i].status;
	return 500;
}

static int
read_inline(const struct json *j, struct span *body, struct buf *why)
{
	int r = json_get(j, 0, "result"), error = json_get(j, r, "error");
	int message = json_get(j, r, "message");

	if (json_is(j, json_get(j, r, "type"), "succeeded") && message >= 0) {
		*body = json_span(j, message);
		return 200;
	}
	if (error >= 0) {
		*body = json_span(j, error);
		return error_status(j, error);
	}
	if (json_str(j, json_get(j, r, "type"), why) < 0)
		buf_puts(why, "no answer");
	return 0;
}

int
service_read(const struct service *s, const struct json *j,
    struct span *body, struct buf *why)
{
	int r = json_get(j, 0, "response"), e = json_get(j, 0, "error");
	long long status;

	if (s->inline_)
		return read_inline(j, body, why);
	if (json_int(j, json_get(j, r, "status_code"), &status) == 0
	    && status >= 100 && status <= 599
	    && json_get(j, r, "body") >= 0) {
		*body = json_span(j, json_get(j, r, "body"));
		return (int)status;
	}
	if (json_str(j, json_get(j, e, "message"), why) < 0
	    && json_str(j, json_get(j, e, "code"), why) < 0)
		buf_puts(why, "no answer");
	return 0;
}
