/*
 * costguard [-a agent -o limits ...]  lets requests through, or not
 * costguard -b [-a agent -o limits ...]  books what they took
 * costguard -l | -r [-z]    shows the ledger; ends a pause
 *
 * - Before the call and after it, with one file that all runs of a user share:
 *   a spike in one is a pause for all.
 * - An agent's calls are held against its own ledger and those of each agent
 *   that it works for, and booked in all.
 * - A request that may not pass becomes an error record: 4 where too much
 *   was spent, 75 while the breaker is open.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "diag.h"
#include "emit.h"
#include "fileshape.h"
#include "ledger.h"
#include "opt.h"
#include "out.h"
#include "path.h"
#include "record.h"
#include "settings.h"

static const char usage[] =
    "usage: costguard [-b] [-a agent -o limits ...]\n"
    "       costguard -l [-a agent] [-o limits]\n"
    "       costguard -r [-z] [-a agent]\n"
    "\n"
    "  -a, --agent NAME  the ledger of an agent with limits of its own\n"
    "  -b, --book        book usage and errors, let all pass\n"
    "  -l, --list        show what was spent and what is paused\n"
    "  -o, --own LIMITS  limits in place of the settings': a JSON object\n"
    "  -r, --resume      end a pause, close the breaker\n"
    "  -z, --zero        and forget what was spent\n";

static const struct option opts[] = {
	{"agent", required_argument, NULL, 'a'},
	{"book", no_argument, NULL, 'b'},
	{"list", no_argument, NULL, 'l'},
	{"own", required_argument, NULL, 'o'},
	{"resume", no_argument, NULL, 'r'},
	{"zero", no_argument, NULL, 'z'},
	{NULL, 0, NULL, 0}
};

/* A ledger that calls are held against. */
struct guard {
	const char *agent; /* whose it is; NULL: of all */
	const char *own;   /* its limits, JSON; NULL: those of the settings */
	char *path;
	struct ledger_limits limits;
};

static struct guard *guards;
static size_t nguards, guardcap;
static struct ledger ledger;
static int status;

/* One answer, whose records come one by one. */
static struct {
	struct buf id;
	int good, bad;
} answer;

/*
 * A limit by its path in the settings, or in an agent's own ones: what these do
 * not say has none, but for how a spike of theirs is found.  A server's errors
 * are not its spending, so it has no breaker.
 */
static double
limit(const struct json *own, const char *path)
{
	static struct buf key;
	double v;

	if (own != NULL && json_num(own, json_at(own, 0, path), &v) == 0)
		return v;
	if (own != NULL && strcmp(path, "pause") != 0
	    && (strncmp(path, "spike.", 6) != 0
		|| json_get(own, 0, "spike") < 0))
		return 0;
	buf_reset(&key);
	buf_printf(&key, "costguard.%s", path);
	return settings_num(buf_cstr(&key));
}

