/*
 * mcpserve
 *
 * - An MCP server on standard streams: tools/list is what toollist prints,
 *   tools/call is a message with one call for toolrun.  Consent, confinement
 *   and limits are theirs; what needs a question is denied, since standard
 *   input is the client's.
 * - A toolrun per call, so that answers come when they are there; one that
 *   the client cancels gets TERM and no answer.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base64.h"
#include "child.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "filetype.h"
#include "json.h"
#include "opt.h"
#include "out.h"
#include "resulttext.h"
#include "rpc.h"
#include "signals.h"

enum {
	UNSUPPORTED = -32022, /* the version, of 2026-07-28 */
	BEAT = 1000,	 /* ms between two notifications of progress */
	TTL = 60000,	 /* ms that a list is good for */
	IMAGE = 8 << 20	 /* bytes of an image that is sent */
};

#define MODERN "2026-07-28"
#define META "io.modelcontextprotocol/"

static const char usage[] =
    "usage: mcpserve\n"
    "\n"
    "Serve the tools of toollist over the Model Context Protocol.\n";

static const char *const versions[] = { "2025-11-25", "2025-06-18",
	"2025-03-26", "2024-11-05" };

/* A call that runs. */
struct job {
	pid_t pid;
	int fd; /* its output */
	struct buf id; /* of the request, JSON */
	struct buf out;
	struct buf token; /* for its progress, JSON; empty: not wanted */
	struct buf run;	  /* its run directory, or empty */
	long long began, next; /* clock_ms: of the next progress */
	int ismodern;
	int iscancelled;
};

static struct job *jobs;
static size_t njobs, cap;
static struct buf tools; /* the records of toollist, a line each */
static struct buf runs; /* a directory of the runs, or empty */

/* What we can do, and how it is used. */
static void
put_offer(struct buf *b)
{
	static struct buf text;
	static const char *const none[] = { NULL };

	emit_key(b, "capabilities");
	emit_open(b, '{');
	rpc_empty(b, "tools");
	emit_close(b, '}');
	buf_reset(&text);
	resulttext(&text, "mcp_serve", none);
	emit_pairn(b, "instructions", text.p, text.n);
}

/* What a result of 2026-07-28 has too; ttl in ms, -1 if it may not be kept. */
static void
put_modern(struct buf *b, long long ttl)
{
	emit_pair(b, "resultType", "complete");
	if (ttl >= 0) {
		emit_pairi(b, "ttlMs", ttl);
		emit_pair(b, "cacheScope", "private");
	}
	emit_key(b, "_meta");
	emit_open(b, '{');
	rpc_self(b, META "serverInfo");
	emit_close(b, '}');
}

/* The tools as they are now.  0, or -1. */
static int
list_tools(void)
{
	char *const argv[] = { "toollist", NULL };
	struct child s = { .fd = { CHILD_NULL, 1, 2 } };
	int fd;
	pid_t pid;

	buf_reset(&tools);
	if (child_read(&pid, &s, argv, &fd) < 0) {
		warn_sys("toollist");
		return -1;
	}
	while (rpc_take(fd, &tools))
		;
	close(fd);
	return child_wait(pid) == 0 ? 0 : -1;
}

static void
put_tool(struct buf *b, const struct json *j)
{
	int i = json_get(j, 0, "parameters");

	emit_open(b, '{');
	emit_pairj(b, "name", json_span(j, json_get(j, 0, "name")));
	if (json_get(j, 0, "description") >= 0)
		emit_pairj(b, "description",
		    json_span(j, json_get(j, 0, "description")));
	emit_key(b, "inputSchema");
	if (i >= 0) {
		emit_span(b, json_span(j, i));
	} else {
		emit_open(b, '{');
		emit_pair(b, "type", "object");
		emit_close(b, '}');
	}
	emit_key(b, "annotations");
	emit_open(b, '{');
	emit_pairb(b, "readOnlyHint",
	    json_true(j, json_get(j, 0, "readonly")));
	emit_close(b, '}');
	emit_close(b, '}');
}

static void
list(struct span id, int ismodern)
{
	static struct buf b;
	static struct json j;
	char *at, *nl;

	if (list_tools() < 0) {
		rpc_error(id, RPC_INTERNAL, "the tools cannot be listed");
		return;
	}
	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_key(&b, "tools");
	emit_open(&b, '[');
	for (at = buf_cstr(&tools); (nl = strchr(at, '\n')) != NULL;
	     at = nl + 1)
		if (json_parse(&j, at, (size_t)(nl - at)) == 0
		    && json_is(&j, json_get(&j, 0, "type"), "tool"))
			put_tool(&b, &j);
	emit_close(&b, ']');
	if (ismodern)
		put_modern(&b, TTL);
	emit_close(&b, '}');
	rpc_end(&b);
}

