/*
 * llmcall [option ...]
 *
 * - Requests in; messages, usage and errors out, each with its request's id.
 *   All other records pass by, in order.
 * - No half answer passes for a whole one: message with tp.partial and an
 *   error record, never its calls.
 * - One layer of retries (call.c), one event loop (http.c), output in the
 *   order of input (queue.c).  Providers are data (provider.c).
 * - Keys never leave provider.c but for the header they are sent in.
 */

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "book.h"
#include "clock.h"
#include "concurrency.h"
#include "diag.h"
#include "discover.h"
#include "display.h"
#include "emit.h"
#include "env.h"
#include "forecast.h"
#include "handover.h"
#include "http.h"
#include "opt.h"
#include "order.h"
#include "out.h"
#include "outschema.h"
#include "pattern.h"
#include "queue.h"
#include "ratelimit.h"
#include "record.h"
#include "schemafit.h"
#include "settings.h"
#include "signals.h"
#include "spendcap.h"
#include "waiting.h"
#include "yamlfile.h"

static int failed; /* an upstream error ended this conversation's hopes */
static int asked, said, faulty; /* a request, a message, an error was seen */
static void (*outer_hook)(int code, const char *msg);

static void
last(int code, const char *msg)
{
	die_hook = outer_hook;
	if (record_failed())
		queue_drain();
	out_polled = 0;
	outer_hook(code, msg);
}

/*
 * Make this command a filter (record.h) of requests.  Bad input ends it, but
 * first what was asked before is answered.
 */
static void
open_input(void)
{
	record_filter(1);
	record_untyped = 1;
	outer_hook = die_hook;
	die_hook = last;
}

static void
cut_short(void)
{
	static struct buf b;

	faulty = 1;
	warn("expected an end record: no call");
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", prog);
	emit_pairi(&b, "code", EX_PROTOCOL);
	emit_pair(&b, "message", "expected an end record: no call");
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	queue_close(0);
	order_put(b.p, b.n);
	buf_reset(&b);
	queue_fail(EX_PROTOCOL);
}

/* What of the stream becomes a call, what passes by, what forbids calls. */
static void
take_record(struct rec *r)
{
	switch (r->type) {
	case REC_REQUEST:
	case REC_UNTYPED:
		asked = 1;
		if (!failed)
			queue_request(r);
		return;
	case REC_ERROR:
		failed = faulty = 1;
		queue_fail(record_code(r));
		order_pass(r);
		return;
	case REC_END:
		if (failed)
			queue_close(0);
		else if (r->implied && queue_options.whole)
			cut_short();
		else
			queue_close(1);
		order_pass(r);
		order_end();
		failed = 0;
		return;
	case REC_MESSAGE:
		said = 1;
		break;
	case REC_OTHER:
		record_unknown(r);
		break;
	default:
		break;
	}
	order_pass(r);
}

/* The end of input: say so if it had messages but no request. */
static void
close_input(void)
{
	if (said && !asked && !faulty)
		warn("no request in the input, so no call: promptcompose makes "
		    "a request of messages");
}

static const char usage[] =
    "usage: llmcall [-dGnPuw] [-B provider] [-C dollars] [-c seconds]\n"
    "               [-f seconds] [-g seconds] [-i seconds] [-j jobs] [-m model]\n"
    "               [-p requests] [-r file] [-S file] [-t seconds] [-W seconds]\n"
    "               [-x count] [--check | --key]\n"
    "\n"
    "  -m, --model NAME       ask PROVIDER/MODEL, whatever the request names\n"
    "  -d, --deltas           write text as it comes, in delta records\n"
    "  -w, --whole            call only when the conversation's end has come\n"
    "  -j, --jobs N           calls at a time (1)\n"
    "  -u, --unordered        write answers as they come\n"
    "  -B, --to-batch PROVIDER  hand over to its batch service; see journal\n"
    "  -G, --from-batch       wait for those batches, take their answers\n"
    "  -p, --rpm N            requests a minute, at most\n"
    "  -r, --rate-file FILE   processes that name it share -p\n"
    "  -C, --max-cost USD     dollars in all, at most\n"
    "  -S, --schema FILE      answers that fit this JSON Schema\n"
    "      --check            send nothing: count, estimate, find faults\n"
    "      --key              print what answers depend on of the options\n"
    "  -n, --dry-run          print the bytes, key masked; make no call\n"
    "  -P, --probe            print the model of an unconfigured run\n"
    "  -c, --connect S        seconds to connect (10)\n"
    "  -f, --first S          seconds to the first byte (300)\n"
    "  -i, --idle S           seconds without a byte (120)\n"
    "  -g, --progress S       seconds without a piece of the answer (300)\n"
    "  -t, --total S          seconds for a call, all tries (1800)\n"
    "  -x, --retries N        tries after the first (4)\n"
    "  -W, --max-wait S       longest pause between two tries (60)\n";

