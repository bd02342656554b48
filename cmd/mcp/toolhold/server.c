#define _GNU_SOURCE /* environ */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "input.h"
#include "rpc.h"
#include "server.h"
#include "signals.h"

#define MODERN "2026-07-28"
#define LEGACY "2025-11-25"

enum {
	BLOCK = 65536,
	WORDS = 400,	/* bytes of its stderr that are kept */
	PROBE = 1000,	/* ms that an old server may ignore the probe, */
	PROBE_FAR = 10000, /* and one at a URL */
	PAGES = 100,	/* of a list */
	TOOLS = 16 << 20, /* bytes of a list */
	EOF_WAIT = 500, /* ms from the end of its output to its own */
	TICK = 20,	/* ms between two looks at a group that ends */
	HOUR = 3600000 /* ms */
};

/* The versions of initialize that we understand. */
static const char *const versions[] = { LEGACY, "2025-06-18", "2025-03-26",
	"2024-11-05" };

struct server_events server_events;
int server_user;

void
server_init(struct server *s, const struct mcpserver *conf)
{
	memset(s, 0, sizeof(*s));
	s->conf = conf;
	s->in = s->out = s->err = -1;
	s->ttl = HOUR;
}

static void
shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The last line that it wrote on stderr. */
static struct span
last_words(const struct server *s)
{
	struct span w = span_trim(buf_view(&s->words));
	size_t i;

	for (i = w.n; i > 0; i--)
		if (w.p[i - 1] == '\n') {
			w.p += i;
			w.n -= i;
			break;
		}
	return w;
}

static void
set_why(struct server *s, const char *what)
{
	struct span w = last_words(s);

	buf_reset(&s->why);
	buf_puts(&s->why, what);
	if (w.n > 0) {
		buf_puts(&s->why, "; its last words: ");
		buf_span(&s->why, w);
	}
}

/* A server's environment: its own, and what it may have of toolhold's. */
static void
set_environment(const struct mcpserver *c)
{
	/* The first PLAIN are for every server, the others for mcphttp. */
	enum { PLAIN = 4 };
	static const char *const names[] = { "PATH", "HOME", "LANG", "TMPDIR",
		"XDG_CONFIG_HOME", "CURL_CA_BUNDLE", "SSL_CERT_FILE",
		"SSL_CERT_DIR", "http_proxy", "HTTP_PROXY", "https_proxy",
		"HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
		"NO_PROXY" };
	size_t i, k, n = c->url == NULL ? PLAIN
	    : sizeof(names) / sizeof(*names);
	struct strs env = { 0 };
	struct buf b = { 0 };

	/* The first of a name is the one that getenv finds. */
	for (i = 0; i < c->env.n; i++)
		strs_add(&env, c->env.v[i]);
	for (i = 0; i < n; i++) {
		if (getenv(names[i]) == NULL)
			continue;
		buf_reset(&b);
		buf_printf(&b, "%s=", names[i]);
		for (k = 0; k < c->env.n; k++)
			if (strncmp(c->env.v[k], b.p, b.n) == 0)
				break;
		buf_puts(&b, getenv(names[i]));
		if (k == c->env.n)
			strs_add(&env, buf_cstr(&b));
	}
	environ = strs_vector(&env);
}

