#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock.h"
#include "config.h"
#include "diag.h"
#include "emit.h"
#include "exchange.h"
#include "http.h"
#include "json.h"
#include "paramheader.h"
#include "rpc.h"
#include "sse.h"

enum {
	ANSWER = 64 << 20, /* bytes of an answer or an event */
	FAULT = 64 << 10,  /* bytes of an answer that is an error */
	SAID = 300,	   /* bytes of it that are reported */
	CONNECT = 5000,	   /* ms */
	NOTE = 10000,	   /* ms that a notification may take */
	CLOSE = 800,	   /* ms that the end of the session may take */
	LINGER = 200,	   /* ms for the end of a stream after its answer */
	RETRY = 1000,	   /* ms to a resumption, unless the server says */
	RESUMES = 5,	   /* of a stream, without an event between */
	LOCAL = -1,	   /* an error's code that is no server's */
	MISMATCH = -32020  /* the headers are not what the body says */
};

#define MODERN "2026-07-28"

enum kind {
	REQUEST, /* of the client */
	TELL,	 /* a notification or an answer: of the client, or ours */
	RENEW,	 /* our initialize, where the session was lost */
	RELIST,	 /* our tools/list, for the headers of a call */
	LISTEN,	 /* the GET, for what belongs to no request */
	BYE	 /* the DELETE */
};

enum state { WAITING, RUNNING, OVER };
enum form { UNKNOWN, STREAM, TEXT };

/* An HTTP request, and the message that it carries. */
struct post {
	struct http h;
	enum kind kind;
	enum state state;
	enum form form;
	struct sse sse;
	struct buf body, text; /* text: an answer that is no stream */
	struct buf id;	  /* of the request, as JSON */
	struct buf last;  /* the last event's id */
	char *method, *name; /* for headers; name may be NULL */
	char *version;	  /* what the message itself says, or NULL */
	char *session;	  /* that it was sent with, or NULL */
	long long at;	  /* clock_ms before which it is not sent */
	int resumes, repeats, relists;
	int isanswered, isresumed, islarge;
	int isagain;	  /* sent again when it is over, with other headers */
};

void (*exchange_put)(struct span message);

static const struct exchange_spec *spec;
static struct post **posts; /* in the order of sending */
static size_t nposts, capposts;
static struct post *gate; /* nothing else is sent before it is answered */
static char *session, *version; /* NULL: none */
static struct buf opening; /* the client's initialize */
static int warned, isending, serial;

/* A stream has no end by size; a text is limited where it is taken. */
static const struct http_limits lasting = { CONNECT, 0, 0, 0, 0, 0 };
static const struct http_limits brief = { CONNECT, 0, 0, 0, NOTE, 0 };
static const struct http_limits closing = { CLOSE, 0, 0, 0, CLOSE, 0 };

static void message(const char *p, size_t n);
static void on_done(struct http *h);

static void
replace(char **s, char *with)
{
	free(*s);
	*s = with;
}

static int
same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void
on_event(void *arg, const char *type, const char *p, size_t n)
{
	struct post *x = arg;

	(void)type;
	x->resumes = 0;
	message(p, n);
}

/* A new one, sent before or after the others. */
static struct post *
add_post(enum kind kind, int isfirst)
{
	struct post *x = xmalloc(sizeof(*x));

	memset(x, 0, sizeof(*x));
	x->kind = kind;
	x->sse.max = ANSWER;
	x->sse.event = on_event;
	x->sse.arg = x;
	grow(&posts, &capposts, nposts, sizeof(*posts));
	if (isfirst)
		memmove(posts + 1, posts, nposts * sizeof(*posts));
	posts[isfirst ? 0 : nposts] = x;
	nposts++;
	return x;
}

static void
free_post(struct post *x)
{
	http_cancel(&x->h);
	strs_free(&x->h.headers);
	buf_free(&x->h.replies);
	sse_free(&x->sse);
	buf_free(&x->body);
	buf_free(&x->text);
	buf_free(&x->id);
	buf_free(&x->last);
	free(x->method);
	free(x->name);
	free(x->version);
	free(x->session);
	free(x);
}

