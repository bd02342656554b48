/*
 * mcpserve [-y]
 *
 * - An MCP server on standard streams: tools/list is what toollist prints,
 *   tools/call is a message with one call for toolrun.  Consent, confinement
 *   and limits are theirs; what needs a question is denied, since standard
 *   input is the client's.
 * - A toolrun per call, so that answers come when they are there; one that
 *   the client cancels gets TERM and no answer.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "config.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "json.h"
#include "opt.h"
#include "out.h"

enum {
	BLOCK = 65536,
	LINE = 64 << 20, /* bytes of a message */
	NOT_JSON = -32700,
	NO_REQUEST = -32600,
	NO_METHOD = -32601,
	BAD_PARAMS = -32602,
	INTERNAL = -32603
};

static const char usage[] =
    "usage: mcpserve [-y]\n"
    "\n"
    "Serve the tools of toollist over the Model Context Protocol.\n"
    "\n"
    "  -y, --yes    run every tool that no rule denies\n";

static const struct option opts[] = {
	{ "yes", no_argument, NULL, 'y' },
	{ NULL, 0, NULL, 0 },
};

static const char *const versions[] = { "2025-11-25", "2025-06-18",
	"2025-03-26", "2024-11-05" };

/* A call that runs. */
struct job {
	pid_t pid;
	int fd; /* its output */
	struct buf id; /* of the request, JSON */
	struct buf out;
	int iscancelled;
};

static struct job *jobs;
static size_t njobs, cap;
static struct buf tools; /* the records of toollist, a line each */
static int yes;

/* An answer: b holds it from "result" or "error" on, still open. */
static void
answer_end(struct buf *b)
{
	emit_close(b, '}');
	out_record(b);
	out_flush();
}

static void
answer_start(struct buf *b, struct span id)
{
	buf_reset(b);
	emit_open(b, '{');
	emit_pair(b, "jsonrpc", "2.0");
	if (id.n > 0)
		emit_pairj(b, "id", id);
	else {
		emit_key(b, "id");
		emit_null(b);
	}
}

static void
answer_error(struct span id, int code, const char *why)
{
	static struct buf b;

	answer_start(&b, id);
	emit_key(&b, "error");
	emit_open(&b, '{');
	emit_pairi(&b, "code", code);
	emit_pair(&b, "message", why);
	emit_close(&b, '}');
	answer_end(&b);
}

/* One read.  0 at its end. */
static int
take(int fd, struct buf *b)
{
	ssize_t r;

	buf_room(b, BLOCK);
	r = read(fd, b->p + b->n, BLOCK);
	if (r > 0)
		b->n += (size_t)r;
	return r > 0 || (r < 0 && errno == EINTR);
}

/* The tools as they are now.  0, or -1. */
static int
look(void)
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
	while (take(fd, &tools))
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
list(struct span id)
{
	static struct buf b;
	static struct json j;
	char *at, *nl;

	if (look() < 0) {
		answer_error(id, INTERNAL, "the tools cannot be listed");
		return;
	}
	answer_start(&b, id);
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
	emit_close(&b, '}');
	answer_end(&b);
}

/* What toolrun reads: the tools and a message that calls one. */
static int
input(const struct json *j, int name, int arguments)
{
	static struct buf b, text;
	const char *dir = env_get("TMPDIR");
	int fd;

	buf_reset(&text);
	buf_printf(&text, "%s/mcpserve.XXXXXX", dir != NULL ? dir : "/tmp");
	fd = mkstemp(buf_cstr(&text));
	if (fd < 0)
		return -1;
	unlink(buf_cstr(&text));
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	buf_reset(&b);
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
	if (fd_write(fd, tools.p, tools.n) < 0 || fd_write(fd, b.p, b.n) < 0
	    || lseek(fd, 0, SEEK_SET) < 0) {
		fd_drop(fd);
		return -1;
	}
	return fd;
}

static void
call(const struct json *j, struct span id)
{
	char *argv[] = { "toolrun", "-r", "-w", yes ? "-y" : NULL, NULL };
	int params = json_get(j, 0, "params");
	int name = json_get(j, params, "name"), in;
	int arguments = json_get(j, params, "arguments");
	struct child s = { .fd = { 0, 1, 2 } };
	struct job *x;

	if (json_kind(j, name) != JSON_STRING || json_is(j, name, "")
	    || (arguments >= 0 && json_kind(j, arguments) != JSON_OBJECT)) {
		answer_error(id, BAD_PARAMS, "expected a name and arguments");
		return;
	}
	if ((tools.n == 0 && look() < 0)
	    || (in = input(j, name, arguments)) < 0) {
		answer_error(id, INTERNAL, "the call cannot be made");
		return;
	}
	grow(&jobs, &cap, njobs, sizeof(*jobs));
	x = &jobs[njobs];
	memset(x, 0, sizeof(*x));
	s.fd[0] = in;
	if (child_read(&x->pid, &s, argv, &x->fd) < 0) {
		warn_sys("toolrun");
		answer_error(id, INTERNAL, "toolrun cannot be started");
	} else {
		buf_span(&x->id, id);
		njobs++;
	}
	close(in);
}

