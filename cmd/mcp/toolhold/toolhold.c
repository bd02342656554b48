/*
 * toolhold [-M FILE] [--] COMMAND [ARG ...]
 * toolhold -c [-j] [-M FILE] SERVER TOOL [KEY=VALUE ... | -]
 * toolhold -l [-M FILE] [-w SECONDS] [SERVER ...]
 * toolhold -p | -r [-j] [-M FILE] SERVER [NAME [KEY=VALUE ...]]
 * toolhold -t
 *
 * - A chain-loader: we become COMMAND, and our child holds the MCP servers,
 *   which it starts when they are first called and ends with us.
 * - The other forms are its clients.  Where no toolhold runs they hold the
 *   servers that they need themselves, in a child too: one way for all.
 * - The token keeps tools from calling past the user's consent: toolrun
 *   gives it to no tool.
 */
#define _GNU_SOURCE /* syscall */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "child.h"
#include "client.h"
#include "content.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "fd.h"
#include "file.h"
#include "hold.h"
#include "input.h"
#include "mcpconf.h"
#include "mcptools.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "terminal.h"

enum { ARGUMENTS = 64 << 20, BLOCK = 65536, BACKLOG = 64, PAGES = 100,
	ROUNDS = 16 /* of input in one request */ };

static const char usage[] =
    "usage: toolhold [-M file] [--] command [arg ...]\n"
    "       toolhold -c [-j] [-M file] server tool [key=value ... | -]\n"
    "       toolhold -l [-M file] [-w seconds] [server ...]\n"
    "       toolhold -p [-j] [-M file] server [prompt [key=value ...]]\n"
    "       toolhold -r [-j] [-M file] server [uri]\n"
    "       toolhold -t\n"
    "\n"
    "Hold MCP servers while a command runs; call their tools.\n"
    "\n"
    "  -c, --call           call a tool; - reads its arguments as JSON\n"
    "  -j, --json           print what the server answered as it came\n"
    "  -l, --list           print the servers' tools as records\n"
    "  -M, --mcp FILE       the servers' configuration (mcp.json)\n"
    "  -p, --prompts        list the prompts of a server, or make messages\n"
    "  -r, --resources      list the resources of a server, or read one\n"
    "  -t, --trust          ask whether the work tree's .mcp.json is used\n"
    "  -w, --wait SECONDS   in a run, list what is there by then\n";

static const struct option opts[] = {
	{ "call", no_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "list", no_argument, NULL, 'l' },
	{ "mcp", required_argument, NULL, 'M' },
	{ "prompts", no_argument, NULL, 'p' },
	{ "resources", no_argument, NULL, 'r' },
	{ "trust", no_argument, NULL, 't' },
	{ "wait", required_argument, NULL, 'w' },
	{ NULL, 0, NULL, 0 },
};

static const char *file; /* -M */
static int json;
static long wait; /* seconds; 0: as long as the servers have */

/* No answer but a reason, of the process that holds the servers? */
static void
check_fault(const struct json *j)
{
	char *text = json_dup(j, json_get(j, 0, "fault"));

	if (text != NULL)
		die(EX_UNAVAILABLE, "%s", text);
}

/* The lists of these servers, or of all. */
static void
ask_list(char *const *servers)
{
	static struct buf b;

	client_start(&b);
	emit_pairb(&b, "list", 1);
	if (wait > 0)
		emit_pairi(&b, "wait", wait * 1000);
	if (*servers != NULL) {
		emit_key(&b, "servers");
		emit_open(&b, '[');
		for (; *servers != NULL; servers++)
			emit_cstr(&b, *servers);
		emit_close(&b, ']');
	}
	client_ask(&b);
}

