/*
 * llmserver [-r] [-f text | -s script] [-l log] [-m bytes] [-P file] [-p port]
 *
 * - A model's provider on 127.0.0.1 for tests and benchmarks.  The port goes
 *   to stdout, or whole to the file of -P.  SIGTERM ends it, and so does the
 *   end of its parent, killed or not.
 * - Line k of the script answers request k; -r repeats the last line, else
 *   what comes after it gets 599.  -f TEXT is {"text":TEXT} for ever.
 * - -l writes each request as one line, before its answer's first byte.  A
 *   log of more than -m bytes ends the server: who asks for ever must not
 *   fill the disk.
 * - A line is one object of
 *     path       other paths get 404 (and use the line up)
 *     status, headers
 *     body       JSON to send, or a string to send as it stands
 *     chunks     [{"data" or "b64", "delay_ms"}...]: one write each
 *     events     values, each a server-sent event ("[DONE]" as a string),
 *                with "event: TYPE" where it has a "type"
 *     text, calls, thinking, finish, usage, model   an answer, streamed when
 *                the request says so, of the Messages API where the path ends
 *                in /messages, of the Responses API where in /responses, else
 *                a Chat Completion; calls: [{id, name, arguments}...]
 *     delay_ms   before every chunk or event that has none of its own
 *     stall_ms   before the answer's first byte
 *     until      not before there is a file of this name
 *     break      close the connection where the body would end (a streamed
 *                text: before its finish), or without a byte if there is none
 *     repeat     how many requests the line serves
 * - One thread: an answer that has to wait is suspended and stands in a list.
 */

#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <microhttpd.h>

#include "buf.h"
#include "diag.h"
#include "emit.h"
#include "json.h"
#include "llmanswer.h"
#include "llmscript.h"

/* A request and what becomes of it. */
struct exchange {
	struct MHD_Connection *conn;
	struct exchange *next; /* in the list of those that wait */
	const struct json *line; /* of the script; NULL behind its end */
	char *target;
	struct buf body;
	struct json json; /* of the body */
	struct answer answer;
	size_t piece;
	long long due;
	unsigned int status;
	int begun, ready, breaks;
};

static int repeats;
static unsigned long nrequests;
static int logfd = -1;
static size_t logged, logmax = (size_t)256 << 20;
static struct exchange *waiting;
static long long soonest;

static _Noreturn void
usage(void)
{
	fputs("usage: llmserver [-r] [-f text | -s script] [-l log] "
	      "[-m bytes] [-P file] [-p port]\n",
	    stderr);
	exit(EX_USAGE);
}

static long long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
pause_for(struct exchange *x, long long ms)
{
	x->due = now() + ms;
	if (waiting == NULL || x->due < soonest)
		soonest = x->due;
	x->next = waiting;
	waiting = x;
	MHD_suspend_connection(x->conn);
}

/* Let those go on whose time it is, in the next run of the daemon. */
static void
resume(void)
{
	struct exchange *x, **p;
	long long t;

	if (waiting == NULL || (t = now()) < soonest)
		return;
	soonest = t + 3600000;
	for (p = &waiting; (x = *p) != NULL;)
		if (x->due <= t) {
			*p = x->next;
			MHD_resume_connection(x->conn);
		} else {
			if (x->due < soonest)
				soonest = x->due;
			p = &x->next;
		}
}

/* Headers of the request; a repeated one's values are joined. */
struct headers {
	struct strs names, values;
};

static enum MHD_Result
add_header(void *cls, enum MHD_ValueKind kind, const char *name,
    const char *value)
{
	struct headers *h = cls;
	struct buf b = {0};
	long i;

	(void)kind;
	for (; *name != '\0'; name++)
		buf_putc(&b, tolower((unsigned char)*name));
	i = strs_find(&h->names, buf_cstr(&b));
	if (i < 0) {
		strs_add(&h->names, b.p);
		strs_add(&h->values, value == NULL ? "" : value);
	} else {
		buf_reset(&b);
		buf_printf(&b, "%s, %s", h->values.v[i],
		    value == NULL ? "" : value);
		free(h->values.v[i]);
		h->values.v[i] = xstrdup(buf_cstr(&b));
	}
	buf_free(&b);
	return MHD_YES;
}

