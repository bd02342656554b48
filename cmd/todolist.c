/*
 * todolist
 * todolist add TEXT | update ID | remove ID | clear | list | accept | deny
 *
 * - As a filter it puts the session's todos into the stream; as a command it
 *   changes them, for tools and people.
 * - A refusal is one line that a model can act on, and status 1; the file is
 *   then as it was.  Every change holds the lock from read to write, so that
 *   tools at the same time lose nothing.
 */

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "file.h"
#include "lock.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "section.h"
#include "settings.h"
#include "todos.h"

static const char usage[] =
    "usage: todolist\n"
    "       todolist add [-d id] [-p parent] [-s status] text\n"
    "       todolist update [-d id] [-s status] [-t text] id\n"
    "       todolist remove id\n"
    "       todolist clear [-a] | list [-j] | accept | deny\n";

static const struct option options[] = {
    {"all", no_argument, NULL, 'a'},
    {"depends", required_argument, NULL, 'd'},
    {"json", no_argument, NULL, 'j'},
    {"parent", required_argument, NULL, 'p'},
    {"status", required_argument, NULL, 's'},
    {"text", required_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

static struct todos todos;
static struct buf path;
static struct strs depends;
static struct todo_wish wish = {NULL, NULL, NULL, -1};
static int all, json;

/* The session's list; 0 where there is no session. */
static int
find_file(void)
{
	const char *run = getenv("TURNPIPE_RUN");

	if (run == NULL || *run == '\0')
		return 0;
	buf_printf(&path, "%s/todos.jsonl", run);
	return 1;
}

static int
take_lock(void)
{
	struct buf b = {0};
	int fd;

	file_dir(&b, buf_cstr(&path));
	if (file_mkdirs(buf_cstr(&b)) < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	buf_reset(&b);
	buf_printf(&b, "%s.lock", buf_cstr(&path));
	fd = lock_take(buf_cstr(&b), -1);
	if (fd < 0)
		die_sys(EX_CANTCREAT, "%s", buf_cstr(&b));
	buf_free(&b);
	return fd;
}

static void
show(void)
{
	static struct buf b;
	size_t i;

	for (i = 0; json && i < todos.n; i++) {
		todos_record(&b, &todos.v[i]);
		record_put(&b);
	}
	if (!json) {
		todos_text(&b, &todos);
		out_add(b.p, b.n);
	}
}

static void
say(const char *what, size_t n)
{
	static struct buf b;

	buf_printf(&b, "%zu %s\n", n, what);
	out_add(b.p, b.n);
}

/* Show one as it is now. */
static void
say_one(const char *id)
{
	static struct buf b;
	const struct todo *t = todos_find(&todos, id);

	if (t == NULL)
		return;
	todos_line(&b, t);
	if (b.n > 0 && b.p[b.n - 1] != '\n')
		buf_putc(&b, '\n');
	out_add(b.p, b.n);
}

static int
refuse(struct buf *why)
{
	warn("%s", buf_cstr(why));
	return EXIT_NO;
}

/* One change; the status. */
static int
change(const char *verb, const char *arg)
{
	static struct buf why, last;
	int fd = take_lock();

	(void)fd; /* held until we exit */
	todos_read(&todos, buf_cstr(&path));
	if (strcmp(verb, "add") == 0) {
		wish.text = arg;
		if (todos_add(&todos, &wish, &why) < 0)
			return refuse(&why);
		/* A subtask stands behind its parent, not at the end. */
		buf_printf(&last, "%s", todos.v[todos.n - 1].id);
	} else if (strcmp(verb, "update") == 0) {
		if (todos_update(&todos, arg, &wish, &why) < 0)
			return refuse(&why);
	} else if (strcmp(verb, "remove") == 0) {
		if (todos_remove(&todos, arg, &why) < 0)
			return refuse(&why);
	}
	if (strcmp(verb, "clear") == 0)
		say("removed", todos_clear(&todos, all));
	else if (strcmp(verb, "accept") == 0)
		say("accepted", todos_accept(&todos));
	else if (strcmp(verb, "deny") == 0)
		say("denied", todos_deny(&todos));
	todos_write(&todos, buf_cstr(&path));
	if (strcmp(verb, "update") == 0)
		say_one(arg);
	else if (strcmp(verb, "add") == 0 || strcmp(verb, "remove") == 0)
		show();
	return 0;
}

static int
command(int argc, char **argv)
{
	static const struct {
		const char *verb;
		int operands;
	} verbs[] = {{"add", 1}, {"update", 1}, {"remove", 1}, {"clear", 0},
	    {"list", 0}, {"accept", 0}, {"deny", 0}};
	const char *operand = NULL, *verb = argv[0];
	size_t i;
	int c, status = 0;

	for (i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verb, verbs[i].verb) == 0)
			break;
	if (i == sizeof(verbs) / sizeof(*verbs))
		opt_die(usage, "no such verb: %s", verb);
	/* The operand may stand before the options too. */
	if (verbs[i].operands > 0 && argc > 1 && argv[1][0] != '-') {
		operand = argv[1];
		argv++;
		argc--;
	}
	while ((c = opt_next(argc, argv, "ad:jp:s:t:", options, usage)) != -1)
		switch (c) {
		case 'a': all = 1; break;
		case 'd': strs_add(&depends, optarg); break;
		case 'j': json = 1; break;
		case 'p': wish.parent = optarg; break;
		case 's':
			wish.status = todos_status(optarg);
			if (wish.status < 0)
				opt_die(usage, "no such status: %s", optarg);
			break;
		case 't': wish.text = optarg; break;
		}
	if (operand == NULL && optind < argc && verbs[i].operands > 0)
		operand = argv[optind++];
	if (optind < argc || (operand != NULL) != (verbs[i].operands > 0))
		opt_die(usage, "%s: expected %d operand", verb,
		    verbs[i].operands);
	if (depends.n > 0)
		wish.depends = &depends;
	if (!find_file())
		die(EX_CONFIG, "TURNPIPE_RUN: expected a session");
	if (strcmp(verb, "list") == 0) {
		todos_read(&todos, buf_cstr(&path));
		show();
	} else {
		status = change(verb, operand);
	}
	out_end();
	return status;
}

static void
put_todos(void)
{
	static struct buf b;
	struct section s = {0};
	size_t i;

	todos_read(&todos, buf_cstr(&path));
	for (i = 0; i < todos.n; i++) {
		todos_record(&b, &todos.v[i]);
		record_put(&b);
	}
	if (todos.n == 0)
		return;
	todos_text(&b, &todos);
	while (b.n > 0 && b.p[b.n - 1] == '\n')
		b.n--;
	s.kind = "todos";
	s.isvolatile = 1;
	section_put(&s, b.p, b.n);
	buf_reset(&b);
}

int
main(int argc, char **argv)
{
	struct rec r;
	int session;

	prog = "todolist";
	if (argc > 1 && argv[1][0] != '-')
		return command(argc - 1, argv + 1);
	while (opt_next(argc, argv, "", NULL, usage) != -1)
		;
	record_filter();
	session = find_file() && settings_enabled("todolist");
	while (record_next(&r)) {
		if (r.type == REC_END && session)
			put_todos();
		record_pass(&r);
	}
	return record_close();
}
