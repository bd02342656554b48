/*
 * scorediff [-jm] [-n count] before [after]
 *
 * - Pairs the score records of two runs by case and prints what changed and
 *   whether it is more than chance: status 1 where it is worse.
 * - Of one file: how many pass.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "emit.h"
#include "fd.h"
#include "opt.h"
#include "out.h"
#include "record.h"
#include "stats.h"
#include "terminal.h"

static const char usage[] =
    "usage: scorediff [-jm] [-n count] before [after]\n"
    "\n"
    "  -j, --json       as one object\n"
    "  -m, --markdown   as Markdown, for a pull request\n"
    "  -n, --worst N    how many of the cases that got worse are named (10)\n";

static const struct option opts[] = {
    {"json", no_argument, NULL, 'j'},
    {"markdown", no_argument, NULL, 'm'},
    {"worst", required_argument, NULL, 'n'},
    {NULL, 0, NULL, 0}};

enum measure { TOKENS, STEPS, COST, MEASURES };

static const struct {
	const char *key;
	int decimals;
} measures[MEASURES] = {{"tokens", 0}, {"steps", 2}, {"cost", 6}};

/* A case of a run, over its repeats. */
struct result {
	struct buf id, why; /* why: of the first that failed */
	size_t line;
	size_t judged, passed;
	double sum[MEASURES];
	size_t has[MEASURES];
};

/* Sorted by id once it is read. */
struct run {
	const char *path;
	struct result *v;
	size_t n, cap;
	size_t unknown;		   /* scores without pass */
	size_t *passed, *judged;   /* by repeat, from 1 */
	size_t repeats, repeatcap; /* the highest repeat */
};

/* Worse is what chance does less often than this. */
static const double alpha = 0.05;
static int json, markdown;

static int
by_id(const void *a, const void *b)
{
	const struct result *x = a, *y = b;
	int order = span_order(buf_view(&x->id), buf_view(&y->id));

	return order != 0 ? order
			  : (x->line > y->line) - (x->line < y->line);
}

static void
take_repeat(struct run *run, size_t repeat, int pass)
{
	while (run->repeats <= repeat) {
		size_t cap = run->repeatcap;

		grow(&run->passed, &cap, run->repeats, sizeof(size_t));
		grow(&run->judged, &run->repeatcap, run->repeats,
		    sizeof(size_t));
		run->passed[run->repeats] = run->judged[run->repeats] = 0;
		run->repeats++;
	}
	run->judged[repeat]++;
	run->passed[repeat] += (size_t)pass;
}

static void
take_score(struct run *run, const struct rec *r)
{
	struct json *j = record_json(r);
	int id = json_get(j, 0, "case"), pass = json_get(j, 0, "pass"), m;
	enum json_kind kind = json_kind(j, pass);
	struct result *c;
	long long repeat = 1;
	double v;

	if (json_kind(j, id) != JSON_STRING)
		record_bad(r, id, "expected a case");
	if (kind != JSON_TRUE && kind != JSON_FALSE && kind != JSON_NULL)
		record_bad(r, pass, "expected true, false or null");
	json_int(j, json_get(j, 0, "repeat"), &repeat);
	if (repeat < 1 || repeat > 1000000)
		record_bad(r, json_get(j, 0, "repeat"),
		    "expected a number from 1 to 1000000");
	grow(&run->v, &run->cap, run->n, sizeof(*run->v));
	c = &run->v[run->n++];
	*c = (struct result){.line = r->line};
	json_str(j, id, &c->id);
	if (kind == JSON_NULL) {
		run->unknown++;
	} else {
		c->judged = 1;
		c->passed = kind == JSON_TRUE;
		take_repeat(run, (size_t)repeat, kind == JSON_TRUE);
	}
	if (kind != JSON_TRUE)
		json_str(j, json_get(j, 0, "why"), &c->why);
	for (m = 0; m < MEASURES; m++)
		if (json_num(j, json_get(j, 0, measures[m].key), &v) == 0) {
			c->sum[m] = v;
			c->has[m] = 1;
		}
}