static int
list(char *const *servers)
{
	const struct json *j;
	char *name;
	int isunknown = 0, ismissing = 0;
	long long left = 0;

	/* Servers of our own would end with us. */
	if (!client_open(file))
		wait = 0;
	ask_list(servers);
	for (;;) {
		j = client_next();
		check_fault(j);
		if (json_true(j, json_get(j, 0, "done")))
			break;
		name = json_dup(j, json_get(j, 0, "unknown"));
		if (name != NULL) {
			warn("server %s: no such server is configured", name);
			isunknown = 1;
			free(name);
			continue;
		}
		if (json_get(j, 0, "missing") >= 0) {
			ismissing = 1;
			continue;
		}
		name = json_dup(j, json_get(j, 0, "server"));
		mcptools_put(j, 0, name);
		free(name);
	}
	(void)json_int(j, json_get(j, 0, "left"), &left);
	record_close();
	ismissing |= *servers == NULL && left > 0;
	return isunknown ? EX_NOINPUT : ismissing ? EX_UNAVAILABLE : 0;
}

/* The user's answer to what the server asks in the call, j. */
static void
answer(const struct json *j, const char *server)
{
	static struct buf b;

	client_start(&b);
	emit_pair(&b, "server", server);
	emit_pairj(&b, "answer", json_span(j, json_get(j, 0, "input")));
	emit_key(&b, "result");
	emit_open(&b, '{');
	input_form(&b, j, json_get(j, 0, "params"), server);
	emit_close(&b, '}');
	client_ask(&b);
}

/*
 * The params of a request that the result at i of j wants to be repeated, with
 * what it asks for.
 */
static void
fill_in(struct buf *b, const struct buf *params, const struct json *j, int i,
    const char *server)
{
	static struct json old;
	int state = json_get(j, i, "requestState"), k, v, method;
	char *name;

	buf_reset(b);
	emit_open(b, '{');
	if (json_parse(&old, params->p, params->n) == 0)
		for (k = json_first(&old, 0); k >= 0; k = json_next(&old, k))
			emit_member(b, &old, k);
	emit_key(b, "inputResponses");
	emit_open(b, '{');
	k = json_first(j, json_get(j, i, "inputRequests"));
	for (; k >= 0; k = json_next(j, k)) {
		v = k + 1;
		method = json_get(j, v, "method");
		emit_keyj(b, json_span(j, k));
		emit_open(b, '{');
		if (json_is(j, method, "roots/list")) {
			input_roots(b);
		} else if (json_is(j, method, "elicitation/create")) {
			input_form(b, j, json_get(j, v, "params"), server);
		} else {
			name = json_dup(j, method);
			die(EX_UNAVAILABLE, "server %s: it asks for %s, which "
					    "it cannot get", server,
			    name != NULL ? name : "input");
		}
		emit_close(b, '}');
	}
	emit_close(b, '}');
	if (state >= 0)
		emit_pairj(b, "requestState", json_span(j, state));
	emit_close(b, '}');
}

/*
 * A request to a server; params is an object.  The answer, whose result is
 * at *at; dies where there is none.
 */
static const struct json *
request(const char *server, const char *method, const struct buf *params,
    int *at)
{
	static struct buf b, data, more;
	struct span given = buf_view(params);
	const struct json *j;
	char *text;
	int i, round;

	for (round = 0; round < ROUNDS; round++) {
		client_start(&b);
		emit_pair(&b, "server", server);
		emit_pair(&b, "method", method);
		emit_pairj(&b, "params", given);
		client_ask(&b);
		while (json_get(j = client_next(), 0, "input") >= 0)
			answer(j, server);
		*at = json_get(j, 0, "result");
		if (json_kind(j, *at) != JSON_OBJECT)
			*at = -1;
		if (*at < 0 || !json_is(j, json_get(j, *at, "resultType"),
		    "input_required"))
			break;
		fill_in(&more, params, j, *at, server);
		given = buf_view(&more);
	}
	if (round == ROUNDS)
		die(EX_UNAVAILABLE, "server %s: %s: it asks for input again "
				    "and again", server, method);
	if (*at >= 0)
		return j;
	check_fault(j);
	i = json_get(j, 0, "error");
	text = json_dup(j, json_get(j, i, "message"));
	buf_reset(&b);
	buf_puts(&b, text != NULL ? text : "expected a result");
	if (json_get(j, i, "data") >= 0) {
		buf_puts(&b, ": ");
		emit_compact(&data, json_span(j, json_get(j, i, "data")));
		buf_span(&b, buf_view(&data));
	}
	die(EX_PROTOCOL, "server %s: %s: %s", server, method, buf_cstr(&b));
}

