/*
 * todolist [-F form] [-f file] [add|update|remove|clear|list|accept|deny ...]
 *
 * - As a filter: the stream, then the list as todo records and, if there is
 *   any, as one section.
 * - As a command: what the model's tools and people call.  A refusal is one
 *   line that says what to do instead, exit 1, and changes nothing.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "env.h"
#include "file.h"
#include "lock.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "ring.h"
#include "section.h"
#include "session.h"
#include "settings.h"
#include "terminal.h"
#include "todoform.h"
#include "todos.h"

enum { WAIT = 30000, BLOCK = 65536, INPUT_MAX = 1 << 20 };

static const char usage[] =
    "usage: todolist [-F form] [-f file]\n"
    "       todolist [-f file] add [-d id,...] [-p parent] [-s status] text ...\n"
    "       todolist [-f file] update [-d id,...] [-s status] [-t text] id ...\n"
    "       todolist [-f file] add | update -j\n"
    "       todolist [-f file] remove id ...\n"
    "       todolist [-f file] clear [-a]\n"
    "       todolist [-f file] list [-j]\n"
    "       todolist [-f file] accept | deny [id ...]\n";

static const struct option opts[] = {
	{"all", no_argument, NULL, 'a'},
	{"depends", required_argument, NULL, 'd'},
	{"form", required_argument, NULL, 'F'},
	{"file", required_argument, NULL, 'f'},
	{"json", no_argument, NULL, 'j'},
	{"parent", required_argument, NULL, 'p'},
	{"status", required_argument, NULL, 's'},
	{"text", required_argument, NULL, 't'},
	{NULL, 0, NULL, 0}};

static struct todos list;
static struct todo_wish wish = {NULL, NULL, NULL, -1};
static struct strs depends, operands;
static struct buf input; /* read before the lock is taken: it may take long */
static const char *file;
static int aflag, jflag;

/*
 * Is a turn on, whose lock we do not have?  What the user types into it has
 * that lock, tools have not, whatever becomes of their environment.
 */
static int
in_use(const char *path)
{
	static struct buf lock, dir;

	buf_reset(&dir);
	file_dir(&dir, path);
	file_join(&lock, buf_cstr(&dir), "lock");
	return lock_others(buf_cstr(&lock));
}

/* May a model ask, by a tool?  What it proposed the user accepts. */
static int
by_tool(const char *path)
{
	return env_get("LLM_TOOL_NAME") != NULL || in_use(path);
}

/* The session's list; NULL where no session is. */
static const char *
find_file(void)
{
	static struct buf b;
	const char *session = env_get("TURNPIPE_SESSION");

	if (file != NULL)
		return file;
	if (env_run(&b, "todos.jsonl") != NULL)
		return buf_cstr(&b);
	if (session == NULL)
		return NULL;
	session_run(&b, session);
	buf_puts(&b, "/todos.jsonl");
	return buf_cstr(&b);
}

/* Where no session is: the list of the last one, named; NULL for none. */
static const char *
last_file(void)
{
	static struct buf b, session;
	struct span id;

	if (session_last(&session, NULL) < 0)
		return NULL;
	id = session_id(buf_cstr(&session));
	warn("the last session: %.*s", (int)id.n, id.p);
	session_run(&b, buf_cstr(&session));
	buf_puts(&b, "/todos.jsonl");
	return buf_cstr(&b);
}

/* Options may stand before and behind operands, until "--". */
static void
options(int argc, char **argv, const char **verb)
{
	int c, rest = 0;

	while (optind < argc || *verb == NULL) {
		while ((c = opt_next(argc, argv, "ad:F:f:jp:s:t:", opts, usage))
		    != -1)
			switch (c) {
			case 'a': aflag = 1; break;
			case 'd':
				strs_split(&depends, optarg);
				wish.depends = &depends;
				break;
			case 'F':
				if (todoform_load(optarg) < 0)
					opt_die(usage, "no form '%s'", optarg);
				break;
			case 'f': file = optarg; break;
			case 'j': jflag = 1; break;
			case 'p': wish.parent = optarg; break;
			case 's':
				wish.status = todos_status(optarg);
				if (wish.status < 0)
					opt_die(usage, "no such status: %s",
					    optarg);
				break;
			case 't': wish.text = optarg; break;
			}
		rest |= optind > 1 && strcmp(argv[optind - 1], "--") == 0;
		if (optind >= argc)
			return;
		if (*verb == NULL)
			*verb = argv[optind++];
		else
			strs_add(&operands, argv[optind++]);
		while (rest && optind < argc)
			strs_add(&operands, argv[optind++]);
	}
}

/* Each operand is a text to add or an id to update. */
static int
from_operands(int update, struct strs *touched, struct buf *why)
{
	const char *id;
	size_t i;

	for (i = 0; i < operands.n; i++) {
		id = operands.v[i];
		if (update) {
			if (todos_update(&list, id, &wish, why) < 0)
				return -1;
		} else {
			wish.text = id;
			id = todos_add(&list, &wish, why);
			if (id == NULL)
				return -1;
		}
		strs_add(touched, id);
	}
	return 0;
}