static void
sweep(void)
{
	size_t i, k = 0;

	for (i = 0; i < nposts; i++)
		if (posts[i]->state == OVER)
			free_post(posts[i]);
		else
			posts[k++] = posts[i];
	nposts = k;
}

static int
ismodern(const struct post *x)
{
	return x->version != NULL && strcmp(x->version, MODERN) >= 0;
}

/* Does it begin the session, so that all else waits? */
static int
isopening(const struct post *x)
{
	return x->method != NULL && !x->isresumed
	    && (strcmp(x->method, "initialize") == 0
		|| strcmp(x->method, "notifications/initialized") == 0);
}

static void
close_post(struct post *x)
{
	x->state = OVER;
	if (gate == x)
		gate = NULL;
}

/* Answer a request of the client with an error. */
static void
answer_error(struct post *x, struct span error)
{
	static struct buf b;

	rpc_open(&b, NULL);
	emit_pairj(&b, "id", buf_view(&x->id));
	emit_key(&b, "error");
	emit_compact(&b, error);
	emit_close(&b, '}');
	exchange_put(buf_view(&b));
	x->isanswered = 1;
	close_post(x);
}

static _Noreturn void
give_up(const char *what)
{
	die(EX_UNAVAILABLE, "%s: the session has ended, and there is no new "
			    "one: %s", spec->url, what);
}

static void
fail(struct post *x, int code, const char *what)
{
	static struct buf b, text;

	buf_reset(&text);
	buf_puts(&text, what);
	apikey_mask(spec->key, &text);
	if (x->kind == RENEW)
		give_up(buf_cstr(&text));
	close_post(x);
	if (x->kind != REQUEST)
		return;
	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "code", code);
	emit_pairn(&b, "message", text.p, text.n);
	emit_close(&b, '}');
	answer_error(x, buf_view(&b));
}

static void
add_header(struct post *x, const char *name, const char *value)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "%s: %s", name, value);
	strs_add(&x->h.headers, buf_cstr(&b));
}

static void
set_headers(struct post *x)
{
	static struct buf b;
	size_t i;

	strs_reset(&x->h.headers);
	for (i = 0; i < spec->headers.n; i++)
		strs_add(&x->h.headers, spec->headers.v[i]);
	if (spec->key->text != NULL) {
		buf_reset(&b);
		buf_printf(&b, "Bearer %s", spec->key->text);
		add_header(x, "Authorization", buf_cstr(&b));
	}
	add_header(x, "User-Agent", "turnpipe/" VERSION);
	add_header(x, "Accept", x->h.body.p == NULL ? "text/event-stream"
	    : "application/json, text/event-stream");
	if (x->h.body.p != NULL)
		add_header(x, "Content-Type", "application/json");
	if (x->version != NULL)
		add_header(x, "MCP-Protocol-Version", x->version);
	else if (version != NULL)
		add_header(x, "MCP-Protocol-Version", version);
	if (x->session != NULL)
		add_header(x, "Mcp-Session-Id", x->session);
	if (x->last.n > 0)
		add_header(x, "Last-Event-ID", buf_cstr(&x->last));
	if (!ismodern(x) || x->method == NULL)
		return;
	add_header(x, "Mcp-Method", x->method);
	if (x->name != NULL) {
		buf_reset(&b);
		paramheader_value(&b, x->name, strlen(x->name));
		add_header(x, "Mcp-Name", buf_cstr(&b));
	}
	if (strcmp(x->method, "tools/call") == 0)
		paramheader_add(&x->h.headers, buf_view(&x->body));
}

/* JSON, a stream, or what the client cannot read. */
static enum form
form_of(const struct http *h)
{
	const char *type = http_header(h, "content-type");

	return h->status / 100 == 2 && type != NULL
	    && strncasecmp(type, "text/event-stream", 17) == 0 ? STREAM : TEXT;
}

