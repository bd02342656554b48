/*
 * histfit [-m] [-n messages] [-r bytes] [-t tokens] file
 * histfit -d file
 *
 * The head of the pipe: a session as the next request shall have it.
 * - Reads from the end, only what the window and the running turn need: a
 *   turn costs the same however long the session is.
 * - Everything here is a view; the log is never touched.  What is in order
 *   and in the window leaves byte for byte.
 * - The end comes only after all was read without fault.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chat.h"
#include "diag.h"
#include "fd.h"
#include "fit.h"
#include "lesson.h"
#include "opt.h"
#include "out.h"
#include "prose.h"
#include "recap.h"
#include "record.h"
#include "repair.h"
#include "session.h"
#include "settings.h"
#include "tail.h"

enum {
	TEXT_MAX = 65536,
	COPY_MAX = 8192 /* below this a copy is cheaper than a write */
};

static const char usage[] =
    "usage: histfit [-m] [-n messages] [-r bytes] [-t tokens] file\n"
    "       histfit -d file\n"
    "\n"
    "  -d, --done         print nothing; 1 if the last turn is not finished\n"
    "  -m, --skill-messages  a skill's text is a message of the user\n"
    "  -n, --messages N   window of at most N messages, 0 for all\n"
    "  -r, --results N    keep N bytes of old tool results, 0 for all\n"
    "  -t, --tokens N     window of at most N tokens, 0 for all\n";

static const struct option opts[] = {
	{"done", no_argument, NULL, 'd'},
	{"skill-messages", no_argument, NULL, 'm'},
	{"messages", required_argument, NULL, 'n'},
	{"results", required_argument, NULL, 'r'},
	{"tokens", required_argument, NULL, 't'},
	{NULL, 0, NULL, 0}};

static struct chat chat;
static struct fit fit = {-1, -1, -1, 0, 0, 0};
static struct recap recap;
static struct recap_names names;
static struct session_count count;
static struct tail tail;
static long long through;
static int lessons; /* skills as messages */

static void
settle(void)
{
	if (fit.messages < 0)
		fit.messages = settings_int("histfit.messages", 0);
	if (fit.tokens < 0)
		fit.tokens = settings_int("histfit.tokens", 0);
	if (fit.results < 0)
		fit.results = settings_int("histfit.results_max", 0);
	fit.small = settings_int("histfit.results_small", 0);
	fit.groups = (int)settings_int("histfit.groups", 2);
	fit.keep = settings_num("histfit.keep", 0.5);
	if (fit.keep < 0 || fit.keep > 1)
		die(EX_CONFIG, "histfit.keep: expected a number from 0 to 1");
	settings_strs("histfit.read_tools", &names.readers);
	settings_strs("histfit.write_tools", &names.writers);
	settings_strs("histfit.skill_tools", &names.loaders);
	settings_strs("histfit.path_arguments", &names.paths);
	settings_strs("histfit.skill_arguments", &names.skills);
	names.calls = settings_int("histfit.calls", 15);
}