static void
record(struct exchange *x, const char *method)
{
	static struct headers h;
	static struct buf b;
	size_t i, from;

	buf_reset(&b);
	emit_open(&b, '{');
	emit_pairi(&b, "n", (long long)nrequests);
	emit_pair(&b, "method", method);
	emit_pair(&b, "path", x->target);
	emit_key(&b, "headers");
	emit_open(&b, '{');
	MHD_get_connection_values(x->conn, MHD_HEADER_KIND, add_header, &h);
	for (i = 0; i < h.names.n; i++)
		emit_pair(&b, h.names.v[i], h.values.v[i]);
	strs_reset(&h.names);
	strs_reset(&h.values);
	emit_close(&b, '}');
	if (x->json.ntok > 0) {
		emit_key(&b, "body");
		from = b.n;
		emit_raw(&b, x->body.p, x->body.n);
		/* Between tokens only: strings hold none. */
		for (; from < b.n; from++)
			if (b.p[from] == '\n' || b.p[from] == '\r')
				b.p[from] = ' ';
	} else if (x->body.n > 0) {
		emit_pairn(&b, "text", x->body.p, x->body.n);
	}
	buf_puts(&b, "}\n");
	logged += b.n;
	if (logged > logmax)
		die(EX_IOERR, "log: expected at most %zu bytes", logmax);
	if (write(logfd, b.p, b.n) != (ssize_t)b.n)
		die_sys(EX_IOERR, "log");
}

/* Choose the answer to a request that has come whole. */
static void
choose(struct exchange *x, const char *path)
{
	struct buf why = {0};
	const struct json *j;
	char *want;

	x->line = script_next(repeats);
	if (x->line == NULL) {
		x->status = 599;
		buf_printf(&why,
		    "request %lu: the script of %zu lines is used up",
		    nrequests, script_lines());
		answer_error(&x->answer, buf_cstr(&why));
		buf_free(&why);
		return;
	}
	j = x->line;
	want = json_dup(j, json_get(j, 0, "path"));
	if (want != NULL && strcmp(want, path) != 0) {
		x->status = 404;
		buf_printf(&why, "request %lu: expected the path %s, got %s",
		    nrequests, want, path);
		answer_error(&x->answer, buf_cstr(&why));
		buf_free(&why);
		x->line = NULL;
	} else {
		x->status = (unsigned int)answer_number(j, 0, "status", 200);
		x->breaks = json_true(j, json_get(j, 0, "break"));
		answer_make(&x->answer, j, &x->json, path, nrequests);
	}
	free(want);
}

static ssize_t
read_answer(void *cls, uint64_t pos, char *p, size_t max)
{
	struct exchange *x = cls;
	struct piece *c;
	size_t n;

	for (; x->piece < x->answer.n; x->piece++) {
		c = &x->answer.v[x->piece];
		if (c->delay > 0) {
			pause_for(x, c->delay);
			c->delay = 0;
			return 0;
		}
		if (pos < c->end) {
			n = c->end - pos < max ? c->end - pos : max;
			memcpy(p, x->answer.out.p + pos, n);
			return (ssize_t)n;
		}
	}
	return x->breaks ? MHD_CONTENT_READER_END_WITH_ERROR :
			   MHD_CONTENT_READER_END_OF_STREAM;
}

