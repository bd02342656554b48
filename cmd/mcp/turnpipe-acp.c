/*
 * turnpipe acp [option ...]
 *
 * - An agent of the Agent Client Protocol on standard streams.  A prompt is a
 *   run of turnpipe --json with these options, in the session's directory; its
 *   records become messages by acp.jq.
 * - A call that waits for the user's word ends the turn; once the client has
 *   answered for all of them the turn goes on, with --allow and --deny.
 */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "file.h"
#include "out.h"
#include "path.h"
#include "rpc.h"
#include "session.h"
#include "signals.h"
#include "textfile.h"
#include "utf8.h"

enum {
	VERSION_ACP = 1,
	NO_SESSION = -32002, /* resource not found */
	TITLE = 80	     /* bytes of one */
};

static const char usage[] =
    "usage: turnpipe acp [OPTION ...]\n"
    "\n"
    "Serve the Agent Client Protocol on standard input and output, for an\n"
    "editor.  The options are those of turnpipe, for every turn.\n";

struct session {
	char *id, *path, *cwd;
	struct buf req;	 /* the id of the call that it works for; n 0: none */
	struct buf out;	 /* of the view */
	struct buf fault;    /* what went wrong in the turn */
	struct strs open;    /* calls that wait for the client's word */
	struct strs answers; /* --allow=ID, --deny=ID */
	pid_t turn;	     /* 0: it is loaded, not run */
	pid_t view;	     /* 0: nothing runs */
	int fd;		     /* the view's output */
	int iscancelled;
};

static struct session **all;
static size_t nall, cap;
static struct buf program; /* the path of acp.jq */
static char *const *options; /* of every turn */

/* The session of params, and its place; NULL for none. */
static struct session *
find(const struct json *j, size_t *at)
{
	int id = json_at(j, 0, "params.sessionId");
	size_t i;

	for (i = 0; i < nall; i++)
		if (json_is(j, id, all[i]->id)) {
			*at = i;
			return all[i];
		}
	return NULL;
}

static int
enter(const char *dir)
{
	return chdir(dir) == 0 && setenv("PWD", dir, 1) == 0 ? 0 : -1;
}

