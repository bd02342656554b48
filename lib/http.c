#include <curl/curl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

#include "clock.h"
#include "diag.h"
#include "env.h"
#include "http.h"
#include "out.h"

enum {
	HEAD_MAX = 65536, /* bytes of an answer's headers; more is let go */
	CACHED = 64,	  /* connections, unless http_room says more */
	OTHERS = 32	  /* open files that are not connections */
};

static CURLM *multi;
static int ready; /* 1: without TLS, 2: with */
static CURL **pool; /* as many as ever ran at a time */
static size_t npool, poolcap;
static size_t room = CACHED;
static struct http *running;

/* Add a line of the head. */
static void
add_header(struct http *h, const char *p, size_t n)
{
	while (n > 0 && (p[n - 1] == '\n' || p[n - 1] == '\r'))
		n--;
	if (n == 0 || h->replies.n + n >= HEAD_MAX)
		return;
	buf_add(&h->replies, p, n);
	buf_putc(&h->replies, '\0');
}

const char *
http_header(const struct http *h, const char *name)
{
	const char *p = h->replies.p, *end = p + h->replies.n;
	size_t n = strlen(name);

	for (; p < end; p += strlen(p) + 1)
		if (strncasecmp(p, name, n) == 0 && p[n] == ':') {
			p += n + 1;
			return p + strspn(p, " \t");
		}
	return NULL;
}

/*
 * clock_ms when the next clock of a request runs out, LLONG_MAX if none does;
 * *why is what is to be said then, NULL if that is a good end (http_last).
 */
static long long
next_deadline(const struct http *h, const char **why)
{
	const struct http_limits *l = h->limits;
	long long t, at = LLONG_MAX;

	*why = NULL;
	if (h->until != 0)
		return h->until;
	if (l->total > 0) {
		at = h->began + l->total;
		*why = "total time limit";
	}
	if (h->read == 0) {
		t = h->began + l->first;
		if (l->first > 0 && t < at) {
			at = t;
			*why = "no answer within the time limit";
		}
		return at;
	}
	t = h->read + l->idle;
	if (l->idle > 0 && t < at) {
		at = t;
		*why = "nothing came within the time limit";
	}
	t = h->moved + l->progress;
	if (l->progress > 0 && t < at) {
		at = t;
		*why = "no progress within the time limit";
	}
	return at;
}

/* Bytes came. */
static void
note_bytes(struct http *h)
{
	long long now = clock_ms();

	if (h->read == 0)
		h->moved = now;
	h->read = now;
}

void
http_progress(struct http *h)
{
	h->moved = clock_ms();
}

void
http_last(struct http *h, long long ms)
{
	if (h->until == 0)
		h->until = clock_ms() + ms;
}

void
http_init(int tls)
{
	int want = tls ? 2 : 1;

	if (ready >= want)
		return;
	/* OpenSSL alone costs more than a whole request on plain http. */
	if (ready > 0 && running == NULL) {
		curl_multi_cleanup(multi);
		while (npool > 0)
			curl_easy_cleanup(pool[--npool]);
		curl_global_cleanup();
		multi = NULL;
	}
	if (curl_global_init(tls ? CURL_GLOBAL_SSL : CURL_GLOBAL_NOTHING) != 0)
		die(EX_SOFTWARE, "libcurl does not start");
	ready = want;
}

static void
open_multi(void)
{
	if (multi != NULL)
		return;
	multi = curl_multi_init();
	if (multi == NULL)
		die(EX_SOFTWARE, "libcurl does not start");
	curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)room);
	curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)room);
}

size_t
http_room(size_t n)
{
	struct rlimit r;

	room = n;
	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur == RLIM_INFINITY
	    || r.rlim_cur >= n + OTHERS)
		return n;
	r.rlim_cur = n + OTHERS;
	if (r.rlim_max != RLIM_INFINITY && r.rlim_max < r.rlim_cur)
		r.rlim_cur = r.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &r) < 0)
		getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_cur < n + OTHERS)
		room = r.rlim_cur > OTHERS ? (size_t)r.rlim_cur - OTHERS : 1;
	return room;
}

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	struct http *h = arg;

	n *= size;
	note_bytes(h);
	h->got += n;
	if (h->limits->bytes > 0 && h->got > h->limits->bytes) {
		h->end = HTTP_LARGE;
		return 0;
	}
	h->data(h, p, n);
	return n;
}

static size_t
on_header(char *p, size_t size, size_t n, void *arg)
{
	struct http *h = arg;
	size_t len = n * size;
	long status = 0;

	note_bytes(h);
	if (len >= 5 && memcmp(p, "HTTP/", 5) == 0) {
		buf_reset(&h->replies);
		curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &status);
		h->status = (int)status;
		return len;
	}
	add_header(h, p, n);
	return len;
}

