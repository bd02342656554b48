/*
 * toolrun [-erwy] [-c N] [--allow ID]
 *     [--deny ID[=REASON]]
 *
 * - Nothing runs before the conversation's end: an error after the message
 *   means that nothing of it may run.
 * - Only what the stream offers can run; the tools end here.
 * - Calls of read-only tools side by side run at once; any other
 *   call waits for all before it, and all after it wait for it.
 * - A result is written when it is there and all before it are; a signal
 *   loses none: what is open gets a result that says "interrupted".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "diag.h"
#include "emit.h"
#include "env.h"
#include "jobs.h"
#include "later.h"
#include "opt.h"
#include "out.h"
#include "pattern.h"
#include "pool.h"
#include "proc.h"
#include "record.h"
#include "ring.h"
#include "sandbox.h"
#include "schemafit.h"
#include "settings.h"
#include "tool.h"
#include "toolcall.h"

enum { MANY = 100, NOT_DONE = 2, ALLOW = 256, DENY };

static const char usage[] =
    "usage: toolrun [-erwy] [-c conversations] [--allow id] [--deny id[=reason]]\n"
    "\n"
    "Run the tool calls of an assistant message.\n"
    "\n"
    "  -c, --conversations=N  at once (1), the results of each in one piece\n"
    "  -e, --empty          an empty answer is one, too\n"
    "  -r, --results        write nothing but the tool messages\n"
    "  -w, --whole          input without an end record is a fault\n"
    "  -y, --yes            run all that no rule denies (TURNPIPE_YES=1)\n"
    "  --allow=ID, --deny=ID[=REASON]\n"
    "                       the answer to an open call; nothing else runs\n";

static const struct option opts[] = {
	{ "allow", required_argument, NULL, ALLOW },
	{ "conversations", required_argument, NULL, 'c' },
	{ "deny", required_argument, NULL, DENY },
	{ "empty", no_argument, NULL, 'e' },
	{ "results", no_argument, NULL, 'r' },
	{ "whole", no_argument, NULL, 'w' },
	{ "yes", no_argument, NULL, 'y' },
	{ NULL, 0, NULL, 0 },
};

static int all; /* run all that no rule denies */
static int empty, results, whole;
static size_t many = 1;	     /* conversations at once */
static int inpool;	     /* a child of those */

static struct tools tools;
static struct toolcalls calls;
static int failed; /* code of an error in this conversation */
static int answered;

static int code, ran, owed, open; /* of all conversations so far */

/* Tools that must have been called before the turn may end. */
static int
check_owed(void)
{
	struct strs names = { 0 };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < tools.n; i++)
		if (tools.v[i].isrequired)
			strs_add(&names, tools.v[i].name);
	for (i = 0; i < names.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", names.v[i]);
	if (names.n > 0) {
		owed = 1;
		warn("required and not called yet: %s", buf_cstr(&b));
		buf_reset(&b);
		emit_open(&b, '{');
		emit_pair(&b, "type", "state");
		emit_strs(&b, "owed", &names);
		emit_close(&b, '}');
		if (!results)
			record_put(&b);
	}
	i = names.n;
	buf_free(&b);
	strs_free(&names);
	return i > 0;
}

static void
fault(int c, const char *msg)
{
	struct span none = { NULL, 0 };

	failed = c;
	warn("%s", msg);
	if (!results)
		record_error(c, msg, none);
}

/* Whose calls these are: where they run, and what their tools are given. */
static void
enter(const struct rec *r)
{
	static struct ring g;
	static struct buf why;

	ring_take(&g, r);
	if (g.cwd == NULL)
		return; /* histfit has said so */
	if (ring_go(&g) < 0) {
		buf_printf(&why, "%s: %s", g.cwd, strerror(errno));
		fault(EX_NOINPUT, buf_cstr(&why));
	}
}