static _Noreturn void
child(const struct server *s, const int io[3])
{
	const struct mcpserver *c = s->conf;
	const char *mask = env_get("TURNPIPE_UMASK");
	sigset_t none;
	int fd;

	setsid();
#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	for (fd = 1; fd < NSIG; fd++)
		signal(fd, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (fd = 0; fd < 3; fd++)
		if (dup2(io[fd], fd) < 0)
			_exit(127);
	/* turnpipe's own is for what it keeps, as toolrun(1) has it. */
	if (mask != NULL)
		umask((mode_t)strtol(mask, NULL, 8) & 0777);
	set_environment(c);
	if (c->cwd != NULL && chdir(c->cwd) < 0) {
		warn_sys("%s", c->cwd);
		_exit(127);
	}
	execvp(c->command, strs_vector((struct strs *)&c->args));
	warn_sys("%s", c->command);
	_exit(127);
}

/* Queue a message: b holds it and is emptied. */
static void
send_line(struct server *s, struct buf *b)
{
	buf_putc(b, '\n');
	buf_add(&s->queue, b->p, b->n);
	buf_reset(b);
}

static void
capabilities(struct buf *b, const struct server *s)
{
	emit_open(b, '{');
	if (!s->conf->noroots)
		rpc_empty(b, "roots");
	if (server_user) {
		emit_key(b, "elicitation");
		emit_open(b, '{');
		rpc_empty(b, "form");
		emit_close(b, '}');
	}
	emit_close(b, '}');
}

/* What 2026-07-28 wants in each request. */
static void
meta(struct buf *b, const struct server *s, long long token, int ismodern)
{
	emit_key(b, "_meta");
	emit_open(b, '{');
	if (token > 0)
		emit_pairi(b, "progressToken", token);
	if (ismodern) {
		emit_pair(b, "io.modelcontextprotocol/protocolVersion",
		    MODERN);
		rpc_self(b, "io.modelcontextprotocol/clientInfo");
		emit_key(b, "io.modelcontextprotocol/clientCapabilities");
		capabilities(b, s);
	}
	emit_close(b, '}');
}

static long long
request(struct server *s, const char *method, struct span params,
    int ismodern, int wants)
{
	static struct buf b;
	static struct json j;
	long long id = ++s->next;
	int k;

	rpc_open(&b, method);
	emit_pairi(&b, "id", id);
	emit_key(&b, "params");
	emit_open(&b, '{');
	if (params.n > 0 && json_parse(&j, params.p, params.n) == 0)
		for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k))
			if (!json_is(&j, k, "_meta"))
				emit_member(&b, &j, k);
	if (ismodern || wants)
		meta(&b, s, wants ? id : 0, ismodern);
	emit_close(&b, '}');
	emit_close(&b, '}');
	send_line(s, &b);
	return id;
}

long long
server_request(struct server *s, const char *method, struct span params)
{
	return request(s, method, params, s->modern,
	    strcmp(method, "tools/call") == 0);
}

void
server_cancel(struct server *s, long long id)
{
	static struct buf b;

	rpc_open(&b, "notifications/cancelled");
	emit_key(&b, "params");
	emit_open(&b, '{');
	emit_pairi(&b, "requestId", id);
	emit_pair(&b, "reason", "the caller is gone");
	emit_close(&b, '}');
	emit_close(&b, '}');
	send_line(s, &b);
}

static void
initialize(struct server *s)
{
	static struct buf b;

	s->modern = 0;
	s->starting = ++s->next;
	rpc_open(&b, "initialize");
	emit_pairi(&b, "id", s->starting);
	emit_key(&b, "params");
	emit_open(&b, '{');
	emit_pair(&b, "protocolVersion", LEGACY);
	emit_key(&b, "capabilities");
	capabilities(&b, s);
	rpc_self(&b, "clientInfo");
	emit_close(&b, '}');
	emit_close(&b, '}');
	send_line(s, &b);
}

static void
discover(struct server *s)
{
	struct span none = { NULL, 0 };

	s->modern = 1;
	s->starting = s->probe = request(s, "server/discover", none, 1, 0);
}

void
server_start(struct server *s)
{
	int ours[3], theirs[3], i;
	long long now;

	buf_reset(&s->queue);
	buf_reset(&s->line);
	buf_reset(&s->words);
	buf_reset(&s->why);
	s->sent = s->scanned = 0;
	s->listing = s->probe = 0;
	s->stage = 0;
	s->eof = 0;
	s->pid = -1;
	if (fd_pipes(ours, theirs, 3) == 0) {
		s->pid = fork();
		if (s->pid == 0)
			child(s, theirs);
		for (i = 0; i < 3; i++) {
			close(theirs[i]);
			if (s->pid < 0)
				close(ours[i]);
		}
	}
	if (s->pid < 0) {
		buf_printf(&s->why, "could not be started: %s",
		    strerror(errno));
		server_events.gone(s);
		return;
	}
	s->in = ours[0];
	s->out = ours[1];
	s->err = ours[2];
	s->state = SERVER_STARTING;
	now = clock_ms();
	s->deadline = now + s->conf->start * 1000LL;
	s->slow = now + SERVER_SLOW;
	s->probing = now + (s->conf->url != NULL ? PROBE_FAR : PROBE);
	if (s->unprobed)
		initialize(s);
	else
		discover(s);
}

static void
signal_group(const struct server *s, int sig)
{
	/* Its group is set by the child: too early, it is the child alone. */
	if (kill(-s->pid, sig) < 0 && errno == ESRCH)
		kill(s->pid, sig);
}