/* What a program prints, without its last newline; its exit status, or -1. */
static int
run(struct buf *b, char *const *argv)
{
	struct child c = { .fd = { CHILD_NULL, 1, 2 } };
	pid_t pid;
	int fd, st;

	buf_reset(b);
	if (child_read(&pid, &c, argv, &fd) < 0) {
		warn_sys("%s", argv[0]);
		return -1;
	}
	while (rpc_take(fd, b))
		;
	close(fd);
	st = child_wait(pid);
	if (b->n > 0 && b->p[b->n - 1] == '\n')
		b->n--;
	buf_cstr(b);
	return WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

static void
answer(struct span id, const char *key, const char *value)
{
	static struct buf b;

	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_pair(&b, key, value);
	emit_close(&b, '}');
	rpc_end(&b);
}

static void
initialize(struct span id)
{
	static struct buf b;

	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_pairi(&b, "protocolVersion", VERSION_ACP);
	emit_key(&b, "agentCapabilities");
	emit_open(&b, '{');
	emit_pairb(&b, "loadSession", 1);
	emit_key(&b, "promptCapabilities");
	emit_open(&b, '{');
	emit_pairb(&b, "embeddedContext", 1);
	emit_close(&b, '}');
	emit_key(&b, "sessionCapabilities");
	emit_open(&b, '{');
	rpc_empty(&b, "list");
	rpc_empty(&b, "resume");
	rpc_empty(&b, "close");
	emit_close(&b, '}');
	emit_close(&b, '}');
	rpc_self(&b, "agentInfo");
	emit_key(&b, "authMethods");
	emit_open(&b, '[');
	emit_close(&b, ']');
	emit_close(&b, '}');
	rpc_end(&b);
}

/* Start acp.jq on what in reads, which is closed. */
static int
start_view(struct session *x, int in)
{
	char *argv[] = { "jq", "-nRc", "--unbuffered", "--arg", "sid", x->id,
		"--arg", "cwd", x->cwd, "--argjson", "load",
		x->turn == 0 ? "true" : "false", "-f", buf_cstr(&program),
		NULL };
	struct child c = { .fd = { in, 1, 2 } };
	int r = child_read(&x->view, &c, argv, &x->fd);

	fd_drop(in);
	if (r == 0)
		return 0;
	warn_sys("jq");
	x->view = 0;
	return -1;
}

/* A turn: of a text and of what goes with it (-1: nothing), or of answers. */
static int
start_turn(struct session *x, const char *text, int in)
{
	struct strs args = { 0 };
	struct child c = { .fd = { in >= 0 ? in : CHILD_NULL, 1, 2 },
		.isgroup = 1 };
	size_t i;
	int fd, r;

	strs_add(&args, "turnpipe");
	for (i = 0; options[i] != NULL; i++)
		strs_add(&args, options[i]);
	strs_add(&args, "--json");
	strs_add(&args, "--set");
	strs_add(&args, "toolrun.ask_later=true");
	strs_add(&args, "-s");
	strs_add(&args, x->path);
	for (i = 0; i < x->answers.n; i++)
		strs_add(&args, x->answers.v[i]);
	if (x->answers.n == 0) {
		strs_add(&args, "--");
		if (*text != '\0')
			strs_add(&args, text);
		if (in >= 0)
			strs_add(&args, "-");
	}
	strs_reset(&x->answers);
	buf_reset(&x->fault);
	r = enter(x->cwd) < 0 ? -1
			      : child_read(&x->turn, &c, strs_vector(&args), &fd);
	if (in >= 0)
		fd_drop(in);
	strs_free(&args);
	if (r < 0) {
		warn_sys("%s", x->cwd);
		return -1;
	}
	return start_view(x, fd);
}

/* A file as the tools name it; any other resource by its address. */
static void
put_place(struct buf *b, const struct json *j, int uri)
{
	static const char file[] = "file://";
	struct buf s = { 0 };
	const char *p;

	(void)json_str(j, uri, &s);
	p = buf_cstr(&s);
	buf_puts(b, strncmp(p, file, sizeof(file) - 1) == 0
		? p + sizeof(file) - 1 : p);
	buf_free(&s);
}

/* The text of a prompt, and in what goes with it; -1: it has what we cannot. */
static int
read_prompt(const struct json *j, struct buf *text, struct buf *in)
{
	int list = json_at(j, 0, "params.prompt"), i, type, r;

	buf_reset(text);
	buf_reset(in);
	for (i = json_first(j, list); i >= 0; i = json_next(j, i)) {
		type = json_get(j, i, "type");
		if (json_is(j, type, "text")) {
			(void)json_str(j, json_get(j, i, "text"), text);
		} else if (json_is(j, type, "resource_link")) {
			put_place(text, j, json_get(j, i, "uri"));
		} else if (json_is(j, type, "resource")) {
			r = json_get(j, i, "resource");
			put_place(in, j, json_get(j, r, "uri"));
			buf_puts(in, ":\n");
			if (json_str(j, json_get(j, r, "text"), in) < 0)
				return -1;
			buf_putc(in, '\n');
		} else {
			return -1;
		}
	}
	return text->n + in->n > 0 && memchr(text->p, '\0', text->n) == NULL
	    ? 0 : -1;
}

static void
prompt(const struct json *j, struct span id, struct session *x)
{
	static struct buf text, in;
	int fd = -1;

	if (x->req.n > 0) {
		rpc_error(id, RPC_NO_REQUEST, "a turn of this session runs");
		return;
	}
	if (read_prompt(j, &text, &in) < 0) {
		rpc_error(id, RPC_BAD_PARAMS, "expected text, links and texts "
					      "of resources");
		return;
	}
	/* The kernel takes no longer arguments; "-" is one of turnpipe's. */
	if (text.n > 100000 || strcmp(buf_cstr(&text), "-") == 0) {
		buf_putc(&text, '\n');
		buf_span(&text, buf_view(&in));
		in = text;
		text = (struct buf){ 0 };
	}
	x->iscancelled = 0;
	strs_reset(&x->open);
	strs_reset(&x->answers);
	if ((in.n > 0 && (fd = file_spool(buf_view(&in))) < 0)
	    || start_turn(x, buf_cstr(&text), fd) < 0) {
		rpc_error(id, RPC_INTERNAL, "turnpipe cannot be started");
		return;
	}
	buf_reset(&x->req);
	buf_span(&x->req, id);
}

static struct session *
add(const char *path, const char *cwd)
{
	const char *base = file_name(path);
	struct session *x;

	grow(&all, &cap, nall, sizeof(*all));
	x = all[nall++] = xmalloc(sizeof(*x));
	memset(x, 0, sizeof(*x));
	x->id = xstrndup(base, strcspn(base, "."));
	x->path = xstrdup(path);
	x->cwd = xstrdup(cwd);
	x->fd = -1;
	return x;
}

/* An absolute directory, which is entered; NULL: it is answered. */
static char *
directory(const struct json *j, struct span id)
{
	char *cwd = json_dup(j, json_at(j, 0, "params.cwd"));

	if (cwd != NULL && *cwd == '/' && enter(cwd) == 0)
		return cwd;
	free(cwd);
	rpc_error(id, RPC_BAD_PARAMS, "expected cwd, a directory");
	return NULL;
}

static void
begin(const struct json *j, struct span id)
{
	static struct buf b;
	char *argv[] = { "histadd", "--new", NULL }, *cwd = directory(j, id);

	if (cwd == NULL)
		return;
	if (run(&b, argv) != 0)
		rpc_error(id, RPC_INTERNAL, "no place for a session");
	else
		answer(id, "sessionId", add(buf_cstr(&b), cwd)->id);
	free(cwd);
}

/* Is that its whole id? */
static int
is_named(const char *path, const char *id)
{
	const char *base = file_name(path);
	size_t n = strlen(id);

	return strncmp(base, id, n) == 0 && base[n] == '.';
}

/* session/resume, and session/load, which shows what was said. */
static void
resume(const struct json *j, struct span id, int isload)
{
	static struct buf b;
	char *name = json_dup(j, json_at(j, 0, "params.sessionId"));
	char *argv[] = { "turnpipe-log", "-p", "--", name, NULL }, *cwd;
	struct session *x;
	size_t at;
	int fd;

	cwd = directory(j, id);
	if (cwd == NULL) {
		free(name);
		return;
	}
	x = find(j, &at);
	if (x == NULL && name != NULL
	    && strspn(name, "0123456789abcdefTZ-") == strlen(name)
	    && run(&b, argv) == 0 && is_named(buf_cstr(&b), name))
		x = add(buf_cstr(&b), cwd);
	free(name);
	free(cwd);
	if (x == NULL) {
		rpc_error(id, NO_SESSION, "no such session");
	} else if (x->req.n > 0) {
		rpc_error(id, RPC_NO_REQUEST, "a turn of this session runs");
	} else if (!isload) {
		answer(id, NULL, NULL);
	} else {
		x->turn = 0;
		x->iscancelled = 0;
		fd = fd_open(x->path, O_RDONLY, 0);
		if (fd < 0 || start_view(x, fd) < 0)
			rpc_error(id, RPC_INTERNAL, "it cannot be read");
		else
			buf_span(&x->req, id);
	}
}

/* A session of the list: what its first lines say. */
static void
put_session(struct buf *b, const char *path)
{
	static struct buf head, title, when;
	static struct json j;
	const char *at, *nl;
	struct stat st;
	struct buf id = { 0 };
	char *cwd = NULL;
	int fd, r;

	buf_reset(&head);
	buf_reset(&title);
	buf_reset(&when);
	fd = fd_open(path, O_RDONLY, 0);
	if (fd < 0)
		return;
	(void)rpc_take(fd, &head);
	r = fstat(fd, &st);
	close(fd);
	if (r < 0)
		return;
	for (at = buf_cstr(&head); title.n == 0
	     && (nl = strchr(at, '\n')) != NULL; at = nl + 1) {
		if (json_parse(&j, at, (size_t)(nl - at)) < 0)
			break;
		if (cwd == NULL)
			cwd = json_dup(&j, json_get(&j, 0, "cwd"));
		if (json_is(&j, json_get(&j, 0, "role"), "user"))
			(void)json_str(&j, json_get(&j, 0, "content"), &title);
	}
	if (cwd != NULL && *cwd == '/') {
		buf_puts(&id, strrchr(path, '/') + 1);
		clock_utc(&when, st.st_mtime);
		emit_open(b, '{');
		emit_pairn(b, "sessionId", id.p, strcspn(buf_cstr(&id), "."));
		emit_pair(b, "cwd", cwd);
		title.n = utf8_cut(title.p, title.n, TITLE);
		buf_reset(&id);
		textfile_line(&id, buf_view(&title));
		emit_pairn(b, "title", id.p, id.n);
		emit_pairn(b, "updatedAt", when.p, when.n);
		emit_close(b, '}');
	}
	buf_free(&id);
	free(cwd);
}

static void
list(const struct json *j, struct span id)
{
	static struct buf b, paths;
	char *argv[] = { "turnpipe-log", "-p", "-n", "100", NULL, NULL };
	char *p, *cwd;

	if (json_kind(j, json_at(j, 0, "params.cwd")) == JSON_STRING) {
		cwd = directory(j, id);
		if (cwd == NULL)
			return;
		free(cwd);
	} else {
		argv[4] = "-A";
	}
	if (run(&paths, argv) != 0) {
		rpc_error(id, RPC_INTERNAL, "no sessions can be listed");
		return;
	}
	rpc_start(&b, id);
	emit_key(&b, "result");
	emit_open(&b, '{');
	emit_key(&b, "sessions");
	emit_open(&b, '[');
	for (p = strtok(buf_cstr(&paths), "\n"); p != NULL;
	     p = strtok(NULL, "\n"))
		put_session(&b, p);
	emit_close(&b, ']');
	emit_close(&b, '}');
	rpc_end(&b);
}

/* The session's todos, as the plan. */
static void
put_plan(struct session *x)
{
	static struct buf b, todos, dir;
	static struct json j;
	char *argv[] = { "todolist", "-f", NULL, NULL };
	char *line;
	int status;

	buf_reset(&dir);
	session_run(&dir, x->path);
	buf_puts(&dir, "/todos.jsonl");
	argv[2] = buf_cstr(&dir);
	if (run(&todos, argv) != 0)
		return;
	rpc_open(&b, "session/update");
	emit_key(&b, "params");
	emit_open(&b, '{');
	emit_pair(&b, "sessionId", x->id);
	emit_key(&b, "update");
	emit_open(&b, '{');
	emit_pair(&b, "sessionUpdate", "plan");
	emit_key(&b, "entries");
	emit_open(&b, '[');
	for (line = strtok(buf_cstr(&todos), "\n"); line != NULL;
	     line = strtok(NULL, "\n")) {
		if (json_parse(&j, line, strlen(line)) < 0
		    || !json_is(&j, json_get(&j, 0, "type"), "todo"))
			continue;
		status = json_get(&j, 0, "status");
		emit_open(&b, '{');
		emit_pairj(&b, "content",
		    json_span(&j, json_get(&j, 0, "text")));
		emit_pair(&b, "priority", "medium");
		emit_pair(&b, "status", json_is(&j, status, "completed")
			? "completed" : json_is(&j, status, "in_progress")
			? "in_progress" : "pending");
		emit_close(&b, '}');
	}
	emit_close(&b, ']');
	emit_close(&b, '}');
	emit_close(&b, '}');
	rpc_end(&b);
}

static struct session *viewed; /* whose lines rpc_lines has */

static void
show(const char *p, size_t n)
{
	static struct json j;
	struct session *x = viewed;
	char *id;

	if (json_parse(&j, p, n) < 0)
		return;
	if (json_true(&j, json_get(&j, 0, "todos"))) {
		put_plan(x);
	} else if (json_get(&j, 0, "fault") >= 0) {
		buf_reset(&x->fault);
		(void)json_str(&j, json_get(&j, 0, "fault"), &x->fault);
	} else {
		id = json_dup(&j, json_get(&j, 0, "id"));
		if (id != NULL)
			strs_add(&x->open, id + strlen(x->id) + 1);
		free(id);
		out_add(p, n);
		out_add("\n", 1);
		out_flush();
	}
}

static void
finish(struct session *x, const char *why)
{
	struct buf req = x->req;

	x->req = (struct buf){ 0 };
	if (why != NULL)
		answer(buf_view(&req), "stopReason", why);
	else if (x->turn == 0)
		answer(buf_view(&req), NULL, NULL);
	else
		rpc_error(buf_view(&req), RPC_INTERNAL, x->fault.n > 0
			? buf_cstr(&x->fault)
			: "the turn failed: see the messages of turnpipe");
	buf_free(&req);
}

/* All that waited is answered, and the turn before is over. */
static void
go_on(struct session *x)
{
	if (x->view != 0 || x->open.n > 0)
		return;
	if (x->iscancelled)
		finish(x, "cancelled");
	else if (start_turn(x, "", -1) < 0)
		finish(x, NULL);
}

/* The view has ended: so has the turn. */
static void
view_ended(struct session *x)
{
	static const struct {
		int status;
		const char *why;
	} stops[] = { { 0, "end_turn" }, { EX_NOPERM, "end_turn" },
		{ EXIT_REFUSED, "refusal" }, { EXIT_SPENT, "max_turn_requests" },
		{ EXIT_STEPS, "max_turn_requests" }, { EXIT_LENGTH, "max_tokens" } };
	int st = x->turn != 0 ? child_wait(x->turn) : 0;
	int status = WIFEXITED(st) ? WEXITSTATUS(st) : -1;
	size_t i;

	close(x->fd);
	x->fd = -1;
	(void)child_wait(x->view);
	x->view = 0;
	buf_reset(&x->out);
	if (x->turn == 0) {
		finish(x, NULL);
		return;
	}
	if (x->iscancelled) {
		finish(x, "cancelled");
		return;
	}
	if (status == EX_TEMPFAIL && x->open.n + x->answers.n > 0) {
		go_on(x);
		return;
	}
	for (i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		if (stops[i].status == status) {
			finish(x, stops[i].why);
			return;
		}
	finish(x, NULL);
}

/* The session allows these rules from now on, as toolrun has it. */
static int
allow(const struct session *x, const char *lines)
{
	static struct buf name, b;

	buf_reset(&name);
	buf_reset(&b);
	session_run(&name, x->path);
	buf_puts(&name, "/allow");
	buf_printf(&b, "%s\n", lines);
	if (file_append(buf_cstr(&name), b.p, b.n, 0600) == 0)
		return 0;
	warn_sys("%s", name.p);
	return -1;
}

/* The client's word on a call. */
static void
permit(const struct json *j)
{
	static struct buf b, name;
	static struct buf word;
	static const char always[] = "always\n";
	int outcome = json_at(j, 0, "result.outcome");
	struct session *x;
	size_t i, k, n;
	int yes;

	buf_reset(&word);
	if (json_is(j, json_get(j, outcome, "outcome"), "selected"))
		(void)json_str(j, json_get(j, outcome, "optionId"), &word);
	yes = strcmp(buf_cstr(&word), "allow") == 0;
	buf_reset(&name);
	(void)json_str(j, json_get(j, 0, "id"), &name);
	buf_cstr(&name);
	for (i = 0; i < nall; i++) {
		x = all[i];
		n = strlen(x->id);
		if (name.n <= n || strncmp(name.p, x->id, n) != 0
		    || name.p[n] != '/')
			continue;
		for (k = 0; k < x->open.n; k++)
			if (strcmp(x->open.v[k], name.p + n + 1) == 0)
				break;
		if (k == x->open.n)
			return;
		if (strncmp(word.p, always, sizeof(always) - 1) == 0)
			yes = allow(x, word.p + sizeof(always) - 1) == 0;
		buf_reset(&b);
		buf_printf(&b, "--%s=%s", yes ? "allow" : "deny", x->open.v[k]);
		strs_add(&x->answers, buf_cstr(&b));
		strs_drop(&x->open, k);
		go_on(x);
		return;
	}
}

static void
cancel(struct session *x)
{
	if (x->req.n == 0 || x->turn == 0)
		return;
	x->iscancelled = 1;
	if (x->view != 0) {
		kill(x->turn, SIGTERM);
		return;
	}
	strs_reset(&x->open);
	finish(x, "cancelled");
}

/* Stop what it does; what is cut off is in the log, as the user's doing. */
static void
end(size_t at)
{
	struct session *x = all[at];

	cancel(x);
	while (x->view != 0 && rpc_take(x->fd, &x->out))
		buf_reset(&x->out);
	if (x->view != 0)
		view_ended(x);
	free(x->id);
	free(x->path);
	free(x->cwd);
	buf_free(&x->req);
	buf_free(&x->out);
	buf_free(&x->fault);
	strs_free(&x->open);
	strs_free(&x->answers);
	free(x);
	all[at] = all[--nall];
}

static void
message(const char *p, size_t n)
{
	static struct json j;
	struct span id;
	enum rpc_kind kind = rpc_parse(&j, p, n, &id);
	int method = json_get(&j, 0, "method");
	struct session *x;
	size_t at = 0;

	if (kind == RPC_NONE)
		return;
	x = find(&j, &at);
	if (kind == RPC_ANSWER) {
		permit(&j);
	} else if (kind == RPC_NOTE) {
		if (x != NULL && json_is(&j, method, "session/cancel"))
			cancel(x);
	} else if (json_is(&j, method, "initialize")) {
		initialize(id);
	} else if (json_is(&j, method, "session/new")) {
		begin(&j, id);
	} else if (json_is(&j, method, "session/load")) {
		resume(&j, id, 1);
	} else if (json_is(&j, method, "session/resume")) {
		resume(&j, id, 0);
	} else if (json_is(&j, method, "session/list")) {
		list(&j, id);
	} else if (!json_is(&j, method, "session/prompt")
	    && !json_is(&j, method, "session/close")) {
		rpc_error(id, RPC_NO_METHOD, "Method not found");
	} else if (x == NULL) {
		rpc_error(id, NO_SESSION, "no such session");
	} else if (json_is(&j, method, "session/prompt")) {
		prompt(&j, id, x);
	} else {
		end(at);
		answer(id, NULL, NULL);
	}
}

int
main(int argc, char **argv)
{
	static struct buf in;
	static struct pollfd *v;
	static size_t capv;
	int isover = 0;
	size_t i;

	prog = "turnpipe";
	if (argc > 1 && (strcmp(argv[1], "-h") == 0
	    || strcmp(argv[1], "--help") == 0)) {
		out_add(usage, sizeof(usage) - 1);
		out_end();
		return 0;
	}
	options = argv + 1;
	if (path_find(&program, "acp.jq") != 0)
		die(EX_CONFIG, "acp.jq: not on the search path");
	path_leave();
	if (setenv("TURNPIPE_ASK", "0", 1) < 0)
		die_sys(EX_OSERR, "setenv");
	signals_arm(SIGNALS_ONCE);
	while (!isover && signals_caught() == 0) {
		while (capv < nall + 2)
			grow(&v, &capv, capv, sizeof(*v));
		v[0].fd = 0;
		v[0].events = POLLIN;
		for (i = 0; i < nall; i++) {
			v[i + 1].fd = all[i]->fd;
			v[i + 1].events = POLLIN;
		}
		v[nall + 1].fd = signals_fd();
		v[nall + 1].events = POLLIN;
		if (poll(v, (nfds_t)nall + 2, -1) < 0)
			continue;
		for (i = nall; i-- > 0;) {
			if (v[i + 1].fd < 0 || v[i + 1].revents == 0)
				continue;
			viewed = all[i];
			if (rpc_take(viewed->fd, &viewed->out))
				rpc_lines(&viewed->out, show);
			else
				view_ended(viewed);
		}
		if (v[0].revents == 0)
			continue;
		isover = !rpc_take(0, &in);
		if (isover)
			buf_putc(&in, '\n'); /* if its last line has none */
		rpc_lines(&in, message);
	}
	/* The editor is gone, and reads no more. */
	while (nall > 0)
		end(0);
	if (signals_caught() != 0)
		signals_die(signals_caught());
	out_end();
	return 0;
}