/* The scores of a case become one. */
static void
join_repeats(struct run *run)
{
	struct result *to, *c;
	size_t i, n = 0;
	int m;

	if (run->n > 0)
		qsort(run->v, run->n, sizeof(*run->v), by_id);
	for (i = 0; i < run->n; i++) {
		c = &run->v[i];
		if (n == 0 || !span_same(buf_view(&run->v[n - 1].id),
			buf_view(&c->id))) {
			run->v[n++] = *c;
			continue;
		}
		to = &run->v[n - 1];
		to->judged += c->judged;
		to->passed += c->passed;
		if (to->why.n == 0)
			buf_span(&to->why, buf_view(&c->why));
		buf_free(&c->why);
		buf_free(&c->id);
		for (m = 0; m < MEASURES; m++) {
			to->sum[m] += c->sum[m];
			to->has[m] += c->has[m];
		}
	}
	run->n = n;
}

static void
load(struct run *run, const char *path)
{
	int fd = fd_open(path, O_RDONLY, 0);
	struct rec r;

	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	run->path = path;
	record_from(fd, path);
	while (record_next(&r))
		if (r.type == REC_OTHER && span_is(r.name, "score"))
			take_score(run, &r);
		else if (r.type == REC_ERROR)
			die(record_code(&r), "%s:%zu: an error record", path,
			    r.line);
		else if (!r.implied)
			die_at(EX_DATAERR, path, r.line, 1,
			    "expected a score");
	join_repeats(run);
	if (run->n == 0)
		die(EX_DATAERR, "%s: expected a score", path);
}

static double
rate(const struct result *c)
{
	return (double)c->passed / (double)c->judged;
}

/* The cases that both runs have judged, or one run has. */
struct pair {
	const struct result *before, *after;
};

static struct pair *pairs;
static size_t npairs, paircap;
static size_t only[2]; /* cases that the other run lacks */

static void
add_pair(const struct result *before, const struct result *after)
{
	if (before->judged == 0 || after->judged == 0)
		return;
	grow(&pairs, &paircap, npairs, sizeof(*pairs));
	pairs[npairs++] = (struct pair){before, after};
}

static void
pair_up(const struct run *a, const struct run *b)
{
	size_t i = 0, k = 0;
	int order;

	while (i < a->n || k < b->n) {
		order = i == a->n ? 1 : k == b->n ? -1
			: span_order(buf_view(&a->v[i].id),
			    buf_view(&b->v[k].id));
		if (order == 0)
			add_pair(&a->v[i++], &b->v[k++]);
		else if (order < 0)
			i++, only[0]++;
		else
			k++, only[1]++;
	}
}

static void
put_p(struct buf *b, double p)
{
	if (p < 0.0001)
		buf_puts(b, "p < 0.0001");
	else
		buf_printf(b, "p = %.4f", p);
}

/* Per cent of the cases of one side. */
static double
mean_rate(int isafter)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < npairs; i++)
		sum += rate(isafter ? pairs[i].after : pairs[i].before);
	return npairs > 0 ? 100 * sum / (double)npairs : 0;
}

/* Per cent of the cases that passed each time. */
static double
all_passed(int isafter)
{
	const struct result *c;
	size_t i, n = 0;

	for (i = 0; i < npairs; i++) {
		c = isafter ? pairs[i].after : pairs[i].before;
		n += c->passed == c->judged;
	}
	return npairs > 0 ? 100 * (double)n / (double)npairs : 0;
}