void
server_stop(struct server *s)
{
	if (s->state == SERVER_OFF || s->state == SERVER_STOPPING)
		return;
	shut(&s->in);
	s->state = SERVER_STOPPING;
	s->stage = 0;
	s->deadline = clock_ms() + SERVER_CLOSED;
}

/* It is of no more use: its tools and calls are gone now, it ends in time. */
static void
fail(struct server *s, const char *why)
{
	set_why(s, why);
	server_stop(s);
	server_events.gone(s);
}

int
server_alive(const struct server *s)
{
	return s->state != SERVER_OFF;
}

void
server_list(struct server *s)
{
	struct span none = { NULL, 0 };

	if (s->listing != 0)
		return;
	buf_reset(&s->page);
	buf_putc(&s->page, '[');
	s->pages = 0;
	s->isstale = 0;
	s->deadline = clock_ms() + s->conf->start * 1000LL;
	s->listing = server_request(s, "tools/list", none);
}

static void
list_failed(struct server *s, const char *why)
{
	s->listing = 0;
	s->deadline = 0;
	s->listed = 0;
	set_why(s, why);
	server_events.listed(s);
}

static void
list_done(struct server *s)
{
	buf_reset(&s->tools);
	buf_span(&s->tools, buf_view(&s->page));
	buf_putc(&s->tools, ']');
	s->listing = 0;
	s->deadline = 0;
	s->listed = 1;
	s->listedat = (long long)time(NULL);
	buf_reset(&s->why);
	server_events.listed(s);
}

/* One page of the list, at i of j. */
static void
list_page(struct server *s, const struct json *j, int i)
{
	static struct buf b;
	double ttl;
	int tools = json_get(j, i, "tools"), next, k;

	if (json_kind(j, tools) != JSON_ARRAY) {
		list_failed(s, "expected a list of tools");
		return;
	}
	for (k = json_first(j, tools); k >= 0; k = json_next(j, k)) {
		if (s->page.n > 1)
			buf_putc(&s->page, ',');
		buf_span(&s->page, json_span(j, k));
	}
	/* Each page has its own; the list is as old as the first to end. */
	if (json_num(j, json_get(j, i, "ttlMs"), &ttl) == 0) {
		ttl = ttl < 0 ? 0 : ttl > 1e12 ? 1e12 : ttl;
		if (s->pages == 0 || (long long)ttl < s->ttl)
			s->ttl = (long long)ttl;
	}
	next = json_get(j, i, "nextCursor");
	if (json_kind(j, next) == JSON_STRING) {
		if (++s->pages >= PAGES || s->page.n > TOOLS) {
			list_failed(s, "expected a list of tools that ends");
			return;
		}
		buf_reset(&b);
		emit_open(&b, '{');
		emit_pairj(&b, "cursor", json_span(j, next));
		emit_close(&b, '}');
		s->listing = server_request(s, "tools/list", buf_view(&b));
		return;
	}
	list_done(s);
}

/* What the server says of itself in the result that proved it. */
static void
ready(struct server *s, const struct json *j)
{
	int i = json_at(j, 0, "result.instructions");

	buf_reset(&s->instructions);
	if (json_kind(j, i) == JSON_STRING && !json_is(j, i, ""))
		buf_span(&s->instructions, json_span(j, i));
	s->state = SERVER_READY;
	s->starting = 0;
	s->deadline = s->slow = 0;
	server_events.ready(s);
}

/* Is the version in the list at i? */
static int
speaks(const struct json *j, int i, const char *what)
{
	int k;

	if (json_kind(j, i) != JSON_ARRAY)
		return 0;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (json_is(j, k, what))
			return 1;
	return 0;
}

/* The message of its error becomes the reason. */
static void
refused(struct server *s, const struct json *j, const char *method)
{
	static struct buf b;
	char *text = json_dup(j, json_at(j, 0, "error.message"));

	buf_reset(&b);
	buf_printf(&b, "%s: %s", method, text != NULL ? text
	    : "expected a result");
	free(text);
	fail(s, buf_cstr(&b));
}

/*
 * The answer to server/discover: 2026-07-28 is spoken by a server that names
 * it, whatever else an old one answers to a method that it does not know.
 */
static void
discovered(struct server *s, const struct json *j)
{
	if (speaks(j, json_at(j, 0, "result.supportedVersions"), MODERN)
	    || speaks(j, json_at(j, 0, "error.data.supported"), MODERN))
		ready(s, j);
	else
		initialize(s);
}