enum { CHECK = 256, PRINT_KEY };

static const struct option opts[] = {
	{"model", required_argument, NULL, 'm'},
	{"deltas", no_argument, NULL, 'd'},
	{"whole", no_argument, NULL, 'w'},
	{"jobs", required_argument, NULL, 'j'},
	{"unordered", no_argument, NULL, 'u'},
	{"to-batch", required_argument, NULL, 'B'},
	{"from-batch", no_argument, NULL, 'G'},
	{"rpm", required_argument, NULL, 'p'},
	{"rate-file", required_argument, NULL, 'r'},
	{"max-cost", required_argument, NULL, 'C'},
	{"schema", required_argument, NULL, 'S'},
	{"dry-run", no_argument, NULL, 'n'},
	{"check", no_argument, NULL, CHECK},
	{"key", no_argument, NULL, PRINT_KEY},
	{"probe", no_argument, NULL, 'P'},
	{"connect", required_argument, NULL, 'c'},
	{"first", required_argument, NULL, 'f'},
	{"idle", required_argument, NULL, 'i'},
	{"progress", required_argument, NULL, 'g'},
	{"total", required_argument, NULL, 't'},
	{"retries", required_argument, NULL, 'x'},
	{"max-wait", required_argument, NULL, 'W'},
	{NULL, 0, NULL, 0}
};

enum { MOST = 1 << 30 };

static int checking, keying, probing;
static long long rpm;
static double dollars;
static const char *rate_file, *service;
static int taking;
static long long longest = -1; /* to wait for a batch */

/* Seconds, with a fraction, as milliseconds; 0 is no limit. */
static long long
seconds(int opt, const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	if (*arg == '\0' || *end != '\0' || !(v >= 0 && v <= 1e9))
		opt_die(usage, "-%c %s: expected seconds", opt, arg);
	return (long long)ceil(v * 1000);
}

static double
money(const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	if (*arg == '\0' || *end != '\0' || !(v > 0 && v <= 1e9))
		opt_die(usage, "-C %s: expected dollars", arg);
	return v;
}

static void
options(int argc, char **argv)
{
	struct call_options *o = &call_options;
	int c;

	while ((c = opt_next(argc, argv,
		    "B:Gm:dwj:up:r:C:S:nPc:f:i:g:t:x:W:", opts, usage))
	    != -1)
		switch (c) {
		case 'm': o->model = optarg; break;
		case 'd': display_options.deltas = 1; break;
		case 'w': queue_options.whole = 1; break;
		case 'j':
			queue_options.jobs =
			    (size_t)opt_int("-j", optarg, 1, 10000);
			break;
		case 'u': order_unordered = 1; break;
		case 'B': service = optarg; break;
		case 'G': taking = 1; break;
		case 'p': rpm = opt_int("-p", optarg, 1, MOST); break;
		case 'r': rate_file = optarg; break;
		case 'C': dollars = money(optarg); break;
		case 'S': outschema_open(optarg); break;
		case 'n': o->dry = 1; break;
		case CHECK: checking = 1; break;
		case PRINT_KEY: keying = 1; break;
		case 'P': probing = 1; break;
		case 'c': o->limits.connect = seconds(c, optarg); break;
		case 'f': o->limits.first = seconds(c, optarg); break;
		case 'i': o->limits.idle = seconds(c, optarg); break;
		case 'g': o->limits.progress = seconds(c, optarg); break;
		case 't':
			longest = o->limits.total = seconds(c, optarg);
			break;
		case 'x':
			o->retry.tries = (int)opt_int("-x", optarg, 0, 100);
			break;
		case 'W': o->retry.max_wait = seconds(c, optarg); break;
		}
	if (argv[optind] != NULL)
		opt_die(usage, "%s: expected no operand", argv[optind]);
	if (queue_options.jobs > 1 && display_options.deltas)
		opt_die(usage, "-j: expected one job with -d");
	if (service == NULL && !taking)
		return;
	if (service != NULL && taking)
		opt_die(usage, "-G: expected no -B");
	if (env_get("TURNPIPE_BOOK") == NULL || o->dry)
		opt_die(usage, "-%c: write: journal -J FILE -- llmcall -%c ...",
		    taking ? 'G' : 'B', taking ? 'G' : 'B');
	/* -C cannot hold: a batch's cost is unknown, or spent already. */
	if (dollars > 0)
		opt_die(usage, "-%c: expected no -C", taking ? 'G' : 'B');
}