static void
conversation(const struct rec *r)
{
	size_t n;
	int waits = 0;

	/* llmcall was stopped: fail without a second report. */
	if (failed == 0 && calls.ispartial && whole && r->implied)
		failed = EX_PROTOCOL;
	if (failed == 0 && calls.ispartial)
		fault(EX_PROTOCOL, "the answer is not whole: nothing was run");
	if (failed == 0 && whole && r->implied)
		fault(EX_PROTOCOL, "expected an end record: nothing was run");
	if (failed == 0 && whole && !answered)
		fault(EX_PROTOCOL, "expected an answer");
	if (failed == 0) {
		/* A wrong answer is no fault of the session. */
		record_filter(0);
		if (later_answered())
			later_check(&calls);
		record_filter(1);
		n = jobs_run(&calls, &tools, all, &waits);
		open |= waits;
		ran |= n > 0;
		if (n == 0 && !check_owed() && calls.issilent && !empty)
			fault(EX_PROTOCOL, "the answer is empty");
	}
	if (code == 0)
		code = failed;
	tools_reset(&tools);
	toolcalls_reset(&calls);
	failed = answered = 0;
}

static void
options(int argc, char **argv)
{
	const char *env = env_get("TURNPIPE_YES");
	int c;

	all = env != NULL && strcmp(env, "0") != 0;
	while ((c = opt_next(argc, argv, "c:erwy", opts, usage)) != -1)
		switch (c) {
		case 'c':
			many = (size_t)opt_int("-c", optarg, 1, MANY);
			break;
		case 'e':
			empty = 1;
			break;
		case 'r':
			results = 1;
			break;
		case 'w':
			whole = 1;
			break;
		case 'y':
			all = 1;
			break;
		case ALLOW:
		case DENY:
			later_answer(c == ALLOW, optarg);
			break;
		}
	if (optind < argc)
		opt_die(usage, "unexpected operand '%s'", argv[optind]);
}

static void
take_record(const struct rec *r)
{
	switch (r->type) {
	case REC_SESSION:
		if (inpool && ring_isset())
			enter(r);
		break;
	case REC_TOOL:
		tools_add(&tools, r);
		return;
	case REC_MESSAGE:
		toolcalls_take(&calls, r);
		answered |= span_is(r->role, "assistant");
		break;
	case REC_MARK:
		later_take(&calls, r);
		break;
	case REC_ERROR:
		failed = failed != 0 ? failed : record_code(r);
		break;
	case REC_END:
		conversation(r);
		if (inpool)
			return;
		break;
	default:
		break;
	}
	if (!results)
		record_pass(r);
}

static int
status(void)
{
	return code != 0 ? code : open ? EX_TEMPFAIL : ran ? 0
	    : owed ? NOT_DONE : EXIT_NO;
}

/* A child of pool_run: its records were checked by our parent. */
static int
serve(const char *p, size_t n, int hasend)
{
	const char *end = p + n, *nl, *why;
	struct rec r;
	size_t at;

	inpool = 1;
	agent_init();
	agent_pooled();
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (record_check(&r, p, (size_t)(nl - p), &why, &at) < 0)
			die(EX_SOFTWARE, "internal error: %s", why);
		take_record(&r);
	}
	memset(&r, 0, sizeof(r));
	r.type = REC_END;
	r.implied = !hasend;
	take_record(&r);
	out_add("", 1);
	record_close();
	return status();
}

/* Count in the status of a child, as status gives it. */
static void
add_status(int c)
{
	ran |= c == 0;
	owed |= c == NOT_DONE;
	open |= c == EX_TEMPFAIL;
	if (code == 0 && c != 0 && c != NOT_DONE && c != EX_TEMPFAIL
	    && c != EXIT_NO)
		code = c;
}

int
main(int argc, char **argv)
{
	struct rec r;

	prog = "toolrun";
	schemafit_pattern = pattern_in;
	agent_init();
	opt_set = settings_set;
	record_filter(1);
	/* A user agrees to one call, not to those of a tool of a tool. */
	unsetenv("TURNPIPE_AGREED");
	options(argc, argv);
	sandbox_setup();
	proc_init();
	if (many > 1 || ring_isset())
		pool_run(many, serve, add_status);
	else
		while (record_next(&r))
			take_record(&r);
	record_close();
	return status();
}