static const char *
env(const char *a, const char *b)
{
	const char *s = env_get(a);

	return s != NULL || b == NULL ? s : env_get(b);
}

#if LIBCURL_VERSION_NUM >= 0x074b00
static CURLcode
set_sign(CURL *e, const char *how)
{
	return curl_easy_setopt(e, CURLOPT_AWS_SIGV4, how);
}
#else
static CURLcode
set_sign(CURL *e, const char *how)
{
	(void)e;
	(void)how;
	return CURLE_UNKNOWN_OPTION;
}
#endif

int
http_signs(void)
{
	static int can = -1;
	CURL *e;

	if (can < 0) {
		http_init(0);
		e = curl_easy_init();
		can = e != NULL && set_sign(e, "aws:amz") == CURLE_OK;
		curl_easy_cleanup(e);
	}
	return can;
}

static void
set_options(struct http *h, CURL *e)
{
	const char *s;

	curl_easy_setopt(e, CURLOPT_URL, h->url);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(
	    e, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(e, CURLOPT_HTTPHEADER, h->list);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, h);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, h);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, h->text);
	curl_easy_setopt(e, CURLOPT_PRIVATE, h);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
	/* Of HTTP/2 one connection is enough: see what the first one is.
	 * Plain HTTP, for which that is an answer's time, raises no SIGPIPE. */
	curl_easy_setopt(e, strncasecmp(h->url, "https:", 6) == 0
	    ? CURLOPT_PIPEWAIT : CURLOPT_NOSIGNAL, 1L);
	if (h->limits->connect > 0)
		curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
		    (long)h->limits->connect);
	if (h->body.p != NULL) {
		curl_easy_setopt(e, CURLOPT_POST, 1L);
		curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE,
		    (curl_off_t)h->body.n);
		curl_easy_setopt(e, CURLOPT_POSTFIELDS, h->body.p);
	}
	if (h->method != NULL)
		curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, h->method);
	if (h->sign != NULL) {
		if (set_sign(e, h->sign) != CURLE_OK)
			die(EX_SOFTWARE, "libcurl does not sign");
		curl_easy_setopt(e, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
		curl_easy_setopt(e, CURLOPT_USERNAME, h->sign_id);
		curl_easy_setopt(e, CURLOPT_PASSWORD, h->sign_secret);
	}
	if (h->fresh)
		curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, 1L);
	s = env("CURL_CA_BUNDLE", "SSL_CERT_FILE");
	if (s != NULL)
		curl_easy_setopt(e, CURLOPT_CAINFO, s);
	s = env("SSL_CERT_DIR", NULL);
	if (s != NULL)
		curl_easy_setopt(e, CURLOPT_CAPATH, s);
	/* libcurl itself reads http_proxy in lower case only, for fear of
	 * CGI, where HTTP_PROXY is a header of the client's. */
	s = env("http_proxy", getenv("REQUEST_METHOD") ? NULL : "HTTP_PROXY");
	if (s != NULL && strncasecmp(h->url, "http:", 5) == 0)
		curl_easy_setopt(e, CURLOPT_PROXY, s);
}

void
http_start(struct http *h)
{
	struct curl_slist *l = NULL;
	size_t i;

	http_init(strncasecmp(h->url, "https:", 6) == 0);
	open_multi();
	h->easy = npool > 0 ? pool[--npool] : curl_easy_init();
	if (h->easy == NULL)
		die(EX_OSERR, "out of memory");
	for (i = 0; i < h->headers.n; i++)
		l = curl_slist_append(l, h->headers.v[i]);
	/* Of a signed request libcurl 7.88 would sign it, and not send it. */
	if (h->sign == NULL)
		l = curl_slist_append(l, "Expect:");
	if (l == NULL)
		die(EX_OSERR, "out of memory");
	h->list = l;
	h->end = HTTP_DONE;
	h->why = NULL;
	h->status = 0;
	h->got = 0;
	h->text[0] = '\0';
	buf_reset(&h->replies);
	h->began = h->moved = clock_ms();
	h->read = h->until = 0;
	set_options(h, h->easy);
	h->next = running;
	if (running != NULL)
		running->prev = &h->next;
	running = h;
	h->prev = &running;
	if (curl_multi_add_handle(multi, h->easy) != CURLM_OK)
		die(EX_SOFTWARE, "libcurl does not take a request");
}