static void
load(struct ledger_limits *l, const char *text)
{
	static struct json j;
	struct fileshape shape = {.path = "cost", .json = &j};
	const struct json *own = text == NULL ? NULL : &j;
	struct buf why = {0};

	if (own != NULL && json_parse(&j, text, strlen(text)) < 0)
		die_at(EX_CONFIG, "cost", 1, j.at + 1, j.why);
	if (own != NULL
	    && fileshape_fit(&shape, 0, "agent", "properties.cost", &why) < 0)
		die(EX_CONFIG, "%s", buf_cstr(&why));
	l->tokens = limit(own, "tokens");
	l->cost = limit(own, "cost");
	l->day.tokens = limit(own, "day.tokens");
	l->day.cost = limit(own, "day.cost");
	l->month.tokens = limit(own, "month.tokens");
	l->month.cost = limit(own, "month.cost");
	l->factor = limit(own, "spike.factor");
	l->floor = limit(own, "spike.floor");
	l->known = limit(own, "spike.known");
	l->window = (long long)limit(own, "spike.minutes");
	l->pause = (long long)limit(own, "pause");
	l->breaker.errors = (long long)limit(own, "breaker.errors");
	l->breaker.seconds = (long long)limit(own, "breaker.seconds");
	if (l->factor > 0 && (l->window < 1 || l->window >= LEDGER_MINUTES))
		die(EX_CONFIG, "costguard.spike.minutes: expected 1 to 59");
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

/* What ends a pause of this ledger. */
static void
put_remedy(struct buf *b, const struct guard *g)
{
	buf_puts(b, "; costguard -r");
	if (g->agent != NULL)
		buf_printf(b, " -a %s", g->agent);
	buf_puts(b, " resumes");
}

/* May this ledger's calls go on?  0; or a status, with the reason. */
static int
check_ledger(const struct guard *g, struct buf *why, long long *wait)
{
	const struct ledger_limits *l = &g->limits;
	time_t now = clock_now();
	int paused;

	*wait = 0;
	ledger_open(&ledger, g->path);
	paused = ledger_paused(&ledger, l, now);
	if (paused) {
		if (g->agent != NULL)
			buf_printf(why, "agent %s: ", g->agent);
		buf_add(why, ledger.why.p, ledger.why.n);
		if (paused == 1 && l->pause > 0)
			*wait = (long long)(ledger.paused + l->pause - now);
		else if (paused == 1)
			put_remedy(why, g);
	} else {
		*wait = breaker_ask(&ledger.breaker, &l->breaker, now);
	}
	ledger_close(&ledger, g->path, 1);
	if (paused)
		return EXIT_SPENT;
	if (*wait == 0)
		return 0;
	buf_printf(why, "%lld errors in a row; try again in %lld s",
	    ledger.breaker.errors, *wait);
	return EX_TEMPFAIL;
}

static void
ask(const struct rec *r)
{
	static struct buf why;
	long long wait;
	size_t i;
	int code;

	buf_reset(&why);
	for (i = 0; i < nguards; i++) {
		code = check_ledger(&guards[i], &why, &wait);
		if (code != 0) {
			refuse(r, code, buf_cstr(&why), wait);
			return;
		}
	}
	record_pass(r);
}

/* The answer at hand is whole: was it one? */
static void
book_answer(void)
{
	time_t now = clock_now();
	const struct guard *g;

	for (g = guards; (answer.good || answer.bad) && g < guards + nguards;
	     g++) {
		ledger_open(&ledger, g->path);
		if (!answer.bad)
			breaker_good(&ledger.breaker);
		else if (breaker_bad(&ledger.breaker, &g->limits.breaker, now))
			warn("%lld errors in a row: no calls for %lld s",
			    ledger.breaker.errors, g->limits.breaker.seconds);
		ledger_close(&ledger, g->path, 1);
	}
	answer.good = answer.bad = 0;
}

static void
begin_answer(const struct json *j)
{
	struct span id = json_span(j, json_get(j, 0, "id"));

	if (id.n == answer.id.n
	    && (id.n == 0 || memcmp(id.p, answer.id.p, id.n) == 0))
		return;
	book_answer();
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
	double tokens = number(j, "prompt_tokens")
		+ number(j, "completion_tokens");
	const struct guard *g;
	int paused;

	begin_answer(j);
	answer.good = 1;
	for (g = guards; g < guards + nguards; g++) {
		const struct ledger_limits *l = &g->limits;

		if ((l->cost > 0 || l->day.cost > 0 || l->month.cost > 0)
		    && json_get(j, 0, "cost") < 0 && !warned++)
			warn("no price known: only the tokens are booked");
		ledger_open(&ledger, g->path);
		paused = ledger.paused != 0;
		ledger_book(&ledger, l, clock_now(), tokens, number(j, "cost"));
		ledger_close(&ledger, g->path, 1);
		if (!paused && ledger.paused != 0)
			warn("%s%s%s%s: no more calls",
			    g->agent != NULL ? "agent " : "",
			    g->agent != NULL ? g->agent : "",
			    g->agent != NULL ? ": " : "",
			    buf_cstr(&ledger.why));
	}
}

/* The server's fault, not the request's, the key's or our own refusal. */
static void
fault(const struct rec *r)
{
	const struct json *j = record_json(r);
	int code = record_code(r);

	if (json_is(j, json_get(j, 0, "from"), prog))
		return;
	begin_answer(j);
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
		/* Usage that cannot be booked is logged all the same. */
		record_pass(&r);
		if (on && booking && r.type == REC_USAGE)
			book(&r);
		else if (on && booking && r.type == REC_ERROR)
			fault(&r);
		else if (on && booking
		    && (r.type == REC_MESSAGE || r.type == REC_END))
			book_answer();
	}
}