static void
on_data(struct http *h, const char *p, size_t n)
{
	struct post *x = h->arg;

	if (x->form == UNKNOWN)
		x->form = form_of(h);
	if (x->islarge || x->isanswered)
		return;
	if (x->form == STREAM)
		x->islarge = sse_feed(&x->sse, p, n) < 0;
	else if (x->text.n + n > (size_t)(h->status / 100 == 2
	    ? ANSWER : FAULT))
		x->islarge = h->status / 100 == 2;
	else
		buf_add(&x->text, p, n);
}

static void
start(struct post *x)
{
	const char *sid = ismodern(x) || (isopening(x)
	    && x->kind != TELL) ? NULL : session;

	if (x->kind != BYE && !x->isresumed)
		replace(&x->session, sid == NULL ? NULL : xstrdup(sid));
	x->h.url = spec->url;
	x->h.body.p = NULL;
	if (x->kind != LISTEN && x->kind != BYE && !x->isresumed)
		x->h.body = buf_view(&x->body);
	x->h.method = x->kind == BYE ? "DELETE" : NULL;
	x->h.fresh = x->h.body.p != NULL && x->method != NULL
	    && strcmp(x->method, "tools/call") == 0;
	x->h.limits = x->kind == BYE ? &closing : x->kind == TELL ? &brief
	    : &lasting;
	x->h.data = on_data;
	x->h.done = on_done;
	x->h.arg = x;
	x->form = UNKNOWN;
	x->islarge = 0;
	buf_reset(&x->text);
	sse_reset(&x->sse);
	set_headers(x);
	x->state = RUNNING;
	if (isopening(x))
		gate = x;
	http_start(&x->h);
}

/* The client's request that has this id and no answer yet. */
static struct post *
find_request(struct span id)
{
	size_t i;

	for (i = 0; i < nposts; i++)
		if (posts[i]->id.n > 0 && posts[i]->state != OVER
		    && !posts[i]->isanswered
		    && span_same(buf_view(&posts[i]->id), id))
			return posts[i];
	return NULL;
}

/* May what the server sent stand in a header? */
static int
isword(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s < 0x21 || *s > 0x7e)
			return 0;
	return 1;
}

/* The answer to initialize: what holds from now on. */
static void
begin_session(const struct post *x, const struct json *j)
{
	const char *id = http_header(&x->h, "mcp-session-id");
	char *v = json_dup(j, json_at(j, 0, "result.protocolVersion"));

	if (v == NULL)
		return;
	replace(&session, id != NULL && *id != '\0' && isword(id)
	    ? xstrdup(id) : NULL);
	if (isword(v))
		replace(&version, v);
	else
		free(v);
}

static struct post *
add_message(enum kind kind, const char *method, const char *id)
{
	struct post *x = add_post(kind, 1);

	x->method = xstrdup(method);
	rpc_open(&x->body, method);
	if (id != NULL) {
		buf_puts(&x->id, id);
		emit_pairj(&x->body, "id", span_of(id));
	}
	return x;
}

/* An id that no client has: of our own requests. */
static const char *
own_id(void)
{
	static char text[32];

	snprintf(text, sizeof(text), "\"mcphttp-%d\"", ++serial);
	return text;
}

/* The server knows the session no more: another one, as the client did. */
static void
renew_session(void)
{
	static struct json j;
	struct post *x;
	size_t i;

	replace(&session, NULL);
	replace(&version, NULL);
	for (i = 0; i < nposts; i++)
		if (posts[i]->kind == LISTEN) {
			http_cancel(&posts[i]->h);
			close_post(posts[i]);
		}
	x = add_post(RENEW, 1);
	x->method = xstrdup("initialize");
	buf_puts(&x->id, own_id());
	if (opening.n == 0 || json_parse(&j, opening.p, opening.n) < 0)
		give_up("it was not begun here");
	emit_object(&x->body, &j, 0, "id", buf_view(&x->id));
}

static void
renewed(struct post *x, const struct json *j)
{
	struct post *y;
	char *text;

	if (json_get(j, 0, "result") < 0) {
		text = json_dup(j, json_at(j, 0, "error.message"));
		give_up(text != NULL ? text : "expected a result");
	}
	begin_session(x, j);
	y = add_message(TELL, "notifications/initialized", NULL);
	emit_close(&y->body, '}');
	exchange_put(span_of("{\"jsonrpc\":\"2.0\",\"method\":"
			     "\"notifications/tools/list_changed\"}"));
}