static void
drop(struct http *h)
{
	curl_multi_remove_handle(multi, h->easy);
	curl_slist_free_all(h->list);
	curl_easy_reset(h->easy);
	grow(&pool, &poolcap, npool, sizeof(*pool));
	pool[npool++] = h->easy;
	h->easy = h->list = NULL;
	*h->prev = h->next;
	if (h->next != NULL)
		h->next->prev = h->prev;
}

void
http_cancel(struct http *h)
{
	if (h->easy != NULL)
		drop(h);
}

static enum http_end
meaning(CURLcode r)
{
	switch (r) {
	case CURLE_OK: return HTTP_DONE;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR: return HTTP_CONNECT;
	case CURLE_OPERATION_TIMEDOUT: return HTTP_SLOW;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM: return HTTP_TRUST;
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL: return HTTP_URL;
	default: return HTTP_BROKEN;
	}
}

static void
finish(struct http *h, enum http_end end, const char *why)
{
	h->end = end;
	h->why = why;
	drop(h);
	h->done(h);
}

static void
reap(void)
{
	struct CURLMsg *m;
	struct http *h;
	enum http_end end;
	char *own;
	long connect;
	int left;

	while ((m = curl_multi_info_read(multi, &left)) != NULL) {
		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &own);
		h = (struct http *)(void *)own;
		end = meaning(m->data.result);
		/* A proxy may refuse before there is an answer. */
		connect = 0;
		curl_easy_getinfo(m->easy_handle, CURLINFO_HTTP_CONNECTCODE,
		    &connect);
		if (connect == 407 && end != HTTP_DONE)
			end = HTTP_TRUST;
		if (h->end == HTTP_LARGE) {
			finish(h, HTTP_LARGE, "the answer is too large");
			continue;
		}
		if (h->until != 0)
			end = HTTP_DONE;
		if (h->text[0] == '\0')
			strncat(h->text, curl_easy_strerror(m->data.result),
			    sizeof(h->text) - 1);
		finish(h, end, end == HTTP_DONE ? NULL : h->text);
	}
}

/* clock_ms when the time of one is over; LLONG_MAX if never. */
static long long
soonest(void)
{
	const struct http *h;
	const char *why;
	long long at, first = LLONG_MAX;

	for (h = running; h != NULL; h = h->next) {
		at = next_deadline(h, &why);
		if (at < first)
			first = at;
	}
	return first;
}

static void
expire(long long now)
{
	struct http *h, *next;
	const char *why;

	for (h = running; h != NULL; h = next) {
		next = h->next;
		if (next_deadline(h, &why) > now)
			continue;
		finish(h, h->until != 0 ? HTTP_DONE : HTTP_SLOW, why);
		/* done may have changed the list in any way. */
		next = running;
	}
}

int
http_wait(int a, int b, int out, long long ms)
{
	struct curl_waitfd in[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
	struct pollfd reader = {out, 0, 0};
	long long now, at, end;
	unsigned n = 0;
	int left, mask = 0;

	open_multi();
	now = clock_ms();
	at = end = soonest();
	if (ms >= 0 && now + ms < at)
		at = now + ms;
	if (a >= 0)
		in[n++].fd = a;
	if (b >= 0)
		in[n++].fd = b;
	in[0].events = in[1].events = CURL_WAIT_POLLIN;
	if (out >= 0) {
		in[n].events = out_waits() ? CURL_WAIT_POLLOUT : 0;
		in[n++].fd = out;
	}
	if (curl_multi_poll(multi, in, n, at <= now ? 0
		: at - now > INT_MAX ? INT_MAX : (int)(at - now), NULL)
	    != CURLM_OK)
		die_sys(EX_OSERR, "poll");
	if (a >= 0 && in[0].revents != 0)
		mask |= 1;
	if (b >= 0 && in[a >= 0].revents != 0)
		mask |= 2;
	/* libcurl wakes up for this, and does not report it. */
	if (out >= 0 && poll(&reader, 1, 0) > 0
	    && (reader.revents & (POLLERR | POLLHUP)) != 0)
		mask |= 4;
	if (curl_multi_perform(multi, &left) != CURLM_OK)
		die(EX_SOFTWARE, "libcurl lost a request");
	reap();
	/* Last, since what is read only now may have come in time. */
	if (clock_ms() >= end)
		expire(clock_ms());
	return mask;
}

int
http_date(const char *s, time_t *t)
{
	*t = curl_getdate(s, NULL);
	return *t == (time_t)-1 ? -1 : 0;
}

void
http_library(struct buf *b)
{
	const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);

	buf_printf(b, "libcurl %s", v->version);
	if (v->ssl_version != NULL)
		buf_printf(b, " (%s)", v->ssl_version);
}