static void
put_window(struct buf *b, const char *name, struct ledger_cap is,
    const struct ledger_cap *max)
{
	buf_printf(b, "%s: %.0f tokens", name, is.tokens);
	if (max->tokens > 0)
		buf_printf(b, " of %.0f", max->tokens);
	buf_printf(b, ", %.4f dollars", is.cost);
	if (max->cost > 0)
		buf_printf(b, " of %.4f", max->cost);
}

static void
list(const struct guard *g)
{
	const struct ledger_limits *l = &g->limits;
	struct ledger_cap hour, most = {l->tokens, l->cost};
	time_t now = clock_now();
	struct buf b = {NULL, 0, 0};
	int paused;

	ledger_open(&ledger, g->path);
	ledger_age(&ledger, now);
	hour = (struct ledger_cap){ledger_tokens(&ledger),
	    ledger_cost(&ledger)};
	put_window(&b, "last hour", hour, &most);
	if (l->day.tokens > 0 || l->day.cost > 0)
		put_window(&b, "\ntoday", ledger_today(&ledger, now), &l->day);
	if (l->month.tokens > 0 || l->month.cost > 0)
		put_window(&b, "\nthis month", ledger_month(&ledger, now),
		    &l->month);
	paused = ledger_paused(&ledger, l, now);
	if (paused == 1) {
		buf_puts(&b, "\npaused since ");
		clock_utc(&b, ledger.paused);
	}
	if (paused != 0)
		buf_printf(&b, "%s: %s", paused == 2 ? "\npaused" : "",
		    buf_cstr(&ledger.why));
	if (ledger.breaker.until > now) {
		buf_puts(&b, "\nbreaker open until ");
		clock_utc(&b, ledger.breaker.until);
	}
	ledger_close(&ledger, g->path, 0);
	buf_putc(&b, '\n');
	out_add(b.p, b.n);
	out_end();
	free(b.p);
}

/* The ledger of an agent, or of all. */
static struct guard *
add_guard(const char *agent)
{
	if (agent != NULL && (*agent == '\0' || strchr(agent, '/') != NULL))
		opt_die(usage, "-a: expected a name, not '%s'", agent);
	grow(&guards, &guardcap, nguards, sizeof(*guards));
	guards[nguards] = (struct guard){.agent = agent};
	return &guards[nguards++];
}

/* Where each one is and what it allows; an agent that calls itself has one. */
static void
load_guards(void)
{
	struct buf path = {NULL, 0, 0};
	struct guard *g;
	size_t i, k, n = 0;

	for (i = 0; i < nguards; i++) {
		g = &guards[i];
		buf_reset(&path);
		buf_printf(&path, "%s/costguard%s%s.json", path_state(),
		    g->agent != NULL ? "-" : "",
		    g->agent != NULL ? g->agent : "");
		for (k = 0; k < n; k++)
			if (strcmp(guards[k].path, buf_cstr(&path)) == 0)
				break;
		if (k < n)
			continue;
		g->path = xstrdup(buf_cstr(&path));
		load(&g->limits, g->own);
		guards[n++] = *g;
	}
	nguards = n;
	buf_free(&path);
}

int
main(int argc, char **argv)
{
	struct guard *g = NULL;
	int c, mode = 0, zero = 0;

	prog = "costguard";
	opt_set = settings_set;
	record_filter(1);
	while ((c = opt_next(argc, argv, "a:blo:rz", opts, usage)) != -1)
		switch (c) {
		case 'a': g = add_guard(optarg); break;
		case 'o':
			if (g == NULL)
				g = add_guard(NULL);
			g->own = optarg;
			break;
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
	if (nguards == 0)
		add_guard(NULL);
	if (nguards > 1 && (mode == 'l' || mode == 'r'))
		opt_die(usage, "-%c: expected one agent", mode);
	load_guards();
	if (mode == 'l' || mode == 'r')
		record_filter(0);
	if (mode == 'l') {
		list(guards);
		return 0;
	}
	if (mode == 'r') {
		ledger_open(&ledger, guards->path);
		ledger_resume(&ledger, zero);
		breaker_good(&ledger.breaker);
		ledger_close(&ledger, guards->path, 1);
		return 0;
	}
	filter(mode == 'b');
	record_close();
	return status;
}