static void
initialized(struct server *s, const struct json *j)
{
	static struct buf b;
	int v = json_at(j, 0, "result.protocolVersion");
	char *text;
	size_t i;

	if (json_get(j, 0, "result") < 0) {
		/* One of 2026-07-28 that was too slow for the probe. */
		s->modern = speaks(j, json_at(j, 0, "error.data.supported"),
		    MODERN);
		if (s->modern)
			ready(s, j);
		else
			refused(s, j, "initialize");
		return;
	}
	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (json_is(j, v, versions[i]))
			break;
	if (i == sizeof(versions) / sizeof(*versions)) {
		buf_reset(&b);
		text = json_dup(j, v);
		buf_printf(&b, "initialize: expected a version of the "
			       "protocol that we speak, got %s",
		    text != NULL ? text : "none");
		free(text);
		fail(s, buf_cstr(&b));
		return;
	}
	rpc_open(&b, "notifications/initialized");
	emit_close(&b, '}');
	send_line(s, &b);
	ready(s, j);
}

/* An answer to one of our requests. */
static void
answered(struct server *s, const struct json *j, long long id)
{
	static const char neither[] =
	    "{\"code\":-32603,\"message\":\"expected a result\"}";
	const struct span nothing = { neither, sizeof(neither) - 1 };
	int r = json_get(j, 0, "result"), e = json_get(j, 0, "error");
	static struct buf b;
	long long code;
	char *text;

	if (s->starting != 0 && id == s->starting) {
		if (s->modern)
			discovered(s, j);
		else
			initialized(s, j);
	} else if (s->starting != 0 && id == s->probe && r >= 0
	    && speaks(j, json_get(j, r, "supportedVersions"), MODERN)) {
		/* Late, but initialize is not answered yet. */
		s->modern = 1;
		ready(s, j);
	} else if (s->listing != 0 && id == s->listing) {
		if (r >= 0) {
			list_page(s, j, r);
			return;
		}
		/* One that has prompts or resources only. */
		if (json_int(j, json_get(j, e, "code"), &code) == 0
		    && code == RPC_NO_METHOD) {
			list_done(s);
			return;
		}
		text = json_dup(j, json_get(j, e, "message"));
		buf_reset(&b);
		buf_printf(&b, "tools/list: %s",
		    text != NULL ? text : "expected a result");
		free(text);
		list_failed(s, buf_cstr(&b));
	} else if (r >= 0) {
		server_events.answer(s, id, json_span(j, r), 0);
	} else if (e >= 0) {
		server_events.answer(s, id, json_span(j, e), 1);
	} else {
		server_events.answer(s, id, nothing, 1);
	}
}

void
server_answer(struct server *s, struct span id, struct span result)
{
	static struct buf b;

	rpc_open(&b, NULL);
	emit_pairj(&b, "id", id);
	emit_pairj(&b, "result", result);
	emit_close(&b, '}');
	send_line(s, &b);
}

/* A request of the server's: ping, roots, a form; all else we do not offer. */
static void
asked(struct server *s, const struct json *j, int method, int id)
{
	static struct buf b, result;

	if (json_is(j, method, "elicitation/create") && !s->modern
	    && server_user) {
		server_events.asked(s, json_span(j, id),
		    json_span(j, json_get(j, 0, "params")));
		return;
	}
	buf_reset(&result);
	emit_open(&result, '{');
	if (json_is(j, method, "roots/list") && !s->modern
	    && !s->conf->noroots)
		input_roots(&result);
	emit_close(&result, '}');
	if (result.n > 2 || json_is(j, method, "ping")) {
		server_answer(s, json_span(j, id), buf_view(&result));
	} else {
		rpc_open(&b, NULL);
		emit_pairj(&b, "id", json_span(j, id));
		emit_key(&b, "error");
		emit_open(&b, '{');
		emit_pairi(&b, "code", RPC_NO_METHOD);
		emit_pair(&b, "message", "Method not found");
		emit_close(&b, '}');
		emit_close(&b, '}');
		send_line(s, &b);
	}
}

static void
notified(struct server *s, const struct json *j, int method)
{
	int params = json_get(j, 0, "params");
	long long id;

	if (json_is(j, method, "notifications/tools/list_changed"))
		s->isstale = 1;
	else if (json_is(j, method, "notifications/progress")
	    && json_int(j, json_get(j, params, "progressToken"), &id) == 0)
		server_events.progress(s, id);
}

/*
 * A line that is no JSON but looks like an answer: the request whose id it
 * has must not wait for another.
 */