static void
print(struct buf *b)
{
	if (b->n > 0 && b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	out_add(b->p, b->n);
	buf_reset(b);
}

static void
print_json(const struct json *j, int i)
{
	static struct buf b;

	emit_compact(&b, json_span(j, i));
	print(&b);
}

/* Standard input: a JSON object, or nothing for an empty one. */
static void
read_arguments(struct buf *b)
{
	static struct json j;
	size_t line, col;
	ssize_t r;

	do {
		buf_room(b, BLOCK);
		r = read(0, b->p + b->n, BLOCK);
		if (r > 0)
			b->n += (size_t)r;
	} while ((r > 0 && b->n <= ARGUMENTS) || (r < 0 && errno == EINTR));
	if (r < 0)
		die_sys(EX_NOINPUT, "<stdin>");
	if (span_trim(buf_view(b)).n == 0)
		buf_puts(b, "{}");
	if (json_parse(&j, b->p, b->n) < 0) {
		json_where(b->p, j.at, &line, &col);
		die_at(EX_DATAERR, "<stdin>", line, col, j.why);
	}
	if (json_kind(&j, 0) != JSON_OBJECT)
		die_at(EX_DATAERR, "<stdin>", 1, 1, "expected an object");
}

/* The arguments of a tool, typed by its schema as the server lists it. */
static void
typed_arguments(struct buf *b, const char *server, const char *tool,
    char *const *args)
{
	char *const one[] = { (char *)server, NULL };
	const struct json *j;
	int tools, k, isdone = 0;

	ask_list(one);
	for (;;) {
		j = client_next();
		check_fault(j);
		if (json_true(j, json_get(j, 0, "done"))) {
			if (!isdone)
				mcptools_arguments(b, j, -1, args);
			return;
		}
		tools = json_get(j, 0, "tools");
		for (k = json_first(j, tools); k >= 0; k = json_next(j, k))
			if (!isdone
			    && json_is(j, json_get(j, k, "name"), tool)) {
				mcptools_arguments(b, j,
				    json_get(j, k, "inputSchema"), args);
				isdone = 1;
			}
	}
}

static int
call(char *const *argv)
{
	static struct buf arguments, params, text;
	const struct json *j;
	int i, isbad;

	if (argv[0] == NULL || argv[1] == NULL)
		opt_die(usage, "expected a server and a tool");
	if (argv[2] != NULL && strcmp(argv[2], "-") == 0) {
		if (argv[3] != NULL)
			opt_die(usage, "expected nothing after -");
		read_arguments(&arguments);
	}
	client_open(file);
	if (arguments.n == 0 && argv[2] != NULL)
		typed_arguments(&arguments, argv[0], argv[1], argv + 2);
	else if (arguments.n == 0)
		buf_puts(&arguments, "{}");
	emit_open(&params, '{');
	emit_pair(&params, "name", argv[1]);
	emit_key(&params, "arguments");
	emit_compact(&params, buf_view(&arguments));
	emit_close(&params, '}');
	j = request(argv[0], "tools/call", &params, &i);
	if (json) {
		isbad = json_true(j, json_get(j, i, "isError"));
		print_json(j, i);
	} else {
		isbad = content_result(&text, j, i);
		if (isbad && (text.n < 6 || memcmp(text.p, "error:", 6) != 0))
			out_add("error: ", 7);
		print(&text);
	}
	out_end();
	return isbad ? EXIT_NO : 0;
}

/* "NAME\tFIRST LINE" of each element at key of the pages of a method. */
static int
index_of(const char *server, const char *method, const char *key,
    const char *name)
{
	static struct buf params, line, text, cursor;
	const struct json *j;
	int i, k, page;

	client_open(file);
	for (page = 0; page < PAGES; page++) {
		buf_reset(&params);
		emit_open(&params, '{');
		if (cursor.n > 0)
			emit_pairj(&params, "cursor", buf_view(&cursor));
		emit_close(&params, '}');
		j = request(server, method, &params, &i);
		for (k = json_first(j, json_get(j, i, key)); k >= 0;
		     k = json_next(j, k)) {
			if (json) {
				print_json(j, k);
				continue;
			}
			json_str(j, json_get(j, k, name), &line);
			buf_reset(&text);
			if (json_str(j, json_get(j, k, "description"), &text)
			    < 0)
				json_str(j, json_get(j, k, "name"), &text);
			buf_putc(&line, '\t');
			buf_add(&line, buf_cstr(&text),
			    strcspn(buf_cstr(&text), "\r\n"));
			print(&line);
		}
		buf_reset(&cursor);
		k = json_get(j, i, "nextCursor");
		if (json_kind(j, k) != JSON_STRING)
			break;
		buf_span(&cursor, json_span(j, k));
	}
	out_end();
	return 0;
}

/* The messages of a prompt, as records. */
static int
prompts(char *const *argv)
{
	static struct buf params, text, b;
	char *const *arg;
	const struct json *j;
	const char *eq;
	int i, k;

	if (argv[0] == NULL)
		opt_die(usage, "expected a server");
	if (argv[1] == NULL)
		return index_of(argv[0], "prompts/list", "prompts", "name");
	client_open(file);
	emit_open(&params, '{');
	emit_pair(&params, "name", argv[1]);
	emit_key(&params, "arguments");
	emit_open(&params, '{');
	for (arg = argv + 2; *arg != NULL; arg++) {
		eq = strchr(*arg, '=');
		if (eq == NULL || eq == *arg)
			opt_die(usage, "expected KEY=VALUE, got '%s'", *arg);
		emit_keyn(&params, *arg, (size_t)(eq - *arg));
		emit_cstr(&params, eq + 1);
	}
	emit_close(&params, '}');
	emit_close(&params, '}');
	j = request(argv[0], "prompts/get", &params, &i);
	if (json) {
		print_json(j, i);
		out_end();
		return 0;
	}
	k = json_first(j, json_get(j, i, "messages"));
	for (; k >= 0; k = json_next(j, k)) {
		buf_reset(&text);
		content_block(&text, j, json_get(j, k, "content"));
		emit_open(&b, '{');
		emit_pair(&b, "type", "message");
		emit_pairj(&b, "role", json_span(j, json_get(j, k, "role")));
		emit_pairn(&b, "content", buf_cstr(&text), text.n);
		emit_close(&b, '}');
		record_put(&b);
	}
	return record_close();
}

/* A resource, as a section. */
static int
resources(char *const *argv)
{
	static struct buf params, text, b;
	const struct json *j;
	int i, k;

	if (argv[0] == NULL)
		opt_die(usage, "expected a server");
	if (argv[1] == NULL)
		return index_of(argv[0], "resources/list", "resources",
		    "uri");
	if (argv[2] != NULL)
		opt_die(usage, "expected one URI");
	client_open(file);
	emit_open(&params, '{');
	emit_pair(&params, "uri", argv[1]);
	emit_close(&params, '}');
	j = request(argv[0], "resources/read", &params, &i);
	if (json) {
		print_json(j, i);
		out_end();
		return 0;
	}
	k = json_first(j, json_get(j, i, "contents"));
	for (; k >= 0; k = json_next(j, k)) {
		if (text.n > 0 && text.p[text.n - 1] != '\n')
			buf_putc(&text, '\n');
		content_resource(&text, j, k);
	}
	emit_open(&b, '{');
	emit_pair(&b, "type", "section");
	emit_pair(&b, "id", argv[0]);
	emit_pair(&b, "source", argv[1]);
	emit_pairn(&b, "content", buf_cstr(&text), text.n);
	emit_close(&b, '}');
	record_put(&b);
	return record_close();
}

/* A directory of our own for the socket, whose path may be no longer than
 * the system has it. */
static const char *
make_dir(struct buf *dir, size_t max)
{
	const char *const places[] = { env_get("XDG_RUNTIME_DIR"),
		env_get("TMPDIR"), "/tmp" };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i] == NULL || *places[i] != '/')
			continue;
		buf_reset(dir);
		buf_printf(dir, "%s/toolhold.XXXXXX", places[i]);
		if (dir->n + sizeof("/socket") <= max
		    && mkdtemp(buf_cstr(dir)) != NULL)
			return buf_cstr(dir);
	}
	die_sys(EX_CANTCREAT, "%s", buf_cstr(dir));
}