/* The tool message that toolrun wrote, as a result. */
static void
conclude(struct job *x)
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
		answer_error(buf_view(&x->id), INTERNAL,
		    "toolrun gave no result");
		return;
	}
	tp = json_get(&j, 0, "tp");
	answer_start(&b, buf_view(&x->id));
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_key(&b, "content");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "type", "text");
	emit_pairj(&b, "text", json_span(&j, json_get(&j, 0, "content")));
	emit_close(&b, '}');
	emit_close(&b, ']');
	/* Without a status it was not run. */
	emit_pairb(&b, "isError", json_int(&j, json_get(&j, tp, "exit"),
	    &status) < 0 || status != 0);
	emit_close(&b, '}');
	answer_end(&b);
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
	answer_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_pair(&b, "protocolVersion", versions[i < n ? i : 0]);
	emit_key(&b, "capabilities");
	emit_open(&b, '{');
	emit_key(&b, "tools");
	emit_open(&b, '{');
	emit_close(&b, '}');
	emit_close(&b, '}');
	emit_key(&b, "serverInfo");
	emit_open(&b, '{');
	emit_pair(&b, "name", "turnpipe");
	emit_pair(&b, "version", VERSION);
	emit_close(&b, '}');
	emit_close(&b, '}');
	answer_end(&b);
}

static void
message(const char *p, size_t n)
{
	static struct json j;
	static struct buf b;
	struct span id = { NULL, 0 };
	int method, i;

	if (span_trim((struct span){ p, n }).n == 0)
		return;
	if (json_parse(&j, p, n) < 0) {
		answer_error(id, NOT_JSON, j.why);
		return;
	}
	method = json_get(&j, 0, "method");
	i = json_get(&j, 0, "id");
	if (json_kind(&j, method) != JSON_STRING) {
		/* An answer to what was not asked needs none. */
		if (json_get(&j, 0, "result") < 0
		    && json_get(&j, 0, "error") < 0)
			answer_error(id, NO_REQUEST, "expected a method");
		return;
	}
	if (i < 0) {
		i = json_at(&j, 0, "params.requestId");
		if (i >= 0 && json_is(&j, method, "notifications/cancelled"))
			cancel(json_span(&j, i));
		return;
	}
	id = json_span(&j, i);
	if (json_is(&j, method, "initialize")) {
		initialize(&j, id);
	} else if (json_is(&j, method, "ping")) {
		answer_start(&b, id);
		emit_key(&b, "result");
		emit_open(&b, '{');
		emit_close(&b, '}');
		answer_end(&b);
	} else if (json_is(&j, method, "tools/list")) {
		list(id);
	} else if (json_is(&j, method, "tools/call")) {
		call(&j, id);
	} else {
		answer_error(id, NO_METHOD, "Method not found");
	}
}

int
main(int argc, char **argv)
{
	static struct buf in;
	static struct pollfd *v;
	static size_t capv;
	size_t i, n, start_at;
	int c, over = 0;
	char *nl;

	prog = "mcpserve";
	while ((c = opt_next(argc, argv, "y", opts, usage)) != -1)
		if (c == 'y')
			yes = 1;
	if (optind < argc)
		opt_die(usage, "expected no operand, got '%s'", argv[optind]);
	if (setenv("TURNPIPE_ASK", "0", 1) < 0)
		die_sys(EX_OSERR, "setenv");
	while (!over || njobs > 0) {
		while (capv < njobs + 1)
			grow(&v, &capv, capv, sizeof(*v));
		v[0].fd = over ? -1 : 0;
		v[0].events = POLLIN;
		for (i = 0; i < njobs; i++) {
			v[i + 1].fd = jobs[i].fd;
			v[i + 1].events = POLLIN;
		}
		n = njobs;
		if (poll(v, (nfds_t)n + 1, -1) < 0)
			continue;
		for (i = n; i-- > 0;) {
			if (v[i + 1].revents == 0
			    || take(jobs[i].fd, &jobs[i].out))
				continue;
			conclude(&jobs[i]);
			buf_free(&jobs[i].id);
			buf_free(&jobs[i].out);
			jobs[i] = jobs[--njobs];
		}
		if (v[0].fd < 0 || v[0].revents == 0)
			continue;
		if (!take(0, &in))
			over = 1;
		if (in.n > LINE)
			die(EX_DATAERR, "<stdin>: expected a line of at most "
					"64 MiB");
		for (start_at = 0; in.n > 0 && (nl = memchr(in.p + start_at,
		    '\n', in.n - start_at)) != NULL;) {
			message(in.p + start_at,
			    (size_t)(nl - in.p) - start_at);
			start_at = (size_t)(nl - in.p) + 1;
		}
		if (start_at > 0) {
			in.n -= start_at;
			memmove(in.p, in.p + start_at, in.n);
		}
	}
	out_end();
	return 0;
}