static void
garbled(struct server *s, const char *p, size_t n, const char *why)
{
	static struct buf b, e;
	char *end, *at;
	long long id;

	buf_reset(&b);
	buf_add(&b, p, n < 200 ? n : 200);
	at = strstr(buf_cstr(&b), "\"id\":");
	if (at == NULL && n > 200) {
		buf_reset(&b);
		buf_add(&b, p + n - 200, 200);
		at = strstr(buf_cstr(&b), "\"id\":");
	}
	if (at == NULL)
		return;
	id = strtoll(at + 5, &end, 10);
	if (end == at + 5 || id < 1 || id > s->next)
		return;
	buf_reset(&e);
	emit_open(&e, '{');
	emit_pairi(&e, "code", -32700);
	emit_pair(&e, "message", why);
	emit_close(&e, '}');
	if (id == s->starting || id == s->listing)
		return;		/* the time that it has runs out */
	server_events.answer(s, id, buf_view(&e), 1);
}

static void
take_line(struct server *s, const char *p, size_t n)
{
	static struct json j;
	static struct buf b;
	int method, id;
	long long v;

	while (n > 0 && (p[n - 1] == '\r' || p[n - 1] == ' '))
		n--;
	if (n == 0)
		return;
	if (json_parse(&j, p, n) < 0 || json_kind(&j, 0) != JSON_OBJECT) {
		if (!s->warned++) {
			buf_reset(&b);
			buf_puts(&b, "wrote a line that is no JSON object; "
				     "such lines are skipped: ");
			buf_add(&b, p, n < 60 ? n : 60);
			server_events.tell(s, buf_cstr(&b));
		}
		if (*p == '{')
			garbled(s, p, n, j.why != NULL ? j.why
			    : "expected an object");
		return;
	}
	method = json_get(&j, 0, "method");
	id = json_get(&j, 0, "id");
	if (method >= 0 && id >= 0)
		asked(s, &j, method, id);
	else if (method >= 0)
		notified(s, &j, method);
	else if (json_int(&j, id, &v) == 0)
		answered(s, &j, v);
}

/* Take the lines that are whole. */
static void
take_lines(struct server *s)
{
	static struct buf line;
	char *nl;
	size_t start = 0;

	while (s->state != SERVER_OFF && s->state != SERVER_STOPPING
	    && (nl = memchr(s->line.p + s->scanned, '\n',
		    s->line.n - s->scanned)) != NULL) {
		/* What it leads to may start the server anew. */
		buf_reset(&line);
		buf_add(&line, s->line.p + start,
		    (size_t)(nl - s->line.p) - start);
		start = s->scanned = (size_t)(nl - s->line.p) + 1;
		take_line(s, line.p, line.n);
	}
	if (s->state == SERVER_OFF || s->state == SERVER_STOPPING) {
		buf_reset(&s->line);
		s->scanned = 0;
		return;
	}
	s->line.n -= start;
	memmove(s->line.p, s->line.p + start, s->line.n);
	s->scanned = s->line.n;
	if (s->line.n > SERVER_LINE)
		fail(s, "wrote a line of more than 64 MiB");
}

/* Its process is gone, and its group if it is being stopped. */
static void
process_ended(struct server *s, int status)
{
	static struct buf b;
	int stopping = s->state == SERVER_STOPPING;
	int starting = s->state == SERVER_STARTING;

	shut(&s->in);
	shut(&s->out);
	shut(&s->err);
	s->state = SERVER_OFF;
	s->deadline = 0;
	s->pid = -1;
	if (stopping)
		return;
	if (starting && s->modern && !s->unprobed) {
		s->unprobed = 1;
		server_start(s);
		return;
	}
	buf_reset(&b);
	if (WIFSIGNALED(status))
		buf_printf(&b, "ended by signal %d", WTERMSIG(status));
	else
		buf_printf(&b, "ended with status %d", WEXITSTATUS(status));
	set_why(s, buf_cstr(&b));
	server_events.gone(s);
}

/* One read; 0 when there is no more for now. */
static int
read_once(struct server *s, int *fd, struct buf *b)
{
	ssize_t r;

	if (*fd < 0)
		return 0;
	buf_room(b, BLOCK);
	r = read(*fd, b->p + b->n, BLOCK);
	if (r > 0)
		b->n += (size_t)r;
	else if (r == 0 || (errno != EAGAIN && errno != EINTR))
		shut(fd);
	(void)s;
	return r > 0;
}