/* 0 for a session that is not there yet. */
static int
open_log(const char *path)
{
	struct session_count none = {0, 0, 0};
	struct rec r;
	struct stat st;
	const char *why;
	size_t at;
	int fd;

	count = none;
	fd = fd_open(path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		die_sys(EX_NOINPUT, "%s", path);
	if (!S_ISREG(st.st_mode))
		die(EX_NOINPUT, "%s: not a regular file", path);
	tail_open(&tail, fd, path);
	if (tail.torn.n > 0) {
		if (record_check(&r, tail.torn.p, tail.torn.n, &why, &at) == 0)
			tail_whole(&tail);
		else
			warn("%s: torn last line (%zu bytes) skipped", path,
			    tail.torn.n);
	}
	session_counted(&tail, &count);
	return 1;
}

static struct chat_msg *
take_message(const struct rec *r, const struct session_count *c)
{
	struct json *j = record_json(r);
	struct chat_msg *m;
	struct span text = {r->s, r->n};

	if (json_true(j, json_at(j, 0, "tp.volatile")))
		return NULL;
	m = chat_add(&chat, j, text);
	m->n = c->n;
	m->number = c->message;
	m->at = tail_at(&tail, r->s);
	return m;
}

static void
take_other(const struct rec *r)
{
	struct json *j = record_json(r);
	struct span s = json_span(j, 0);

	if (r->type == REC_USAGE && recap.usage.p == NULL) {
		recap.usage = s;
		recap.usage_behind = chat.n;
	} else if (r->type == REC_SUMMARY && recap.summary.p == NULL) {
		recap.summary = s;
		recap.summary_behind = chat.n;
	} else if (r->type == REC_MARK && !recap.stopped
	    && json_is(j, json_get(j, 0, "what"), "interrupted")) {
		recap.stopped = 1;
		recap.stop_behind = chat.n;
	}
}

/* A summary stands for all before it, or as far as it says. */
static void
look_through(const struct rec *r, long long n)
{
	struct json *j = record_json(r);

	if (json_int(j, json_get(j, 0, "through"), &through) < 0)
		through = n - 1;
}

static void
read_back(void)
{
	struct session_count c = count;
	struct fit_walk walk = {0, 0, 0, 0};
	struct chat_msg *m;
	struct rec r;
	int more = 1;

	while (more && session_prev(&tail, &r)) {
		if (!session_keeps(r.type))
			continue;
		if (r.type == REC_MESSAGE) {
			m = take_message(&r, &c);
			if (m != NULL) {
				if (m->n <= through)
					walk.enough = 1;
				more = fit_more(&fit, &walk, m);
			}
			c.message--;
		} else {
			if (r.type == REC_SUMMARY && recap.summary.p == NULL)
				look_through(&r, c.n);
			take_other(&r);
		}
		c.n--;
	}
	chat_reverse(&chat);
}

static void
put_item(const struct chat_item *it)
{
	if (!it->made && it->text.n >= COPY_MAX) {
		out_pass(it->text.p, it->text.n + 1);
		return;
	}
	out_add(it->text.p, it->text.n);
	out_add("\n", 1);
}

/* Item i; behind the last result of a group what its skills say. */
static void
put_next(size_t i)
{
	static struct buf b;

	if (!lessons) {
		put_item(&chat.view[i]);
		return;
	}
	put_item(lesson_item(&chat, &names, i));
	if (i + 1 == chat.nview || chat.view[i + 1].call < 0) {
		buf_reset(&b);
		lesson_messages(&b);
		out_add(b.p, b.n);
	}
}

static void
put_view(const char *path)
{
	static struct buf missing, shortened;
	size_t i, start;
	long opening;

	prose_read(&missing, "prompts/missing-result.md");
	prose_read(&shortened, "prompts/shortened-result.md");
	repair_chat(&chat, buf_cstr(&missing), missing.n);
	fit_shorten(&fit, &chat, buf_cstr(&shortened), shortened.n);
	if (lessons)
		lesson_restore(&chat, &names);
	start = fit_window(&fit, &chat, through, &opening);
	if (recap.summary.p != NULL) {
		out_add(recap.summary.p, recap.summary.n);
		out_add("\n", 1);
	}
	if (opening >= 0)
		put_item(&chat.view[opening]);
	for (i = start; i < chat.nview; i++)
		put_next(i);
	recap_state(&recap, &names, &chat, start, opening, session_id(path),
	    &count);
	recap_files(&recap, &names, &chat);
}

/* The last word is an answer, a whole one. */
static int
is_done(void)
{
	const struct chat_msg *m;

	if (chat.n == 0)
		return 1;
	m = &chat.v[chat.n - 1];
	return m->role == CHAT_ASSISTANT && !m->partial && !m->empty
	    && m->ncalls == 0;
}

int
main(int argc, char **argv)
{
	static struct buf end;
	int c, dflag = 0;

	prog = "histfit";
	record_filter();
	while ((c = opt_next(argc, argv, "dmn:r:t:", opts, usage)) != -1)
		switch (c) {
		case 'd': dflag = 1; break;
		case 'm': lessons = 1; break;
		case 'n':
			fit.messages = opt_int("-n", optarg, 0, 1000000000);
			break;
		case 'r':
			fit.results = opt_int("-r", optarg, 0, 1000000000);
			break;
		case 't':
			fit.tokens = opt_int("-t", optarg, 0, 1000000000);
			break;
		}
	if (argc - optind != 1)
		opt_die(usage, "expected one session file");
	settle();
	if (lessons && lesson_load() < 0)
		lessons = 0;
	if (open_log(argv[optind]))
		read_back();
	if (dflag)
		return is_done() ? 0 : EXIT_NO;
	put_view(argv[optind]);
	buf_puts(&end, "{\"type\":\"end\"}");
	record_put(&end);
	return record_close();
}