static void
add_headers(struct MHD_Response *r, const struct exchange *x)
{
	static const char *const mime[] = {"text/plain; charset=utf-8",
	    "application/json", "text/event-stream"};
	const struct json *j;
	char *name, *value;
	int k, typed = 0;

	if (x->line != NULL) {
		j = x->line;
		k = json_first(j, json_get(j, 0, "headers"));
		for (; k >= 0; k = json_next(j, k)) {
			name = json_dup(j, k);
			value = json_dup(j, k + 1);
			if (name == NULL || value == NULL ||
			    MHD_add_response_header(r, name, value) != MHD_YES)
				die(EX_DATAERR, "bad header in the script");
			typed |= strcasecmp(name, "content-type") == 0;
			free(name);
			free(value);
		}
	}
	if (!typed)
		MHD_add_response_header(
		    r, "Content-Type", mime[x->answer.type]);
}

static enum MHD_Result
reply(struct exchange *x)
{
	struct answer *a = &x->answer;
	struct MHD_Response *r;
	enum MHD_Result ok;

	if (x->breaks && a->n == 0)
		return MHD_NO;
	if (x->breaks || a->type == ANSWER_SSE) {
		r = MHD_create_response_from_callback(
		    MHD_SIZE_UNKNOWN, 16384, read_answer, x, NULL);
	} else {
		r = MHD_create_response_from_buffer(
		    a->out.n, a->out.p, MHD_RESPMEM_MUST_FREE);
		memset(&a->out, 0, sizeof(a->out));
	}
	if (r == NULL)
		die(EX_OSERR, "out of memory");
	add_headers(r, x);
	ok = MHD_queue_response(x->conn, x->status, r);
	MHD_destroy_response(r);
	return ok;
}

/* The request line is there: the query too, which handle does not get. */
static void *
begin(void *cls, const char *target, struct MHD_Connection *conn)
{
	struct exchange *x = xmalloc(sizeof(*x));

	(void)cls;
	memset(x, 0, sizeof(*x));
	x->conn = conn;
	x->target = xstrdup(target);
	return x;
}

static void
end(void *cls, struct MHD_Connection *conn, void **state,
    enum MHD_RequestTerminationCode code)
{
	struct exchange *x = *state;

	(void)cls;
	(void)conn;
	(void)code;
	if (x == NULL)
		return;
	answer_free(&x->answer);
	json_free(&x->json);
	buf_free(&x->body);
	free(x->target);
	free(x);
	*state = NULL;
}

/* Is the file missing that the line waits for? */
static int
held(const struct json *line)
{
	static struct buf name;
	int k = json_get(line, 0, "until");

	if (k < 0)
		return 0;
	buf_reset(&name);
	json_str(line, k, &name);
	return access(buf_cstr(&name), F_OK) < 0;
}