/* The tool of a call may have got headers: list, and call again. */
static int
relist(struct post *x, const struct json *j)
{
	static struct json own;
	struct post *y;
	long long code;

	if (!ismodern(x) || x->relists++ > 0 || x->kind != REQUEST
	    || strcmp(x->method, "tools/call") != 0
	    || json_int(j, json_at(j, 0, "error.code"), &code) < 0
	    || code != MISMATCH
	    || json_parse(&own, x->body.p, x->body.n) < 0)
		return 0;
	y = add_message(RELIST, "tools/list", own_id());
	emit_key(&y->body, "params");
	emit_open(&y->body, '{');
	emit_pairj(&y->body, "_meta",
	    json_span(&own, json_at(&own, 0, "params._meta")));
	emit_close(&y->body, '}');
	emit_close(&y->body, '}');
	y->version = xstrdup(x->version);
	gate = y;
	x->state = WAITING;
	if (x->h.easy != NULL) {
		x->state = RUNNING;
		x->isagain = 1;
		http_last(&x->h, 0);
	}
	return 1;
}

/* x is answered, by any of the streams. */
static void
take_answer(struct post *x, const struct json *j)
{
	static struct buf b;

	if (relist(x, j))
		return;
	x->isanswered = 1;
	if (gate == x)
		gate = NULL;
	/* Its end is waited for a little, so that the connection stays. */
	if (x->state == RUNNING && x->h.easy != NULL)
		http_last(&x->h, LINGER);
	else
		close_post(x);
	if (x->kind == RENEW) {
		renewed(x, j);
		return;
	}
	if (strcmp(x->method, "initialize") == 0)
		begin_session(x, j);
	buf_reset(&b);
	if (ismodern(x) && strcmp(x->method, "tools/list") == 0)
		paramheader_list(&b, j);
	else
		emit_compact(&b, json_span(j, 0));
	if (x->kind == REQUEST)
		exchange_put(buf_view(&b));
}

/* A message of the server's. */
static void
message(const char *p, size_t n)
{
	static struct buf b, copy;
	struct json j = { 0 };
	struct post *y;

	/* Copied: handling it may send, which moves the buffer of p. */
	buf_reset(&copy);
	buf_add(&copy, p, n);
	if (json_parse(&j, buf_cstr(&copy), copy.n) < 0
	    || json_kind(&j, 0) != JSON_OBJECT) {
		/* Half an event is the end of a stream, no fault in it. */
		if (!isending && !warned++)
			warn("%s: sent what is no JSON object; it is skipped",
			    spec->url);
	} else if (json_kind(&j, json_get(&j, 0, "method")) == JSON_STRING) {
		buf_reset(&b);
		emit_compact(&b, json_span(&j, 0));
		exchange_put(buf_view(&b));
	} else if ((y = find_request(json_span(&j, json_get(&j, 0, "id"))))
		!= NULL
	    && (json_get(&j, 0, "result") >= 0
		|| json_get(&j, 0, "error") >= 0)) {
		take_answer(y, &j);
	}
	json_free(&j);
}

/* The session of x is gone: it is sent again in the next one, once. */
static void
lost(struct post *x)
{
	if (x->repeats++ > 0) {
		fail(x, 404, "the session has ended again");
		return;
	}
	x->state = WAITING;
	if (same(x->session, session))
		renew_session();
}

/* Ask for the rest of its stream.  0: that cannot be. */
static int
resume(struct post *x)
{
	if (ismodern(x) || x->last.n == 0 || x->resumes++ >= RESUMES)
		return 0;
	x->isresumed = 1;
	x->state = WAITING;
	x->at = clock_ms() + (x->sse.retry > 0 ? x->sse.retry : RETRY);
	return 1;
}

