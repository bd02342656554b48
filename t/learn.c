/*
 * learn [-x] [-b BAR] [-s SURE] KINDS CONTEXTS FILE ... [- FILE ...]
 *
 * - Learns from labelled requests (t/data/requests-*.jsonl) what words and
 *   pairs of words weigh for each playbook, and writes the table that
 *   skillmenu reads, share/words/requests.tsv: cmd/skillmenu/weigh.h.
 * - KINDS has a line for each kind of words: "@day: monday tuesday".
 * - CONTEXTS has what people say besides ("I'm on the train").  It asks for
 *   nothing, and each third request is learned with one before or after it,
 *   too, so that such words do not count.
 * - Logistic regression, one for each playbook, with the square of the
 *   weights as the price (what "may" come teaches that playbook nothing).
 *   It stops at ROUNDS, before the weights fit each request: more rounds, and
 *   fewer, did worse on requests kept apart; so did other prices, stars for
 *   any word between two, kinds far apart in a sentence, and sums divided by
 *   the length of the text.
 *   BAR is taken off each score; SURE is how far over it is sure.
 * - -x: cross-validation.  Of the files after "-" each fifth request in turn
 *   is kept apart and judged by what is learned from all others; printed is,
 *   for some bars, how many playbooks come and how many requests bring a
 *   wrong one.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "file.h"
#include "json.h"
#include "keyword.h"
#include "weigh.h"

enum { SLOTS = 1 << 18, SEEN = 2, ROUNDS = 600, FOLDS = 5, NAMES_MAX = 32,
	FILE_MAX = 1 << 24 };

static const double PRICE = 0.1, TENTHS = 10;

struct request {
	char *text;
	unsigned want, may;
	int judged; /* from a file after "-" */
	int apart, again; /* again: with a context */
	size_t *f; /* features; n of them */
	size_t n, cap;
};

struct feature {
	char *s;
	size_t seen;
	long id; /* -1: too seldom */
};

static struct request *requests;
static size_t nrequests, caprequests;
static struct strs names;
static struct feature slots[SLOTS];
static size_t nids;
static struct strs words, kinds; /* a word, and what it is one of */
static double *weight[NAMES_MAX], bias[NAMES_MAX];

static size_t
slot(struct span s)
{
	size_t i, h = 5381;

	for (i = 0; i < s.n; i++)
		h = h * 33 + (unsigned char)s.p[i];
	for (h %= SLOTS; slots[h].s != NULL; h = (h + 1) % SLOTS)
		if (strlen(slots[h].s) == s.n
		    && memcmp(slots[h].s, s.p, s.n) == 0)
			return h;
	slots[h].s = xstrndup(s.p, s.n);
	slots[h].id = -1;
	return h;
}

static struct span
kinds_of(void *arg, struct span word)
{
	static struct buf b;
	size_t i;

	(void)arg;
	buf_reset(&b);
	for (i = 0; i < words.n; i++)
		if (span_is(word, words.v[i])) {
			if (b.n > 0)
				buf_putc(&b, ' ');
			buf_puts(&b, kinds.v[i]);
		}
	buf_cstr(&b);
	return buf_view(&b);
}

static void
take_feature(void *arg, struct span feature)
{
	struct request *r = arg;
	size_t i, at = slot(feature);

	for (i = 0; i < r->n; i++)
		if (r->f[i] == at)
			return;
	grow(&r->f, &r->cap, r->n, sizeof(*r->f));
	r->f[r->n++] = at;
	slots[at].seen += !r->again;
}

static struct span
no_kinds(void *arg, struct span word)
{
	(void)arg;
	(void)word;
	return (struct span){"", 0};
}

static void
take_word(void *arg, struct span feature)
{
	size_t i;

	if (memchr(feature.p, ' ', feature.n) != NULL)
		return;
	for (i = 0; i < words.n; i++)
		if (span_is(feature, words.v[i])
		    && strcmp(kinds.v[i], arg) == 0)
			return;
	strs_addn(&words, feature.p, feature.n);
	strs_add(&kinds, arg);
}

static char *
folded(const char *s)
{
	struct buf b = {0};

	keyword_fold(&b, s, strlen(s));
	return buf_cstr(&b);
}

static unsigned
labels(const struct json *j, int i)
{
	struct strs l = {0};
	unsigned set = 0;
	size_t k;

	json_strs(j, i, &l);
	for (k = 0; k < l.n; k++) {
		strs_once(&names, l.v[k]);
		set |= 1U << strs_find(&names, l.v[k]);
	}
	strs_free(&l);
	return set;
}

/* A file of lines, cut apart; what it was stays. */
static void
read_lines(struct strs *lines, const char *file)
{
	struct buf b = {0};
	char *line;

	if (file_read(file, &b, FILE_MAX) != FILE_OK)
		die(66, "%s: can not be read", file);
	for (line = strtok(buf_cstr(&b), "\n"); line != NULL;
	     line = strtok(NULL, "\n"))
		strs_add(lines, line);
	buf_free(&b);
}

