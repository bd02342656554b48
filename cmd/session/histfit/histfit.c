/*
 * histfit [-m] [-F calls] [file]
 * histfit -d file
 * histfit -o file
 * histfit -s file
 * histfit -u file
 *
 * The head of the pipe: a session as the next request shall have it.
 * - Reads from the end, only what the window and the running turn need: a
 *   turn costs the same however long the session is.
 * - Everything here is a view; the log is never touched.  What is in order
 *   and in the window leaves byte for byte.
 * - The end comes only after all was read without fault.
 */

#include "chat.h"
#include "diag.h"
#include "footprint.h"
#include "many.h"
#include "opencalls.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "ring.h"
#include "session.h"
#include "sessionread.h"
#include "settings.h"
#include "skillmsg.h"
#include "spent.h"
#include "statefacts.h"
#include "unasked.h"
#include "window.h"

enum { COPY_MAX = 8192 }; /* below this a copy is cheaper than a write */

static const char usage[] =
    "usage: histfit [-m] [-F calls] [file]\n"
    "       histfit -d file\n"
    "       histfit -o file\n"
    "       histfit -s file\n"
    "       histfit -u file\n"
    "\n"
    "  -d, --done         print nothing; 1 if the last turn is not finished\n"
    "  -F, --footprint N  also a section with the last N tool calls\n"
    "  -m, --skill-messages  a skill's text is a message of the user\n"
    "  -o, --open         calls that wait for the user's word; 1 if none does\n"
    "  -s, --spent        what the last turn took, for a person\n"
    "  -u, --unasked      an error that names the calls of the last turn that\n"
    "                     no user denied and were not run; 1 without any\n";

static const struct option opts[] = {
	{"done", no_argument, NULL, 'd'},
	{"footprint", required_argument, NULL, 'F'},
	{"skill-messages", no_argument, NULL, 'm'},
	{"open", no_argument, NULL, 'o'},
	{"spent", no_argument, NULL, 's'},
	{"unasked", no_argument, NULL, 'u'},
	{NULL, 0, NULL, 0}};

static struct chat chat;
static struct window fit;
static struct statefacts statefacts;
static struct statefacts_names names;
static struct sessionread past = {.chat = &chat, .statefacts = &statefacts};
static long long calls; /* of the footprint */
static int lessons; /* skills as messages */

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

/* Item i; after the last result of a group the texts of its skills. */
static void
put_next(size_t i)
{
	static struct buf b;

	if (!lessons) {
		put_item(&chat.view[i]);
		return;
	}
	put_item(skillmsg_item(&chat, &names, i));
	if (i + 1 == chat.nview || chat.view[i + 1].call < 0) {
		buf_reset(&b);
		skillmsg_messages(&b);
		out_add(b.p, b.n);
	}
}

static void
put_view(const char *path)
{
	static struct statefacts_touched touched;
	size_t i, start;
	long opening;

	sessionread_view(&past, &fit, &names);
	start = window_choose(&fit, &chat, past.through, &opening);
	if (statefacts.summary.p != NULL) {
		out_add(statefacts.summary.p, statefacts.summary.n);
		out_add("\n", 1);
	}
	if (opening >= 0)
		put_item(&chat.view[opening]);
	for (i = start; i < chat.nview; i++)
		put_next(i);
	statefacts_touched(&touched, &statefacts, &names, &chat, chat.n);
	statefacts_put(&statefacts, &names, &chat, start, opening,
	    session_id(path), &past.count, &touched);
	statefacts_files(&touched);
	if (calls > 0)
		footprint_put(&chat, calls);
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

static void
put_end(void)
{
	static struct buf end;

	buf_puts(&end, "{\"type\":\"end\"}");
	record_put(&end);
}

static void
put_named(const char *path)
{
	if (!sessionread_open(&past, path))
		die(EX_NOINPUT, "%s: no such session", path);
	sessionread_load(&past, &fit);
	put_view(path);
	put_end();
}

int
main(int argc, char **argv)
{
	const char *path = NULL;
	int (*query)(struct tail *) = NULL;
	int c, dflag = 0;

	prog = "histfit";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "dF:mosu", opts, usage)) != -1)
		switch (c) {
		case 'd': dflag = 1; break;
		case 'F': calls = opt_int("-F", optarg, 0, 1000); break;
		case 'm': lessons = 1; break;
		case 'o': query = opencalls_put; break;
		case 's': query = spent_put; break;
		case 'u': query = unasked_put; break;
		}
	if (optind < argc)
		path = argv[optind++];
	else if (!dflag && query == NULL && !ring_isset())
		path = session_working();
	if (optind < argc
	    || (path == NULL && (dflag || query != NULL || !ring_isset())))
		opt_die(usage, "expected one session file");
	if (query != NULL) {
		record_filter(query == opencalls_put);
		c = sessionread_open(&past, path) && query(&past.tail);
		record_close();
		return c ? 0 : EXIT_NO;
	}
	sessionread_limits(&fit);
	sessionread_names(&names);
	if (lessons && skillmsg_load() < 0)
		lessons = 0;
	if (path == NULL)
		return many_put(ring_dir(), put_named);
	if (sessionread_open(&past, path))
		sessionread_load(&past, &fit);
	if (dflag)
		return is_done() ? 0 : EXIT_NO;
	put_view(path);
	put_end();
	return record_close();
}