/* The worst and the best repeat of a run, in per cent. */
static void
put_spread(struct buf *b, const struct run *run)
{
	double low = 100, high = 0, v;
	size_t i;

	for (i = 1; i < run->repeats; i++) {
		if (run->judged[i] == 0)
			continue;
		v = 100 * (double)run->passed[i] / (double)run->judged[i];
		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	buf_printf(b, "%.1f to %.1f", low, high);
}

static void
put_repeats(const struct run *before, const struct run *after)
{
	size_t n = before->repeats > after->repeats ? before->repeats
						    : after->repeats;
	static struct buf b;

	if (n <= 2)
		return;
	buf_printf(&b, "%srepeats: pass^%zu %.1f", markdown ? "- " : "", n - 1,
	    all_passed(0));
	if (before != after)
		buf_printf(&b, " -> %.1f", all_passed(1));
	buf_puts(&b, " %, spread ");
	put_spread(&b, before);
	if (before != after) {
		buf_puts(&b, " -> ");
		put_spread(&b, after);
	}
	buf_puts(&b, " %");
	out_record(&b);
}

/* A measure over the cases in which both runs have it: their number. */
static size_t
take_measure(enum measure m, double *before, double *after,
    struct stats_mean *mean)
{
	double *d = xreallocarray(NULL, npairs + 1, sizeof(*d));
	double v, w;
	size_t i, n = 0;

	*before = *after = 0;
	for (i = 0; i < npairs; i++) {
		const struct result *x = pairs[i].before, *y = pairs[i].after;

		if (x->has[m] == 0 || y->has[m] == 0)
			continue;
		v = x->sum[m] / (double)x->has[m];
		w = y->sum[m] / (double)y->has[m];
		*before += v;
		*after += w;
		d[n++] = w - v;
	}
	if (n > 0) {
		*before /= (double)n;
		*after /= (double)n;
		*mean = stats_bootstrap(d, n);
	}
	free(d);
	return n;
}

static void
put_measure(enum measure m, int isone)
{
	int digits = measures[m].decimals;
	struct stats_mean mean;
	static struct buf b;
	double before, after;

	if (take_measure(m, &before, &after, &mean) == 0)
		return;
	buf_printf(&b, "%s%s: %.*f", markdown ? "- " : "", measures[m].key,
	    digits, before);
	if (!isone)
		buf_printf(&b, " -> %.*f", digits, after);
	buf_puts(&b, " a case");
	if (!isone) {
		buf_printf(&b, ", difference %.*f to %.*f, ", digits, mean.low,
		    digits, mean.high);
		put_p(&b, mean.p);
	}
	out_record(&b);
}

static int
by_loss(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	double dx = rate(x->after) - rate(x->before);
	double dy = rate(y->after) - rate(y->before);

	if (dx != dy)
		return dx < dy ? -1 : 1;
	return span_order(
	    buf_view(&x->before->id), buf_view(&y->before->id));
}

/* A text in a cell of a table, or on a line of its own. */
static void
put_cell(struct buf *b, const struct buf *text)
{
	static struct buf clean;
	const char *s;

	buf_reset(&clean);
	terminal_clean(&clean, text->p, text->n);
	for (s = buf_cstr(&clean); *s != '\0'; s++) {
		if (markdown && strchr("|\\`*_<>[]", *s) != NULL)
			buf_putc(b, '\\');
		buf_putc(b, *s == '\n' ? ' ' : *s);
	}
}

static void
put_worst(size_t most)
{
	static struct buf b;
	size_t i, worse = 0;

	qsort(pairs, npairs, sizeof(*pairs), by_loss);
	while (worse < npairs
	    && rate(pairs[worse].after) < rate(pairs[worse].before))
		worse++;
	if (worse == 0 || most == 0)
		return;
	if (markdown)
		out_add("\n| case | before | after | why |\n"
			"| --- | --- | --- | --- |\n", 59);
	for (i = 0; i < worse && i < most; i++) {
		const struct result *x = pairs[i].before, *y = pairs[i].after;

		buf_puts(&b, markdown ? "| " : "  ");
		put_cell(&b, &x->id);
		buf_printf(&b, markdown ? " | %zu/%zu | %zu/%zu | "
					: "  %zu/%zu -> %zu/%zu  ",
		    x->passed, x->judged, y->passed, y->judged);
		put_cell(&b, &y->why);
		buf_puts(&b, markdown ? " |" : "");
		out_record(&b);
	}
	if (worse > most) {
		buf_printf(&b, "%s%zu more", markdown ? "\n" : "  ",
		    worse - most);
		out_record(&b);
	}
}

static void
put_missing(const struct run *before, const struct run *after)
{
	const struct run *run = before;
	static struct buf b;
	int i;

	for (i = 0; i < 2; i++, run = after) {
		if (only[i] > 0) {
			buf_printf(&b, "%s%zu cases only in %s",
			    markdown ? "- " : "", only[i], run->path);
			out_record(&b);
		}
		if (run->unknown > 0) {
			buf_printf(&b, "%s%zu answers not judged in %s",
			    markdown ? "- " : "", run->unknown, run->path);
			out_record(&b);
		}
		if (before == after)
			break;
	}
}

/* One run: how many pass. */
static int
summarize(const struct run *run)
{
	static struct buf b;
	int m;

	pair_up(run, run);
	buf_printf(&b, "%s%zu cases: %.1f %% pass%s", markdown ? "**" : "",
	    npairs, mean_rate(0), markdown ? "**\n" : "");
	out_record(&b);
	put_repeats(run, run);
	for (m = 0; m < MEASURES; m++)
		put_measure((enum measure)m, 1);
	put_missing(run, run);
	return 0;
}

static void
put_json(size_t better, size_t worse, double p)
{
	struct stats_mean mean;
	static struct buf b;
	double v[2];
	int m;

	emit_open(&b, '{');
	emit_pair(&b, "type", "scorediff");
	emit_pairi(&b, "cases", (long long)npairs);
	emit_pairf(&b, "before", mean_rate(0));
	emit_pairf(&b, "after", mean_rate(1));
	emit_pairi(&b, "better", (long long)better);
	emit_pairi(&b, "worse", (long long)worse);
	emit_pairf(&b, "p", p);
	for (m = 0; m < MEASURES; m++) {
		if (take_measure((enum measure)m, &v[0], &v[1], &mean) == 0)
			continue;
		emit_key(&b, measures[m].key);
		emit_open(&b, '{');
		emit_pairf(&b, "before", v[0]);
		emit_pairf(&b, "after", v[1]);
		emit_pairf(&b, "low", mean.low);
		emit_pairf(&b, "high", mean.high);
		emit_pairf(&b, "p", mean.p);
		emit_close(&b, '}');
	}
	emit_close(&b, '}');
	out_record(&b);
}

static void
put_comparison(const struct run *before, const struct run *after,
    size_t better, size_t worse, double p, size_t most)
{
	static struct buf b;
	int m;

	buf_printf(&b, "%s%zu cases: %.1f -> %.1f %%, %zu better, %zu worse, ",
	    markdown ? "**" : "", npairs, mean_rate(0), mean_rate(1), better,
	    worse);
	put_p(&b, p);
	buf_puts(&b, markdown ? "**\n" : "");
	out_record(&b);
	put_repeats(before, after);
	for (m = 0; m < MEASURES; m++)
		put_measure((enum measure)m, 0);
	put_missing(before, after);
	put_worst(most);
}

static int
compare(const struct run *before, const struct run *after, size_t most)
{
	size_t i, better = 0, worse = 0, could = 0;
	double p;

	pair_up(before, after);
	for (i = 0; i < npairs; i++) {
		double x = rate(pairs[i].before), y = rate(pairs[i].after);

		better += y > x;
		worse += y < x;
		could += x > 0;
	}
	p = stats_mcnemar(better, worse);
	if (json)
		put_json(better, worse, p);
	else
		put_comparison(before, after, better, worse, p, most);
	if (p < alpha)
		return worse > better ? EXIT_NO : 0;
	if (stats_mcnemar(0, could) < alpha)
		return 0;
	warn("%zu cases passed before: too few for a fall to show (p < %g)",
	    could, alpha);
	return EXIT_FEW;
}

int
main(int argc, char **argv)
{
	static struct run before, after;
	long long most = 10;
	int c, st;

	prog = "scorediff";
	while ((c = opt_next(argc, argv, "jmn:", opts, usage)) != -1)
		switch (c) {
		case 'j':
			json = 1;
			break;
		case 'm':
			markdown = 1;
			break;
		case 'n':
			most = opt_int("-n", optarg, 0, 1000000);
			break;
		}
	if (argc - optind < 1 || argc - optind > 2)
		opt_die(usage, "expected one file of scores, or two");
	if (json && argc - optind == 1)
		opt_die(usage, "-j: expected two files");
	load(&before, argv[optind]);
	if (argc - optind == 1) {
		st = summarize(&before);
	} else {
		load(&after, argv[optind + 1]);
		st = compare(&before, &after, (size_t)most);
	}
	out_end();
	return st;
}
