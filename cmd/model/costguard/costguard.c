/*
 * costguard [-a agent -o limits] [-f file]  lets requests through, or not
 * costguard -b [-f file]    books what they took
 * costguard -l | -r [-z]    shows the ledger; ends a pause
 *
 * - Before the call and after it, with one file that all runs of a user share:
 *   a spike in one is a pause for all.
 * - A request that may not pass becomes an error record: 4 where too much
 *   was spent, 75 while the breaker is open.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "ledger.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "settings.h"

static const char usage[] =
    "usage: costguard [-b] [-a agent] [-f file] [-o limits]\n"
    "       costguard -l [-a agent] [-f file] [-o limits]\n"
    "       costguard -r [-z] [-a agent] [-f file]\n"
    "\n"
    "  -a, --agent NAME  the ledger of an agent with limits of its own\n"
    "  -b, --book        book usage and errors, let all pass\n"
    "  -f, --file FILE   another ledger\n"
    "  -l, --list        show what was spent and what is paused\n"
    "  -o, --own LIMITS  limits in place of the settings': a JSON object\n"
    "  -r, --resume      end a pause, close the breaker\n"
    "  -z, --zero        and forget what was spent\n";

static const struct option opts[] = {
	{"agent", required_argument, NULL, 'a'},
	{"book", no_argument, NULL, 'b'},
	{"file", required_argument, NULL, 'f'},
	{"list", no_argument, NULL, 'l'},
	{"own", required_argument, NULL, 'o'},
	{"resume", no_argument, NULL, 'r'},
	{"zero", no_argument, NULL, 'z'},
	{NULL, 0, NULL, 0}
};

static struct ledger ledger;
static struct ledger_limits limits;
static const char *path;
static int status;

/* One answer, whose records come one by one. */
static struct {
	struct buf id;
	int good, bad;
} answer;

static void
load(void)
{
	limits.tokens = settings_num("costguard.tokens");
	limits.cost = settings_num("costguard.cost");
	limits.factor = settings_num("costguard.spike.factor");
	limits.floor = settings_num("costguard.spike.floor");
	limits.known = settings_num("costguard.spike.known");
	limits.window = settings_int("costguard.spike.minutes");
	limits.pause = settings_int("costguard.pause");
	limits.breaker.errors = settings_int("costguard.breaker.errors");
	limits.breaker.seconds = settings_int("costguard.breaker.seconds");
	if (limits.window < 1 || limits.window >= LEDGER_MINUTES)
		die(EX_CONFIG, "costguard.spike.minutes: expected 1 to 59");
}

static void
take_number(const struct json *j, int k, double *v)
{
	if (json_num(j, k + 1, v) < 0 || *v < 0)
		die(EX_CONFIG, "cost: %.*s: expected a number from 0",
		    (int)json_span(j, k).n, json_span(j, k).p);
}

static void
take_spike(const struct json *j, int i)
{
	double minutes = (double)limits.window;
	int k;

	limits.factor = settings_num("costguard.spike.factor");
	if (json_kind(j, i) != JSON_OBJECT)
		die(EX_CONFIG, "cost: spike: expected a map");
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		if (json_is(j, k, "factor"))
			take_number(j, k, &limits.factor);
		else if (json_is(j, k, "floor"))
			take_number(j, k, &limits.floor);
		else if (json_is(j, k, "known"))
			take_number(j, k, &limits.known);
		else if (json_is(j, k, "minutes"))
			take_number(j, k, &minutes);
		else
			die(EX_CONFIG, "cost: spike: expected factor, minutes, "
			    "known and floor");
	if (minutes < 1 || minutes >= LEDGER_MINUTES)
		die(EX_CONFIG, "cost: spike: minutes: expected 1 to 59");
	limits.window = (long long)minutes;
}

/*
 * Limits of an agent's definition: what is not said has none.  A server's
 * errors are not its spending, so it has no breaker.
 */