/* What toolrun reads: the tools and a message that calls one. */
static int
input(const struct json *j, int name, int arguments)
{
	static struct buf b;

	buf_reset(&b);
	buf_span(&b, buf_view(&tools));
	emit_open(&b, '{');
	emit_pair(&b, "type", "message");
	emit_pair(&b, "role", "assistant");
	emit_key(&b, "content");
	emit_null(&b);
	emit_key(&b, "tool_calls");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "id", "1");
	emit_pair(&b, "type", "function");
	emit_key(&b, "function");
	emit_open(&b, '{');
	emit_pairj(&b, "name", json_span(j, name));
	if (arguments >= 0)
		emit_pairj(&b, "arguments", json_span(j, arguments));
	emit_close(&b, '}');
	emit_close(&b, '}');
	emit_close(&b, ']');
	emit_close(&b, '}');
	buf_puts(&b, "\n{\"type\":\"end\"}\n");
	return file_spool(buf_view(&b));
}

/* A directory for what this call keeps; none where it cannot be made. */
static void
make_run(struct job *x)
{
	static int serial;
	const char *dir = env_get("TMPDIR");

	if (runs.n == 0) {
		buf_printf(&runs, "%s/mcpserve.XXXXXX",
		    dir != NULL ? dir : "/tmp");
		if (mkdtemp(buf_cstr(&runs)) == NULL)
			buf_reset(&runs);
	}
	if (runs.n == 0)
		return;
	buf_printf(&x->run, "%s/%d", buf_cstr(&runs), ++serial);
	if (setenv("TURNPIPE_RUN", buf_cstr(&x->run), 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

static void
call(const struct json *j, struct span id, int ismodern)
{
	int token = json_at(j, 0, "params._meta.progressToken");
	char *argv[] = { "toolrun", "-r", "-w", NULL };
	int params = json_get(j, 0, "params");
	int name = json_get(j, params, "name"), in;
	int arguments = json_get(j, params, "arguments");
	struct child s = { .fd = { 0, 1, 2 } };
	struct job *x;

	if (json_kind(j, name) != JSON_STRING || json_is(j, name, "")
	    || (arguments >= 0 && json_kind(j, arguments) != JSON_OBJECT)) {
		rpc_error(id, RPC_BAD_PARAMS, "expected a name and arguments");
		return;
	}
	if ((tools.n == 0 && list_tools() < 0)
	    || (in = input(j, name, arguments)) < 0) {
		rpc_error(id, RPC_INTERNAL, "the call cannot be made");
		return;
	}
	grow(&jobs, &cap, njobs, sizeof(*jobs));
	x = &jobs[njobs];
	memset(x, 0, sizeof(*x));
	s.fd[0] = in;
	make_run(x);
	if (child_read(&x->pid, &s, argv, &x->fd) < 0) {
		warn_sys("toolrun");
		rpc_error(id, RPC_INTERNAL, "toolrun cannot be started");
	} else {
		buf_span(&x->id, id);
		if (token >= 0)
			buf_span(&x->token, json_span(j, token));
		x->began = clock_ms();
		x->next = x->began + (token >= 0 ? BEAT : 0);
		x->ismodern = ismodern;
		njobs++;
	}
	close(in);
}

/* What a client that wants it hears of a call that goes on: its seconds. */
static void
beat(struct job *x, long long now)
{
	static struct buf b;

	rpc_open(&b, "notifications/progress");
	emit_key(&b, "params");
	emit_open(&b, '{');
	emit_pairj(&b, "progressToken", buf_view(&x->token));
	emit_pairf(&b, "progress", (double)(now - x->began) / 1000);
	emit_close(&b, '}');
	rpc_end(&b);
	x->next = now + BEAT;
}

/* ms until the next beat, after those that are due; -1: none is. */
static int
beats(void)
{
	long long now = clock_ms(), wait = -1;
	size_t i;

	for (i = 0; i < njobs; i++) {
		if (jobs[i].token.n == 0 || jobs[i].iscancelled)
			continue;
		if (jobs[i].next <= now)
			beat(&jobs[i], now);
		if (wait < 0 || jobs[i].next - now < wait)
			wait = jobs[i].next - now;
	}
	return (int)wait;
}

/* The images and sounds that toolrun kept of a call. */
static void
put_images(struct buf *b, const struct buf *run)
{
	static struct buf path, data, text;
	const struct filetype *t;
	struct dirent *e;
	DIR *d;

	buf_reset(&path);
	buf_printf(&path, "%s/out", buf_cstr((struct buf *)run));
	d = run->n > 0 ? opendir(buf_cstr(&path)) : NULL;
	while (d != NULL && (e = readdir(d)) != NULL) {
		buf_reset(&path);
		buf_printf(&path, "%s/out/%s", run->p, e->d_name);
		buf_reset(&data);
		if (*e->d_name == '.'
		    || file_read(buf_cstr(&path), &data, IMAGE) != FILE_OK
		    || (t = filetype_of(data.p, data.n)) == NULL
		    || t->media == NULL
		    || strncmp(t->media, "application/", 12) == 0)
			continue;
		buf_reset(&text);
		base64_put(&text, data.p, data.n);
		emit_open(b, '{');
		emit_pair(b, "type", *t->media == 'i' ? "image" : "audio");
		emit_pairn(b, "data", text.p, text.n);
		emit_pair(b, "mimeType", t->media);
		emit_close(b, '}');
	}
	if (d != NULL)
		closedir(d);
}

/* The tool message that toolrun wrote, as a result. */
static void
put_result(struct job *x)
{
	static struct buf b;
	static struct json j;
	long long status;
	int tp;

	(void)child_wait(x->pid);
	close(x->fd);
	if (x->iscancelled)
		return;
	while (x->out.n > 0 && x->out.p[x->out.n - 1] == '\n')
		x->out.n--;
	if (json_parse(&j, x->out.p, x->out.n) < 0
	    || !json_is(&j, json_get(&j, 0, "role"), "tool")) {
		rpc_error(buf_view(&x->id), RPC_INTERNAL,
		    "toolrun gave no result");
		return;
	}
	tp = json_get(&j, 0, "tp");
	rpc_start(&b, buf_view(&x->id));
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_key(&b, "content");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "type", "text");
	emit_pairj(&b, "text", json_span(&j, json_get(&j, 0, "content")));
	emit_close(&b, '}');
	put_images(&b, &x->run);
	emit_close(&b, ']');
	/* Without a status it was not run. */
	emit_pairb(&b, "isError", json_int(&j, json_get(&j, tp, "exit"),
	    &status) < 0 || status != 0);
	if (x->ismodern)
		put_modern(&b, -1);
	emit_close(&b, '}');
	rpc_end(&b);
}

static void
cancel(struct span id)
{
	size_t i;

	for (i = 0; i < njobs; i++)
		if (span_same(buf_view(&jobs[i].id), id)) {
			jobs[i].iscancelled = 1;
			kill(jobs[i].pid, SIGTERM);
		}
}

static void
initialize(const struct json *j, struct span id)
{
	static struct buf b;
	int v = json_at(j, 0, "params.protocolVersion");
	size_t i, n = sizeof(versions) / sizeof(*versions);

	for (i = 0; i < n && !json_is(j, v, versions[i]); i++)
		;
	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_pair(&b, "protocolVersion", versions[i < n ? i : 0]);
	put_offer(&b);
	rpc_self(&b, "serverInfo");
	emit_close(&b, '}');
	rpc_end(&b);
}

static void
put_versions(struct buf *b, const char *key)
{
	size_t i;

	emit_key(b, key);
	emit_open(b, '[');
	emit_cstr(b, MODERN);
	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		emit_cstr(b, versions[i]);
	emit_close(b, ']');
}

static void
discover(struct span id)
{
	static struct buf b;

	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	put_versions(&b, "supportedVersions");
	put_offer(&b);
	put_modern(&b, TTL);
	emit_close(&b, '}');
	rpc_end(&b);
}

/*
 * Is a request one of 2026-07-28?  Its _meta says so.  -1: it is answered, as
 * it wants a version that we do not speak, or says too little.
 */
static int
find_version(const struct json *j, struct span id, int method)
{
	static struct buf b;
	int m = json_at(j, 0, "params._meta");
	int v = json_get(j, m, META "protocolVersion");

	if (v < 0 && !json_is(j, method, "server/discover"))
		return 0;
	if (v < 0 || json_kind(j, json_get(j, m, META "clientCapabilities"))
	    != JSON_OBJECT) {
		rpc_error(id, RPC_BAD_PARAMS, "expected protocolVersion and "
					     "clientCapabilities in _meta");
		return -1;
	}
	if (json_is(j, v, MODERN))
		return 1;
	rpc_start(&b, id);
	emit_key(&b, "error");
	emit_open(&b, '{');
	emit_pairi(&b, "code", UNSUPPORTED);
	emit_pair(&b, "message", "Unsupported protocol version");
	emit_key(&b, "data");
	emit_open(&b, '{');
	put_versions(&b, "supported");
	emit_pairj(&b, "requested", json_span(j, v));
	emit_close(&b, '}');
	emit_close(&b, '}');
	rpc_end(&b);
	return -1;
}

static void
message(const char *p, size_t n)
{
	static struct json j;
	static struct buf b;
	struct span id;
	enum rpc_kind kind = rpc_parse(&j, p, n, &id);
	int method, i, ismodern;

	/* Not a call: no answer is due. */
	if (kind == RPC_NONE || kind == RPC_ANSWER)
		return;
	method = json_get(&j, 0, "method");
	if (kind == RPC_NOTE) {
		i = json_at(&j, 0, "params.requestId");
		if (i >= 0 && json_is(&j, method, "notifications/cancelled"))
			cancel(json_span(&j, i));
		return;
	}
	ismodern = find_version(&j, id, method);
	if (ismodern < 0)
		return;
	if (json_is(&j, method, "server/discover")) {
		discover(id);
	} else if (!ismodern && json_is(&j, method, "initialize")) {
		initialize(&j, id);
	} else if (!ismodern && json_is(&j, method, "ping")) {
		rpc_start(&b, id);
		emit_key(&b, "result");
		emit_open(&b, '{');
		emit_close(&b, '}');
		rpc_end(&b);
	} else if (json_is(&j, method, "tools/list")) {
		list(id, ismodern);
	} else if (json_is(&j, method, "tools/call")) {
		call(&j, id, ismodern);
	} else {
		rpc_error(id, RPC_NO_METHOD, "Method not found");
	}
}

int
main(int argc, char **argv)
{
	static struct buf in;
	static struct pollfd *v;
	static size_t capv;
	size_t i, n;
	char *rm[] = { "rm", "-rf", "--", NULL, NULL };
	struct child null = { .fd = { CHILD_NULL, CHILD_NULL, 2 } };
	int over = 0;
	pid_t pid;

	prog = "mcpserve";
	(void)opt_next(argc, argv, "", NULL, usage);
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
	if (setenv("TURNPIPE_ASK", "0", 1) < 0)
		die_sys(EX_OSERR, "setenv");
	signals_arm(SIGNALS_ONCE);
	while (!over || njobs > 0) {
		while (capv < njobs + 2)
			grow(&v, &capv, capv, sizeof(*v));
		v[0].fd = over ? -1 : 0;
		v[0].events = POLLIN;
		for (i = 0; i < njobs; i++) {
			v[i + 1].fd = jobs[i].fd;
			v[i + 1].events = POLLIN;
		}
		n = njobs;
		v[n + 1].fd = over ? -1 : signals_fd();
		v[n + 1].events = POLLIN;
		if (poll(v, (nfds_t)n + 2, beats()) < 0)
			continue;
		/* Its calls end with it. */
		if (v[n + 1].revents != 0) {
			over = 1;
			for (i = 0; i < n; i++)
				kill(jobs[i].pid, SIGTERM);
		}
		for (i = n; i-- > 0;) {
			if (v[i + 1].revents == 0
			    || rpc_take(jobs[i].fd, &jobs[i].out))
				continue;
			put_result(&jobs[i]);
			buf_free(&jobs[i].id);
			buf_free(&jobs[i].out);
			buf_free(&jobs[i].token);
			buf_free(&jobs[i].run);
			jobs[i] = jobs[--njobs];
		}
		if (over || v[0].revents == 0)
			continue;
		over = !rpc_take(0, &in);
		if (over)
			buf_putc(&in, '\n'); /* if its last line has none */
		rpc_lines(&in, message);
	}
	if (runs.n > 0) {
		rm[3] = buf_cstr(&runs);
		if (child_start(&pid, &null, rm) == 0)
			(void)child_wait(pid);
	}
	out_end();
	if (signals_caught() != 0)
		signals_die(signals_caught());
	return 0;
}
