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

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "diag.h"
#include "emit.h"
#include "http.h"
#include "opt.h"
#include "out.h"
#include "probe.h"
#include "queue.h"
#include "record.h"
#include "replay.h"
#include "stop.h"

static const char usage[] =
    "usage: llmcall [-dhNnPVw] [-m model] [-s fd] [-r file] [-R file]\n"
    "               [-M from=to] [-c s] [-f s] [-i s] [-g s] [-t s]\n"
    "               [-x count] [-W s] [-L bytes] [-l bytes] [-j jobs]\n"
    "\n"
    "  -m, --model NAME       ask PROVIDER/MODEL, whatever the request says\n"
    "  -s, --stream FD        write text to FD as it comes\n"
    "  -d, --deltas           write delta records as text comes\n"
    "  -N, --no-stream        ask for answers in one piece\n"
    "  -w, --whole            call only when the conversation's end has come\n"
    "  -j, --jobs N           calls at a time (1)\n"
    "  -n, --dry-run          print the bytes, key masked; call nobody\n"
    "  -P, --probe            print the model of an unconfigured run\n"
    "  -r, --replay FILE      answer from a recording\n"
    "  -R, --record FILE      append to a recording\n"
    "  -M, --map FROM=TO      in what is recorded or compared\n"
    "  -c, --connect S        seconds to connect (10)\n"
    "  -f, --first S          seconds to the first byte (300)\n"
    "  -i, --idle S           seconds without a byte (120)\n"
    "  -g, --progress S       seconds without a piece of the answer (300)\n"
    "  -t, --total S          seconds for a call, all tries (1800)\n"
    "  -x, --retries N        tries after the first (4)\n"
    "  -W, --max-wait S       longest pause between two tries (60)\n"
    "  -L, --max-answer N     bytes that an answer may have (64 MiB)\n"
    "  -l, --line-limit N     bytes that a line of input may have (64 MiB)\n";

static const struct option opts[] = {
	{"model", required_argument, NULL, 'm'},
	{"stream", required_argument, NULL, 's'},
	{"deltas", no_argument, NULL, 'd'},
	{"no-stream", no_argument, NULL, 'N'},
	{"whole", no_argument, NULL, 'w'},
	{"jobs", required_argument, NULL, 'j'},
	{"dry-run", no_argument, NULL, 'n'},
	{"probe", no_argument, NULL, 'P'},
	{"replay", required_argument, NULL, 'r'},
	{"record", required_argument, NULL, 'R'},
	{"map", required_argument, NULL, 'M'},
	{"connect", required_argument, NULL, 'c'},
	{"first", required_argument, NULL, 'f'},
	{"idle", required_argument, NULL, 'i'},
	{"progress", required_argument, NULL, 'g'},
	{"total", required_argument, NULL, 't'},
	{"retries", required_argument, NULL, 'x'},
	{"max-wait", required_argument, NULL, 'W'},
	{"max-answer", required_argument, NULL, 'L'},
	{"line-limit", required_argument, NULL, 'l'},
	{NULL, 0, NULL, 0}
};

static int probing;
static int failed; /* an upstream error ended this conversation's hopes */

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

static void
defaults(void)
{
	struct call_options *o = &call_options;

	o->textfd = -1;
	o->limits.connect = 10000;
	o->limits.first = 300000;
	o->limits.idle = 120000;
	o->limits.progress = 300000;
	o->limits.total = 1800000;
	o->limits.bytes = (size_t)64 << 20;
	o->retry.tries = 4;
	o->retry.max_wait = 60000;
	o->retry.base = 500;
	o->retry.cap = 16000;
}