/* Is it an error of the protocol, whose id may be null?  Then x has it. */
static int
took_error(struct post *x)
{
	static struct json j;
	int e;

	if (x->kind != REQUEST || x->form != TEXT
	    || json_parse(&j, buf_cstr(&x->text), x->text.n) < 0
	    || json_kind(&j, e = json_get(&j, 0, "error")) != JSON_OBJECT)
		return 0;
	if (!relist(x, &j))
		answer_error(x, json_span(&j, e));
	return 1;
}

/* A word for a status, and what the server says. */
static void
refused(struct post *x)
{
	static struct buf b;
	const char *where = http_header(&x->h, "location");
	int status = x->h.status;
	struct span said;

	buf_reset(&b);
	if (status / 100 == 3)
		buf_printf(&b, "HTTP %d: redirects are not followed: %s",
		    status, where != NULL ? where : "to nowhere");
	else if (status == 401 || status == 403)
		buf_printf(&b, "HTTP %d: the server wants a token.  Make one "
			       "on its site, put it into a key file and add "
			       "\"key\": \"NAME\" to its entry, or \"key_cmd\" "
			       "with a command that prints it (toolhold(1), "
			       "FILES); there is no sign-in by OAuth", status);
	else
		buf_printf(&b, "HTTP %d", status);
	said = span_trim(buf_view(&x->text));
	if (said.n > 0) {
		buf_puts(&b, ": ");
		buf_add(&b, said.p, said.n < SAID ? said.n : SAID);
	}
	fail(x, status, buf_cstr(&b));
}

/* An HTTP exchange of a request is over, and it has no answer. */
static void
unanswered(struct post *x)
{
	static struct buf b;
	const char *type = http_header(&x->h, "content-type");

	if (x->islarge) {
		fail(x, LOCAL, "the answer has more than 64 MiB");
	} else if (x->form == STREAM
	    || (x->isresumed && x->h.status == 0)) {
		if (!resume(x))
			fail(x, LOCAL, "the stream ended before the answer");
	} else if (x->h.status == 0 || (x->h.end != HTTP_DONE
		&& x->h.status / 100 == 2)) {
		fail(x, LOCAL, x->h.why != NULL ? x->h.why : "no answer");
	} else if (x->isresumed) {
		buf_reset(&b);
		buf_printf(&b, "the stream ended before the answer, and "
			       "cannot be resumed: HTTP %d", x->h.status);
		fail(x, x->h.status, buf_cstr(&b));
	} else if (x->h.status == 404 && x->session != NULL) {
		lost(x);
	} else if (took_error(x)) {
		return;
	} else if (x->h.status / 100 != 2) {
		refused(x);
	} else {
		buf_reset(&b);
		buf_printf(&b, "HTTP %d: expected JSON or an event stream "
			       "with the answer, got %s", x->h.status,
		    type != NULL ? type : "nothing");
		fail(x, LOCAL, buf_cstr(&b));
	}
}

/* The standing stream: as long as the server offers it. */
static void
listen_again(struct post *x)
{
	if (x->form == STREAM && same(x->session, session)
	    && x->resumes++ < RESUMES) {
		x->state = WAITING;
		x->at = clock_ms()
		    + (x->sse.retry > 0 ? x->sse.retry : RETRY);
	} else {
		close_post(x);
	}
}

static void
sent(struct post *x)
{
	int isinitialized = x->method != NULL
	    && strcmp(x->method, "notifications/initialized") == 0;

	close_post(x);
	if (x->h.status / 100 == 2 && isinitialized)
		add_post(LISTEN, 0);
}

static int
isjson(const struct http *h)
{
	const char *type = http_header(h, "content-type");

	return type != NULL && strncasecmp(type, "application/json", 16) == 0;
}

