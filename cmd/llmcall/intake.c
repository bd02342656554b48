#include <stdlib.h>

#include "diag.h"
#include "emit.h"
#include "intake.h"
#include "order.h"
#include "progress.h"
#include "queue.h"

static int failed; /* an upstream error ended this conversation's hopes */
static int asked, said, faulty; /* a request, a message, an error was seen */
static void (*travel)(int code, const char *msg);

static void
last(int code, const char *msg)
{
	die_hook = travel;
	if (record_failed())
		queue_drain();
	travel(code, msg);
}

void
intake_open(void)
{
	record_filter(1);
	record_untyped = 1;
	travel = die_hook;
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

void
intake_record(struct rec *r)
{
	if (!r->implied)
		progress_line(
		    r->type == REC_REQUEST || r->type == REC_UNTYPED);
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

void
intake_close(void)
{
	if (said && !asked && !faulty)
		warn("no request in the input, so no call: promptcompose makes "
		    "a request of messages");
}