/* Another line is printed on a line of its own. */
static void
clear_line(void)
{
	waiting_clear();
	display_settle();
}

/*
 * journal(1) asks: what was spent before, in dollars, and the number of batches
 * that its book has.  It wants answers as they come.
 */
static void
join_journal(void)
{
	const char *spent = env_get("TURNPIPE_SPENT");
	double before;
	int batches;

	if (spent == NULL)
		return;
	if (sscanf(spent, "%lf %d", &before, &batches) != 2)
		die(EX_USAGE, "TURNPIPE_SPENT: expected dollars and batches");
	if (call_options.dry)
		die(EX_USAGE, "-n: expected no journal");
	/* A command that we start is not asked by it. */
	unsetenv("TURNPIPE_SPENT");
	queue_options.journal = order_unordered = 1;
	call_options.named = 1;
	call_options.prefix = sizeof("0123456789abcdefg ") - 1;
	spendcap_spent(before);
	if (batches > 0 && service == NULL && !taking)
		die(EX_TEMPFAIL, "requests of the book are in a batch: -G takes "
		    "their answers");
}

/* What the options mean for many calls. */
static void
batch(void)
{
	struct call_options *o = &call_options;
	size_t *jobs = &queue_options.jobs, room;

	if (*jobs > 1) {
		room = http_room(*jobs);
		if (room < *jobs)
			warn("-j %zu: %zu at a time, for the limit of open "
			     "files", *jobs, room);
		*jobs = room;
	}
	concurrency_set(*jobs, o->retry.max_wait);
	if (rate_file != NULL)
		ratelimit_share(rate_file);
	ratelimit_set(rpm);
	spendcap_set(dollars);
	o->named = *jobs > 1;
	join_journal();
	if (*jobs <= 1 && !queue_options.journal)
		waiting_open();
	if (service == NULL && !taking)
		return;
	book_join(env_get("TURNPIPE_BOOK"));
	if (service != NULL)
		handover_to(service);
	else
		handover_from(longest > 0 ? longest : -1);
}

/* For journal(1): the same answers are to be had where this is the same. */
static int
print_key(void)
{
	static struct json none;
	static struct buf b;

	json_parse(&none, "{}", 2);
	call_salt(&b);
	outschema_request(&b, &none);
	out_add(b.p, b.n);
	out_end();
	return 0;
}

static void
libraries(struct buf *b)
{
	http_library(b);
	buf_puts(b, ", ");
	yamlfile_library(b);
	buf_puts(b, ", ");
	pattern_library(b);
}

int
main(int argc, char **argv)
{
	static struct buf why;
	struct rec r;
	const char *model;
	int more = 1;

	prog = "llmcall";
	schemafit_pattern = pattern_in;
	opt_set = settings_set;
	opt_libraries = libraries;
	warn_before = clear_line;
	signals_arm(SIGNALS_AT_ONCE);
	options(argc, argv);
	http_init(0);
	if (probing) {
		model = discover_model();
		if (model == NULL) {
			discover_why(&why);
			if (why.n > 0)
				warn("%s", buf_cstr(&why));
			return EXIT_NO;
		}
		out_add(model, strlen(model));
		out_add("\n", 1);
		out_end();
		return 0;
	}
	if (checking)
		return forecast(dollars);
	if (keying)
		return print_key();
	open_input();
	batch();
	while (more || queue_busy()) {
		/* Input may make us wait only while nothing else does. */
		while (more && queue_room()
		    && (queue_open() == 0 || record_ready())) {
			if (queue_open() == 0) {
				signals_arm(SIGNALS_AT_ONCE);
				queue_interrupt();
			}
			out_polled = queue_open() > 0;
			more = record_next(&r);
			if (more)
				take_record(&r);
		}
		if (queue_work(more && queue_room() ? STDIN_FILENO : -1))
			record_read();
		queue_interrupt();
	}
	close_input();
	handover_end();
	record_close();
	return queue_status();
}