static void
on_done(struct http *h)
{
	struct post *x = h->arg;

	if (x->form == UNKNOWN)
		x->form = form_of(h);
	if (x->form == STREAM) {
		isending = 1;
		if (!x->islarge && !x->isanswered)
			(void)sse_end(&x->sse);
		isending = 0;
		if (x->sse.id.n > 0) {
			buf_reset(&x->last);
			buf_span(&x->last, buf_view(&x->sse.id));
		}
	} else if (h->status / 100 == 2 && h->end == HTTP_DONE && isjson(h)
	    && x->text.n > 0 && !x->islarge) {
		message(x->text.p, x->text.n);
	}
	if (x->state == OVER)
		return;
	if (x->isagain) {
		x->isagain = 0;
		x->state = WAITING;
	} else if (x->kind == LISTEN) {
		listen_again(x);
	} else if (x->kind == TELL) {
		sent(x);
	} else if (x->kind == BYE || x->isanswered) {
		close_post(x);
	} else {
		unanswered(x);
	}
}

void
exchange_open(const struct exchange_spec *how)
{
	spec = how;
}

/* The client wants the answer to a request no more. */
static int
cancel(const struct json *j)
{
	struct post *x = find_request(json_span(j,
	    json_at(j, 0, "params.requestId")));
	int wasread;

	if (x == NULL || x->kind != REQUEST)
		return 0;
	wasread = x->session != NULL || !ismodern(x);
	wasread = wasread && x->h.url != NULL;
	http_cancel(&x->h);
	close_post(x);
	return wasread;
}

void
exchange_take(const char *p, size_t n)
{
	static struct json j;
	struct post *x;
	int method, id;

	if (span_trim((struct span){ p, n }).n == 0)
		return;
	if (json_parse(&j, p, n) < 0 || json_kind(&j, 0) != JSON_OBJECT) {
		warn("<stdin>: expected a JSON object on each line");
		return;
	}
	method = json_get(&j, 0, "method");
	id = json_get(&j, 0, "id");
	/* 2026-07-28 has no requests of servers, so no answers to them. */
	if (method < 0 && version == NULL)
		return;
	/* There, the end of the connection says it. */
	if (json_is(&j, method, "notifications/cancelled") && !cancel(&j))
		return;
	x = add_post(method >= 0 && id >= 0 ? REQUEST : TELL, 0);
	buf_add(&x->body, p, n);
	x->method = json_dup(&j, method);
	if (x->kind == REQUEST)
		buf_span(&x->id, json_span(&j, id));
	x->version = json_dup(&j, json_get(&j, json_at(&j, 0,
	    "params._meta"), "io.modelcontextprotocol/protocolVersion"));
	x->name = json_dup(&j, json_at(&j, 0, "params.name"));
	if (x->name == NULL)
		x->name = json_dup(&j, json_at(&j, 0, "params.uri"));
	if (json_is(&j, method, "initialize")) {
		buf_reset(&opening);
		buf_add(&opening, p, n);
	}
}

/* Does it wait for another?  2026-07-28 has no sessions to wait for. */
static int
isheld(const struct post *x)
{
	return gate != NULL && gate != x
	    && !(ismodern(x) && isopening(gate));
}

/* Send what may be sent; ms until more may be, -1: never by time. */
static long long
pump(void)
{
	long long now = clock_ms(), wait = -1;
	struct post *x;
	size_t i;

	sweep();
	for (i = 0; i < nposts; i++) {
		x = posts[i];
		if (x->islarge && x->state == RUNNING) {
			http_cancel(&x->h);
			if (x->kind == LISTEN)
				close_post(x);
			else
				fail(x, LOCAL, "an answer of more than 64 MiB");
		}
		if (x->state != WAITING || isheld(x))
			continue;
		if (x->at > now) {
			if (wait < 0 || x->at - now < wait)
				wait = x->at - now;
			continue;
		}
		start(x);
	}
	return wait;
}

int
exchange_work(int fd)
{
	return http_wait(fd, -1, -1, pump()) & 1;
}

int
exchange_busy(void)
{
	size_t i;

	for (i = 0; i < nposts; i++)
		if (posts[i]->state != OVER && posts[i]->kind != LISTEN)
			return 1;
	return 0;
}

void
exchange_close(void)
{
	struct post *x;
	size_t i;

	for (i = 0; i < nposts; i++)
		close_post(posts[i]);
	sweep();
	if (session == NULL)
		return;
	x = add_post(BYE, 0);
	x->session = xstrdup(session);
	while (exchange_busy())
		(void)exchange_work(-1);
	sweep();
}