static void
read_kinds(const char *file)
{
	struct strs lines = {0};
	char *colon;
	size_t i;

	read_lines(&lines, file);
	for (i = 0; i < lines.n; i++) {
		colon = strchr(lines.v[i], ':');
		if (lines.v[i][0] != '@' || colon == NULL)
			die(65, "%s: expected '@kind: word ...'", file);
		*colon = '\0';
		weigh_features(span_of(folded(colon + 1)), no_kinds, take_word,
		    lines.v[i]);
	}
}

static struct request *
add_request(char *text, unsigned want, unsigned may)
{
	struct request *r;

	grow(&requests, &caprequests, nrequests, sizeof(*requests));
	r = &requests[nrequests++];
	memset(r, 0, sizeof(*r));
	r->text = text;
	r->want = want;
	r->may = may;
	return r;
}

static void
read_requests(const char *file, int judged)
{
	static struct json j;
	struct strs lines = {0};
	char *text;
	size_t i;

	read_lines(&lines, file);
	for (i = 0; i < lines.n; i++) {
		if (json_parse(&j, lines.v[i], strlen(lines.v[i])) < 0)
			die(65, "%s: expected an object a line", file);
		text = json_dup(&j, json_get(&j, 0, "request"));
		add_request(folded(text), labels(&j, json_get(&j, 0, "want")),
		    labels(&j, json_get(&j, 0, "may")))->judged = judged;
		free(text);
	}
	strs_free(&lines);
}

/* Learn some of the requests with a context, too, and each context alone. */
static void
add_contexts(const char *file)
{
	struct strs lines = {0};
	struct buf b = {0};
	const char *context;
	size_t i, n = nrequests;
	int after;

	read_lines(&lines, file);
	for (i = 0; i < n; i += 3) {
		if (requests[i].judged)
			continue;
		context = lines.v[i / 3 * 7 % lines.n];
		after = i % 2 == 0;
		buf_reset(&b);
		buf_printf(&b, "%s%s %s", after ? requests[i].text : context,
		    i / 2 % 2 ? "," : ".", after ? context : requests[i].text);
		add_request(folded(buf_cstr(&b)), requests[i].want,
		    requests[i].may)->again = 1;
	}
	for (i = 0; i < lines.n; i++)
		add_request(folded(lines.v[i]), 0, 0);
	strs_free(&lines);
	buf_free(&b);
}

/* Number the features that are seen often enough. */
static void
number_features(void)
{
	size_t i, k, n;
	struct request *r;

	for (i = 0; i < nrequests; i++)
		weigh_features(span_of(requests[i].text), kinds_of,
		    take_feature, &requests[i]);
	for (i = 0; i < SLOTS; i++)
		if (slots[i].seen >= SEEN)
			slots[i].id = (long)nids++;
	for (i = 0; i < nrequests; i++) {
		r = &requests[i];
		for (n = k = 0; k < r->n; k++)
			if (slots[r->f[k]].id >= 0)
				r->f[n++] = (size_t)slots[r->f[k]].id;
		r->n = n;
	}
}

static double
score(const struct request *r, size_t name)
{
	double s = bias[name];
	size_t k;

	for (k = 0; k < r->n; k++)
		s += weight[name][r->f[k]];
	return s;
}

/* One step of Adam for weight i. */
static void
step(double *w, double g, double *m, double *v, int round)
{
	double rate = 0.1 * (1 - (double)round / ROUNDS) + 0.001;

	*m += 0.1 * (g - *m);
	*v += 0.01 * (g * g - *v);
	*w -= rate * (*m / (1 - pow(0.9, round + 1)))
	    / (sqrt(*v / (1 - pow(0.99, round + 1))) + 1e-8);
}

static void
learn_name(size_t name)
{
	double *g = xreallocarray(NULL, 3 * (nids + 1), sizeof(*g));
	double *m = g + nids + 1, *v = m + nids + 1, *w = weight[name], d;
	const struct request *r;
	size_t i, k;
	int round;

	memset(g, 0, 3 * (nids + 1) * sizeof(*g));
	memset(w, 0, (nids + 1) * sizeof(*w));
	bias[name] = 0;
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < nids; i++)
			g[i] = PRICE * w[i];
		g[nids] = PRICE / 25 * bias[name];
		for (i = 0; i < nrequests; i++) {
			r = &requests[i];
			if (r->apart || (r->may >> name & 1))
				continue;
			d = 1 / (1 + exp(-score(r, name)))
			    - (r->want >> name & 1);
			for (k = 0; k < r->n; k++)
				g[r->f[k]] += d;
			g[nids] += d;
		}
		for (i = 0; i < nids; i++)
			step(&w[i], g[i], &m[i], &v[i], round);
		step(&bias[name], g[nids], &m[nids], &v[nids], round);
	}
	free(g);
}