static int
watch_self(void)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, getpid(), 0);
#else
	return -1;
#endif
}

static void
set(const char *name, const char *value)
{
	if (setenv(name, value, 1) < 0)
		die_sys(EX_OSERR, "setenv");
}

/* Our child holds the servers; we become the command. */
static _Noreturn void
chain(char **argv)
{
	static struct mcpconf conf;
	static struct buf dir, path, whole, token;
	struct sockaddr_un at;
	struct hold_spec spec;
	mode_t mask;
	pid_t pid;

	if (file != NULL && *file != '/') {
		file_join(&whole, path_cwd(), file);
		file = buf_cstr(&whole);
	}
	mcpconf_read(&conf, file);
	if (file != NULL)
		set("TURNPIPE_MCP", file);
	memset(&spec, 0, sizeof(spec));
	memset(&at, 0, sizeof(at));
	at.sun_family = AF_UNIX;
	spec.conf = &conf;
	fd_random(&token, HOLD_TOKEN);
	spec.token = buf_cstr(&token);
	spec.client = -1;
	spec.parent = (long)getpid();
	spec.dir = make_dir(&dir, sizeof(at.sun_path));
	buf_printf(&path, "%s/socket", spec.dir);
	spec.socket = buf_cstr(&path);
	strcpy(at.sun_path, spec.socket);
	spec.listen = socket(AF_UNIX, SOCK_STREAM, 0);
	mask = umask(0177);
	if (spec.listen < 0
	    || bind(spec.listen, (struct sockaddr *)&at, sizeof(at)) < 0
	    || listen(spec.listen, BACKLOG) < 0)
		die_sys(EX_CANTCREAT, "%s", spec.socket);
	umask(mask);
	fcntl(spec.listen, F_SETFD, FD_CLOEXEC);
	spec.watch = watch_self();
	pid = fork();
	if (pid == 0)
		hold_run(&spec);
	if (pid < 0)
		die_sys(EX_OSERR, "fork");
	if (spec.watch >= 0)
		close(spec.watch);
	input_terminal();
	set("TURNPIPE_TOOLHOLD", spec.socket);
	set("TURNPIPE_TOOLHOLD_TOKEN", spec.token);
	child_become(argv);
}

int
main(int argc, char **argv)
{
	int c, mode = 0;

	prog = "toolhold";
	while ((c = opt_next(argc, argv, "cjlM:prtw:", opts, usage)) != -1)
		switch (c) {
		case 'c':
		case 'l':
		case 'p':
		case 'r':
		case 't':
			if (mode != 0 && mode != c)
				opt_die(usage, "expected one of -c, -l, -p, "
					       "-r, -t");
			mode = c;
			break;
		case 'j': json = 1; break;
		case 'M': file = optarg; break;
		case 'w':
			wait = (long)opt_int("-w", optarg, 1, 86400);
			break;
		}
	argv += optind;
	switch (mode) {
	case 'c':
		return call(argv);
	case 'l':
		return list(argv);
	case 'p':
		return prompts(argv);
	case 'r':
		return resources(argv);
	case 't':
		if (*argv != NULL)
			opt_die(usage, "expected no operand, got '%s'", *argv);
		return mcpconf_trust();
	}
	if (*argv == NULL)
		opt_die(usage, "expected a command");
	chain(argv);
}