static void
take_words(struct server *s)
{
	if (read_once(s, &s->err, &s->words) && s->words.n > WORDS) {
		memmove(s->words.p, s->words.p + s->words.n - WORDS, WORDS);
		s->words.n = WORDS;
	}
}

static void
give(struct server *s)
{
	ssize_t w;

	if (s->in < 0 || s->sent == s->queue.n)
		return;
	w = write(s->in, s->queue.p + s->sent, s->queue.n - s->sent);
	if (w > 0)
		s->sent += (size_t)w;
	else if (w < 0 && errno != EAGAIN && errno != EINTR)
		shut(&s->in); /* it is about to end, and is waited for */
	if (s->sent == s->queue.n) {
		buf_reset(&s->queue);
		s->sent = 0;
	}
}

size_t
server_poll(struct server *s, struct pollfd *v)
{
	size_t n = 0;

	if (s->in >= 0 && s->sent < s->queue.n) {
		v[n].fd = s->in;
		v[n++].events = POLLOUT;
	}
	if (s->out >= 0) {
		v[n].fd = s->out;
		v[n++].events = POLLIN;
	}
	if (s->err >= 0) {
		v[n].fd = s->err;
		v[n++].events = POLLIN;
	}
	return n;
}

void
server_polled(struct server *s, const struct pollfd *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (v[i].revents == 0)
			continue;
		if (v[i].fd == s->in) {
			give(s);
		} else if (v[i].fd == s->err) {
			take_words(s);
		} else if (v[i].fd == s->out) {
			if (read_once(s, &s->out, &s->line))
				take_lines(s);
			return; /* what it led to may have new descriptors */
		}
	}
}

long long
server_wait(const struct server *s, long long now)
{
	long long at;

	if (s->state == SERVER_OFF)
		return -1;
	if (s->state == SERVER_STOPPING
	    || (s->state != SERVER_OFF && s->out < 0))
		return TICK;
	at = s->deadline;
	if (s->slow > 0 && s->slow < at)
		at = s->slow;
	if (s->starting != 0 && s->modern && s->probing < at)
		at = s->probing;
	return at == 0 ? -1 : at > now ? at - now : 0;
}

/* The next step of an end that takes too long. */
static void
next_stop_signal(struct server *s, long long now)
{
	if (now < s->deadline)
		return;
	signal_group(s, s->stage == 0 ? SIGTERM : SIGKILL);
	s->stage++;
	s->deadline = now + SERVER_TERM;
}

static const char *
late(const struct server *s, const char *what)
{
	static struct buf b;

	buf_reset(&b);
	buf_printf(&b, "did not %s within %d s", what, s->conf->start);
	return buf_cstr(&b);
}

void
server_tick(struct server *s, long long now)
{
	siginfo_t info;
	int status = 0;

	if (s->state == SERVER_OFF)
		return;
	info.si_pid = 0;
	if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOWAIT | WNOHANG) < 0
	    || info.si_pid == s->pid) {
		/* Read what the server wrote before it ended. */
		while (s->state != SERVER_STOPPING && s->out >= 0
		    && read_once(s, &s->out, &s->line))
			take_lines(s);
		while (s->err >= 0 && read_once(s, &s->err, &s->words))
			;
		if (s->words.n > WORDS) {
			memmove(s->words.p, s->words.p + s->words.n - WORDS,
			    WORDS);
			s->words.n = WORDS;
		}
		/* What it left in its group goes with it, and until it is
		 * waited for that group has no other's number. */
		kill(-s->pid, SIGKILL);
		(void)waitpid(s->pid, &status, 0);
		process_ended(s, status);
		return;
	}
	if (s->state == SERVER_STOPPING) {
		next_stop_signal(s, now);
	} else if (s->out < 0) {
		/* Most end right after they closed it. */
		if (s->eof == 0)
			s->eof = now;
		else if (now - s->eof > EOF_WAIT)
			fail(s, "closed its output");
	} else if (s->starting != 0 && s->modern && now >= s->probing) {
		initialize(s);
	} else if (s->deadline > 0 && now >= s->deadline) {
		s->deadline = 0;
		if (s->state == SERVER_STARTING)
			fail(s, late(s, "answer"));
		else if (s->listing != 0)
			list_failed(s, late(s, "list its tools"));
	} else if (s->slow > 0 && now >= s->slow) {
		s->slow = 0;
		server_events.slow(s);
	}
}