static void
take_own(const char *text)
{
	static struct json j;
	int k;

	if (json_parse(&j, text, strlen(text)) < 0
	    || json_kind(&j, 0) != JSON_OBJECT)
		die(EX_CONFIG, "cost: expected a map");
	limits.tokens = limits.cost = limits.factor = 0;
	limits.breaker.errors = 0;
	for (k = json_first(&j, 0); k >= 0; k = json_next(&j, k))
		if (json_is(&j, k, "tokens"))
			take_number(&j, k, &limits.tokens);
		else if (json_is(&j, k, "cost"))
			take_number(&j, k, &limits.cost);
		else if (json_is(&j, k, "spike"))
			take_spike(&j, k + 1);
		else
			die(EX_CONFIG,
			    "cost: expected tokens, cost and spike");
}

static void
refuse(const struct rec *r, int code, const char *why, long long wait)
{
	static struct buf b;
	const struct json *j = record_json(r);
	int id = json_get(j, 0, "id");

	warn("%s", why);
	emit_open(&b, '{');
	emit_pair(&b, "type", "error");
	if (id >= 0)
		emit_pairj(&b, "id", json_span(j, id));
	emit_pair(&b, "from", prog);
	emit_pairi(&b, "code", code);
	emit_pair(&b, "message", why);
	if (wait > 0)
		emit_pairi(&b, "retry_after", wait);
	emit_close(&b, '}');
	record_put(&b);
	status = code;
}

static void
ask(const struct rec *r)
{
	static struct buf why;
	time_t now = clock_now();
	long long wait = 0;
	int paused;

	buf_reset(&why);
	ledger_open(&ledger, path);
	paused = ledger_paused(&ledger, &limits, now);
	if (paused) {
		buf_add(&why, ledger.why.p, ledger.why.n);
		if (limits.pause > 0)
			wait = (long long)(ledger.paused + limits.pause - now);
		else
			buf_puts(&why, "; costguard -r resumes");
	} else {
		wait = breaker_ask(&ledger.breaker, &limits.breaker, now);
	}
	ledger_close(&ledger, path, 1);
	if (paused) {
		refuse(r, EXIT_SPENT, buf_cstr(&why), wait);
	} else if (wait > 0) {
		buf_printf(&why, "%lld errors in a row; try again in %lld s",
		    ledger.breaker.errors, wait);
		refuse(r, EX_TEMPFAIL, buf_cstr(&why), wait);
	} else {
		record_pass(r);
	}
}

/* The answer at hand is whole: was it one? */
static void
settle(void)
{
	time_t now = clock_now();

	if (answer.good || answer.bad) {
		ledger_open(&ledger, path);
		if (!answer.bad)
			breaker_good(&ledger.breaker);
		else if (breaker_bad(&ledger.breaker, &limits.breaker, now))
			warn("%lld errors in a row: no calls for %lld s",
			    ledger.breaker.errors, limits.breaker.seconds);
		ledger_close(&ledger, path, 1);
	}
	answer.good = answer.bad = 0;
}

static void
begin(const struct json *j)
{
	struct span id = json_span(j, json_get(j, 0, "id"));

	if (id.n == answer.id.n
	    && (id.n == 0 || memcmp(id.p, answer.id.p, id.n) == 0))
		return;
	settle();
	buf_reset(&answer.id);
	buf_span(&answer.id, id);
}

static double
number(const struct json *j, const char *key)
{
	double v;

	return json_num(j, json_get(j, 0, key), &v) == 0 && v > 0 ? v : 0;
}