static void
read_input(void)
{
	ssize_t n;

	do {
		buf_room(&input, BLOCK);
		if ((n = read(STDIN_FILENO, input.p + input.n, BLOCK)) < 0)
			die_sys(EX_IOERR, "read <stdin>");
		input.n += (size_t)n;
	} while (n != 0 && input.n <= INPUT_MAX);
}

/* Change the list as the verb says.  0, or -1 and why not. */
static int
change(const char *verb, struct strs *touched, struct buf *why)
{
	int update = strcmp(verb, "update") == 0;
	size_t i;

	if (update || strcmp(verb, "add") == 0)
		return jflag ? todos_json(&list, buf_cstr(&input), input.n,
				   update, touched, why)
			     : from_operands(update, touched, why);
	if (strcmp(verb, "clear") == 0)
		todos_clear(&list, aflag);
	for (i = 0; strcmp(verb, "remove") == 0 && i < operands.n; i++)
		if (todos_remove(&list, operands.v[i], why) < 0)
			return -1;
	if (strcmp(verb, "accept") == 0)
		return todos_accept(&list, &operands, why);
	if (strcmp(verb, "deny") == 0)
		return todos_deny(&list, &operands, why);
	return 0;
}

/* Under the lock: read, change, write, tell. */
static int
command(const char *verb, const char *path)
{
	static struct strs touched;
	static struct todos old;
	static struct buf b, why;

	if (jflag && (strcmp(verb, "add") == 0 || strcmp(verb, "update") == 0))
		read_input();
	if (file_mkparent(path) < 0)
		die_sys(EX_CANTCREAT, "%s", path);
	buf_printf(&b, "%s.lock", path);
	if (lock_take(buf_cstr(&b), WAIT) < 0)
		die_sys(errno == EWOULDBLOCK ? EX_TEMPFAIL : EX_CANTCREAT,
		    "%s", b.p);
	todos_read(&old, path);
	todos_read(&list, path);
	if (change(verb, &touched, &why) < 0
	    || (by_tool(path) && todos_judge(&list, &old, &why) < 0)) {
		warn("%s", buf_cstr(&why));
		return EXIT_NO;
	}
	todos_write(&list, path);
	buf_reset(&b);
	todos_changes(&b, &list, &old, &touched);
	out_add(b.p, b.n);
	return record_close();
}

static void
put_records(void)
{
	static struct buf b;
	size_t i;

	for (i = 0; i < list.n; i++) {
		todos_record(&b, &list.v[i]);
		record_put(&b);
	}
}

static int
print(const char *path)
{
	static struct buf b;

	todos_read(&list, path);
	if (jflag)
		put_records();
	else if (list.n == 0)
		buf_puts(&b, "no todos\n");
	else
		todos_text(&b, &list);
	out_add(b.p, b.n);
	return record_close();
}

/* What is said of the list at the end of a conversation. */
static void
put(const char *path)
{
	static const struct section s = {.kind = "todos", .isvolatile = 1};
	static struct buf b;

	if (path == NULL || !settings_enabled(prog))
		return;
	todos_read(&list, path);
	put_records();
	todoform_text(&b, &list);
	if (b.n > 0)
		section_put(&s, b.p, b.n - 1);
	buf_reset(&b);
}

/* Is it a verb, with the operands that it takes? */
static void
check(const char *verb)
{
	static const char *const verbs[7] = {"add", "update", "remove",
	    "clear", "list", "accept", "deny"};
	size_t i;
	int some;

	for (i = 0; i < 7 && strcmp(verb, verbs[i]) != 0; i++)
		;
	if (i == 7)
		opt_die(usage, "unknown command '%s'", verb);
	some = i <= 2 && !(i <= 1 && jflag);
	if (some && operands.n == 0)
		opt_die(usage, "%s: expected %s", verb,
		    i == 0 ? "a text" : "an id");
	if (!some && i <= 4 && operands.n > 0)
		opt_die(usage, "%s: expected no operand", verb);
	if (i > 4 && env_get("LLM_TOOL_NAME") != NULL)
		die(EXIT_NO, "%s: that is the user's to say", verb);
}

int
main(int argc, char **argv)
{
	const char *path, *verb = NULL;
	struct rec r;

	prog = "todolist";
	opt_set = settings_set;
	options(argc, argv, &verb);
	path = find_file();
	if (verb != NULL) {
		check(verb);
		if (path == NULL && (strcmp(verb, "list") == 0
			|| strcmp(verb, "accept") == 0
			|| strcmp(verb, "deny") == 0))
			path = last_file();
		if (path == NULL)
			die(EX_USAGE,
			    "no list: expected -f or TURNPIPE_SESSION");
		if (strcmp(verb, "list") == 0)
			return print(path);
		if ((strcmp(verb, "accept") == 0 || strcmp(verb, "deny") == 0)
		    && in_use(path))
			die(EX_TEMPFAIL, "%s: a turn of this session is on: "
			    "/%s there, or when it is over", verb, verb);
		return command(verb, path);
	}
	record_filter(1);
	while (record_next(&r)) {
		if (r.type == REC_END && !record_isfaulty())
			put(ring_isset() ? find_file() : path);
		record_pass(&r);
		ring_enter(&r);
	}
	return record_close();
}