/* Called for the headers, for each part of the body, and at its end. */
static enum MHD_Result
handle(void *cls, struct MHD_Connection *conn, const char *path,
    const char *method, const char *version, const char *data, size_t *n,
    void **state)
{
	struct exchange *x = *state;
	long long stall = 0;

	(void)cls;
	(void)conn;
	(void)version;
	if (!x->begun) {
		x->begun = 1;
		return MHD_YES;
	}
	if (*n > 0) {
		buf_add(&x->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	if (!x->ready) {
		x->ready = 1;
		nrequests++;
		json_parse(&x->json, buf_cstr(&x->body), x->body.n);
		if (logfd >= 0)
			record(x, method);
		choose(x, path);
		if (x->line != NULL)
			stall = answer_number(x->line, 0, "stall_ms", 0);
		if (stall > 0) {
			pause_for(x, stall); /* and then here again */
			return MHD_YES;
		}
	}
	if (x->line != NULL && held(x->line)) {
		pause_for(x, 10);
		return MHD_YES;
	}
	return reply(x);
}

/* Nothing is half done that a signal could cut. */
static void
stop(int sig)
{
	(void)sig;
	_exit(0);
}

static struct MHD_Daemon *
listen_on(unsigned long port)
{
	struct sockaddr_in a;
	struct MHD_Daemon *d;

	memset(&a, 0, sizeof(a));
	a.sin_family = AF_INET;
	a.sin_port = htons((uint16_t)port);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	d = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL,
	    NULL, handle, NULL, MHD_OPTION_SOCK_ADDR, &a,
	    MHD_OPTION_CONNECTION_LIMIT, 16000U,
	    MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096U, MHD_OPTION_URI_LOG_CALLBACK,
	    begin, NULL, MHD_OPTION_NOTIFY_COMPLETED, end, NULL,
	    MHD_OPTION_END);
	if (d == NULL)
		die_sys(EX_UNAVAILABLE, "127.0.0.1:%lu", port);
	return d;
}

/*
 * Wait for something to do.  MHD_run_wait is not used for that: it reads 128
 * events at a time, and after just 128 it waits once more before it serves
 * them.  A daemon that is full listens again in a later run, so there is one
 * each second.
 */
static void
await(struct MHD_Daemon *d)
{
	struct pollfd p;
	MHD_UNSIGNED_LONG_LONG left;
	long long ms = waiting == NULL ? 1000 : soonest - now();

	p.fd = MHD_get_daemon_info(d, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	p.events = POLLIN;
	if (MHD_get_timeout(d, &left) == MHD_YES && left == 0)
		ms = 0;
	(void)poll(&p, 1, ms < 0 ? 0 : ms > 1000 ? 1000 : (int)ms);
}

/* Where file is NULL to stdout, and no more: a reader may wait for its end. */
static void
tell_port(unsigned int port, const char *file)
{
	static struct buf tmp;
	FILE *f = stdout;

	if (file != NULL) {
		buf_printf(&tmp, "%s.tmp", file);
		f = fopen(buf_cstr(&tmp), "w");
	}
	if (f == NULL || fprintf(f, "%u\n", port) < 0 || fclose(f) != 0 ||
	    (file != NULL && rename(buf_cstr(&tmp), file) < 0))
		die_sys(EX_IOERR, "%s", file == NULL ? "stdout" : file);
}

int
main(int argc, char **argv)
{
	static const struct option opts[] = {
	    {"fast", required_argument, NULL, 'f'},
	    {"log", required_argument, NULL, 'l'},
	    {"max", required_argument, NULL, 'm'},
	    {"port-file", required_argument, NULL, 'P'},
	    {"port", required_argument, NULL, 'p'},
	    {"repeat", no_argument, NULL, 'r'},
	    {"script", required_argument, NULL, 's'},
	    {NULL, 0, NULL, 0}};
	const char *log = NULL, *portfile = NULL;
	struct MHD_Daemon *d;
	struct rlimit files;
	unsigned long port = 0;
	pid_t parent = getppid();
	char *rest;
	int c;

	prog = "llmserver";
	while ((c = getopt_long(argc, argv, "f:l:m:P:p:rs:", opts, NULL)) != -1)
		switch (c) {
		case 'f': script_text(optarg); repeats = 1; break;
		case 'l': log = optarg; break;
		case 'm':
			logmax = (size_t)strtoul(optarg, NULL, 10);
			break;
		case 'P': portfile = optarg; break;
		case 'p':
			port = strtoul(optarg, &rest, 10);
			if (*rest != '\0')
				usage();
			break;
		case 'r': repeats = 1; break;
		case 's': script_read(optarg); break;
		default: usage();
		}
	if (optind < argc || script_lines() == 0 || port > 65535)
		usage();
	if (log != NULL &&
	    (logfd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600)) < 0)
		die_sys(EX_CANTCREAT, "%s", log);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	signal(SIGTERM, stop);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		die_sys(EX_OSERR, "prctl");
	if (getppid() != parent)
		return 0;
	d = listen_on(port);
	tell_port(MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port,
	    portfile);
	while (MHD_run_wait(d, 0) == MHD_YES) {
		await(d);
		resume();
	}
	die(EX_SOFTWARE, "the event loop failed");
}