static void
book(const struct rec *r)
{
	static int warned;
	const struct json *j = record_json(r);
	int paused;

	begin(j);
	answer.good = 1;
	if (limits.cost > 0 && json_get(j, 0, "cost") < 0 && !warned++)
		warn("no price known: only the tokens are booked");
	ledger_open(&ledger, path);
	paused = ledger.paused != 0;
	ledger_book(&ledger, &limits, clock_now(),
	    number(j, "prompt_tokens") + number(j, "completion_tokens"),
	    number(j, "cost"));
	ledger_close(&ledger, path, 1);
	if (!paused && ledger.paused != 0)
		warn("%s: no more calls", buf_cstr(&ledger.why));
}

/* The server's fault, not the request's, the key's or our own refusal. */
static void
fault(const struct rec *r)
{
	const struct json *j = record_json(r);
	int code = record_code(r);

	if (json_is(j, json_get(j, 0, "from"), prog))
		return;
	begin(j);
	if (code == EX_UNAVAILABLE || code == EX_TEMPFAIL
	    || code == EX_PROTOCOL)
		answer.bad = 1;
}

static void
filter(int booking)
{
	struct rec r;
	int on = settings_enabled(prog);

	while (record_next(&r)) {
		if (on && !booking && r.type == REC_REQUEST) {
			ask(&r);
			continue;
		}
		if (on && booking && r.type == REC_USAGE)
			book(&r);
		else if (on && booking && r.type == REC_ERROR)
			fault(&r);
		else if (on && booking
		    && (r.type == REC_MESSAGE || r.type == REC_END))
			settle();
		record_pass(&r);
	}
}

static void
list(void)
{
	time_t now = clock_now();
	struct buf b = {NULL, 0, 0};

	ledger_open(&ledger, path);
	ledger_age(&ledger, now);
	buf_printf(&b, "last hour: %.0f tokens", ledger_tokens(&ledger));
	if (limits.tokens > 0)
		buf_printf(&b, " of %.0f", limits.tokens);
	buf_printf(&b, ", %.4f dollars", ledger_cost(&ledger));
	if (limits.cost > 0)
		buf_printf(&b, " of %.4f", limits.cost);
	if (ledger_paused(&ledger, &limits, now)) {
		buf_puts(&b, "\npaused since ");
		clock_utc(&b, ledger.paused);
		buf_printf(&b, ": %s", buf_cstr(&ledger.why));
	}
	if (ledger.breaker.until > now) {
		buf_puts(&b, "\nbreaker open until ");
		clock_utc(&b, ledger.breaker.until);
	}
	ledger_close(&ledger, path, 0);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
	out_end();
	free(b.p);
}

int
main(int argc, char **argv)
{
	static struct buf file;
	const char *agent = NULL, *own = NULL;
	int c, mode = 0, zero = 0;

	prog = "costguard";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "a:bf:lo:rz", opts, usage)) != -1)
		switch (c) {
		case 'a': agent = optarg; break;
		case 'f': path = optarg; break;
		case 'o': own = optarg; break;
		case 'z': zero = 1; break;
		default:
			if (mode != 0 && mode != c)
				opt_die(usage, "expected one of -b, -l, -r");
			mode = c;
		}
	if (optind < argc)
		opt_die(usage, "expected no operand");
	if (zero && mode != 'r')
		opt_die(usage, "-z: expected -r");
	if (path == NULL) {
		if (agent != NULL && (*agent == '\0'
			|| strchr(agent, '/') != NULL))
			opt_die(usage, "-a: expected a name, not '%s'", agent);
		buf_printf(&file, "%s/costguard%s%s.json", path_state(),
		    agent != NULL ? "-" : "", agent != NULL ? agent : "");
		path = buf_cstr(&file);
	}
	load();
	if (own != NULL)
		take_own(own);
	if (mode == 'l' || mode == 'r')
		record_filter(0);
	if (mode == 'l') {
		list();
		return 0;
	}
	if (mode == 'r') {
		ledger_open(&ledger, path);
		ledger_resume(&ledger, zero);
		breaker_good(&ledger.breaker);
		ledger_close(&ledger, path, 1);
		return 0;
	}
	filter(mode == 'b');
	record_close();
	return status;
}