static void
learn(void)
{
	size_t i;

	for (i = 0; i < names.n; i++) {
		if (weight[i] == NULL)
			weight[i] = xreallocarray(NULL, nids + 1,
			    sizeof(*weight[i]));
		learn_name(i);
	}
}

/* Those that come for a request at a bar. */
static unsigned
come(const double *s, double bar)
{
	unsigned set = 0;
	double best = -1e9;
	size_t i;

	for (i = 0; i < names.n; i++)
		best = s[i] > best ? s[i] : best;
	for (i = 0; i < names.n; i++)
		if (s[i] >= bar && s[i] >= best - 3)
			set |= 1U << i;
	return set;
}

static int
count(unsigned set)
{
	int n = 0;

	for (; set != 0; set &= set - 1)
		n++;
	return n;
}

static void
validate(void)
{
	double (*s)[NAMES_MAX] = xreallocarray(NULL, nrequests, sizeof(*s));
	size_t i, k, judged = 0;
	int fold, hits, wanted, wrong, bar;
	unsigned set;

	for (fold = 0; fold < FOLDS; fold++) {
		for (i = 0; i < nrequests; i++)
			requests[i].apart = requests[i].judged
			    && (int)(i % FOLDS) == fold;
		learn();
		for (i = 0; i < nrequests; i++)
			for (k = 0; requests[i].apart && k < names.n; k++)
				s[i][k] = score(&requests[i], k);
	}
	for (i = 0; i < nrequests; i++)
		judged += requests[i].judged;
	for (bar = -20; bar <= 40; bar += 2) {
		hits = wanted = wrong = 0;
		for (i = 0; i < nrequests; i++) {
			if (!requests[i].judged)
				continue;
			set = come(s[i], bar / 10.0);
			wanted += count(requests[i].want);
			hits += count(set & requests[i].want);
			wrong += (set & ~requests[i].want
			    & ~requests[i].may) != 0;
		}
		printf("bar %4.1f: %.1f of 100 come, %.1f of 100 requests "
		       "bring a wrong one\n", bar / 10.0, 100.0 * hits / wanted,
		    100.0 * wrong / (double)judged);
	}
	free(s);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static long
tenths(double x)
{
	return lround(x * TENTHS);
}

/* A row: the numbers of a feature, or of the bias. */
static void
put_row(struct strs *rows, const char *s, long id, const char *of, double off)
{
	static struct buf b;
	size_t i, tabs = 0;
	long n;
	int any = *of != '\0' || id < 0;

	buf_reset(&b);
	buf_printf(&b, "%s\t%s", s, of);
	for (i = 0; i < names.n; i++) {
		n = tenths(id < 0 ? (id == -1 ? bias[i] - off : off)
		    : weight[i][id]);
		tabs++;
		if (n == 0)
			continue;
		any = 1;
		for (; tabs > 0; tabs--)
			buf_putc(&b, '\t');
		buf_printf(&b, "%ld", n);
	}
	if (any)
		strs_add(rows, buf_cstr(&b));
}

static void
put_table(double bar, double sure)
{
	struct strs rows = {0};
	struct span of;
	size_t i;

	learn();
	put_row(&rows, "=", -1, "", bar);
	put_row(&rows, "=sure", -2, "", sure);
	for (i = 0; i < words.n; i++) {
		of = span_of(words.v[i]);
		if (slots[slot(of)].id < 0 && strs_find(&words, words.v[i])
		    == (long)i)
			put_row(&rows, words.v[i], (long)nids,
			    kinds_of(NULL, of).p, 0);
	}
	for (i = 0; i < SLOTS; i++)
		if (slots[i].s != NULL && slots[i].id >= 0) {
			of = span_of(slots[i].s);
			put_row(&rows, slots[i].s, slots[i].id,
			    kinds_of(NULL, of).p, 0);
		}
	qsort(rows.v, rows.n, sizeof(*rows.v), by_bytes);
	printf("word\tis");
	for (i = 0; i < names.n; i++)
		printf("\t%s", names.v[i]);
	printf("\n");
	for (i = 0; i < rows.n; i++)
		printf("%s\n", rows.v[i]);
}

int
main(int argc, char **argv)
{
	double bar = 0, sure = 2;
	int c, xflag = 0, judged = 0, i;

	prog = "learn";
	while ((c = getopt(argc, argv, "xb:s:")) != -1)
		switch (c) {
		case 'x': xflag = 1; break;
		case 'b': bar = atof(optarg); break;
		case 's': sure = atof(optarg); break;
		default: return 64;
		}
	if (argc - optind < 3)
		die(64, "expected kinds, contexts and requests");
	read_kinds(argv[optind]);
	for (i = optind + 2; i < argc; i++)
		if (strcmp(argv[i], "-") == 0)
			judged = 1;
		else
			read_requests(argv[i], judged);
	add_contexts(argv[optind + 1]);
	number_features();
	if (xflag)
		validate();
	else
		put_table(bar, sure);
	return 0;
}