static void
options(int argc, char **argv)
{
	struct call_options *o = &call_options;
	int c;

	while ((c = opt_next(argc, argv,
		    "m:s:dNwj:nPr:R:M:c:f:i:g:t:x:W:L:l:", opts, usage))
	    != -1)
		switch (c) {
		case 'm': o->model = optarg; break;
		case 's': o->textfd = (int)opt_int("-s", optarg, 0, 1023); break;
		case 'd': o->deltas = 1; break;
		case 'N': o->whole_body = 1; break;
		case 'w': queue_options.whole = 1; break;
		case 'j':
			queue_options.jobs =
			    (size_t)opt_int("-j", optarg, 1, 10000);
			break;
		case 'n': o->dry = 1; break;
		case 'P': probing = 1; break;
		case 'r': replay_open(optarg); break;
		case 'R': replay_to(optarg); break;
		case 'M': replay_map(optarg); break;
		case 'c': o->limits.connect = seconds(c, optarg); break;
		case 'f': o->limits.first = seconds(c, optarg); break;
		case 'i': o->limits.idle = seconds(c, optarg); break;
		case 'g': o->limits.progress = seconds(c, optarg); break;
		case 't': o->limits.total = seconds(c, optarg); break;
		case 'x':
			o->retry.tries = (int)opt_int("-x", optarg, 0, 100);
			break;
		case 'W': o->retry.max_wait = seconds(c, optarg); break;
		case 'L':
			o->limits.bytes = (size_t)opt_int(
			    "-L", optarg, 1, (long long)1 << 30);
			break;
		case 'l':
			record_limit = (size_t)opt_int(
			    "-l", optarg, 1, (long long)1 << 30);
			break;
		}
	if (argv[optind] != NULL)
		opt_die(usage, "%s: expected no operand", argv[optind]);
	if (o->textfd == STDOUT_FILENO)
		opt_die(usage, "-s 1: standard output holds the records");
	if (queue_options.jobs > 1 && (o->textfd >= 0 || o->deltas))
		opt_die(usage, "-j: expected one job with -s or -d");
}

static void
unknown(const struct rec *r)
{
	static struct strs told;
	char *name = xstrndup(r->name.p, r->name.n);

	if (strs_find(&told, name) < 0) {
		warn("passed on '%s': no such record type", name);
		strs_add(&told, name);
	}
	free(name);
}

static void
cut_short(void)
{
	static struct buf b;

	warn("expected an end record: no call");
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	emit_pair(&b, "from", prog);
	emit_pairi(&b, "code", EX_PROTOCOL);
	emit_pair(&b, "message", "expected an end record: no call");
	emit_close(&b, '}');
	buf_putc(&b, '\n');
	queue_close(0);
	queue_put(&b);
	queue_fail(EX_PROTOCOL);
}

static void
take(struct rec *r)
{
	switch (r->type) {
	case REC_REQUEST:
		if (!failed)
			queue_request(r);
		return;
	case REC_ERROR:
		failed = 1;
		queue_fail(record_code(r));
		queue_pass(r);
		return;
	case REC_END:
		if (failed)
			queue_close(0);
		else if (r->implied && queue_options.whole)
			cut_short();
		else
			queue_close(1);
		queue_pass(r);
		failed = 0;
		return;
	case REC_OTHER:
		unknown(r);
		break;
	default:
		break;
	}
	queue_pass(r);
}

static void
interrupted(void)
{
	int sig = stop_signal();

	if (sig == 0)
		return;
	queue_interrupt();
	stop_die(sig);
}

int
main(int argc, char **argv)
{
	struct rec r;
	const char *model;
	int more = 1;

	prog = "llmcall";
	stop_arm(0);
	defaults();
	options(argc, argv);
	http_init(0);
	if (probing) {
		model = probe_model();
		if (model == NULL)
			return EXIT_NO;
		out_add(model, strlen(model));
		out_add("\n", 1);
		out_end();
		return 0;
	}
	record_filter();
	while (more || queue_busy()) {
		/* Input may make us wait only while nothing else does. */
		while (more && queue_room()
		    && (queue_open() == 0 || record_ready())) {
			if (queue_open() == 0) {
				stop_arm(0);
				interrupted();
			}
			more = record_next(&r);
			if (more)
				take(&r);
		}
		if (queue_work(more && queue_room() ? STDIN_FILENO : -1))
			record_read();
		interrupted();
	}
	record_close();
	return queue_status();
}
