/*
 * score [-j file] cases
 * score -q [-m model] cases
 *
 * - Each answer is held to what the case of its id expects: a score record.
 *   The answers to "ID#2", "ID#3" are further ones to the case ID.
 * - -q: what a judge is to decide, as requests with the answers' ids; -j takes
 *   the judge's answers.
 */

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "emit.h"
#include "expect.h"
#include "fd.h"
#include "fileshape.h"
#include "hash.h"
#include "markup.h"
#include "opt.h"
#include "out.h"
#include "pattern.h"
#include "record.h"
#include "schemafit.h"
#include "textfile.h"

static const char usage[] =
    "usage: score [-j file] cases\n"
    "       score -q [-m model] cases\n"
    "\n"
    "  -j, --judged FILE    the judge's answers to what -q printed\n"
    "  -m, --model MODEL    the judge's, for -q\n"
    "  -q, --questions      print requests to a judge instead of scores\n";

static const struct option opts[] = {
    {"judged", required_argument, NULL, 'j'},
    {"model", required_argument, NULL, 'm'},
    {"questions", no_argument, NULL, 'q'},
    {NULL, 0, NULL, 0}};

/* A case, its line as text; or an answer of the judge. */
struct item {
	struct buf id, text;
	uint64_t hash;
	size_t line;
	int answered;
};

/* Sorted by hash. */
struct items {
	struct item *v;
	size_t n, cap;
};

static struct items cases, verdicts;

/* The answer being read. */
static struct buf id;
static struct item *item;
static long long repeat;
static struct expect_answer answer;
static int code; /* of its error */
static struct buf message;

static int qflag;
static const char *model;
static int worst; /* code of the first answer that cannot be judged */

static void
decode_id(const struct json *j, struct buf *b)
{
	int i = json_get(j, 0, "id");

	buf_reset(b);
	if (json_str(j, i, b) < 0)
		buf_span(b, json_span(j, i));
}

static struct item *
add_item(struct items *l, const struct rec *r)
{
	struct item *it;

	grow(&l->v, &l->cap, l->n, sizeof(*l->v));
	it = &l->v[l->n++];
	*it = (struct item){.line = r->line};
	decode_id(record_json(r), &it->id);
	it->hash = hash_bytes(it->id.p, it->id.n);
	return it;
}

static int
by_line(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static int
by_hash(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return by_line(a, b);
}

/* The one of this id after *from, or the first one; NULL if there is none. */
static struct item *
find_item(const struct items *l, struct span s, const struct item *from)
{
	uint64_t h = hash_bytes(s.p, s.n);
	size_t low = 0, high = l->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (l->v[mid].hash < h)
			low = mid + 1;
		else
			high = mid;
	}
	if (from != NULL)
		low = (size_t)(from - l->v) + 1;
	for (; low < l->n && l->v[low].hash == h; low++)
		if (span_same(buf_view(&l->v[low].id), s))
			return &l->v[low];
	return NULL;
}

static void
sort_items(struct items *l, const char *path)
{
	const struct item *it, *next;
	size_t i;

	if (l->n > 0)
		qsort(l->v, l->n, sizeof(*l->v), by_hash);
	for (i = 0; i < l->n; i++) {
		it = &l->v[i];
		next = find_item(l, buf_view(&it->id), it);
		if (next != NULL)
			die(EX_DATAERR, "%s:%zu: the id %s is that of line %zu",
			    path, next->line, buf_cstr(&l->v[i].id), it->line);
	}
}

/* The case that an answer of this id is to; *n counts its answers from 1. */
static struct item *
item_of(struct span s, long long *n)
{
	struct item *it = find_item(&cases, s, NULL);
	size_t k = s.n;

	*n = 1;
	if (it != NULL)
		return it;
	while (k > 0 && isdigit((unsigned char)s.p[k - 1]))
		k--;
	if (k < 2 || k == s.n || s.n - k > 9 || s.p[k - 1] != '#')
		return NULL;
	for (*n = 0, it = find_item(&cases, (struct span){s.p, k - 1},
	    NULL); k < s.n; k++)
		*n = *n * 10 + (s.p[k] - '0');
	return it;
}

static void
open_records(const char *path)
{
	int fd = fd_open(path, O_RDONLY, 0);

	if (fd < 0)
		die_sys(EX_NOINPUT, "%s", path);
	record_from(fd, path);
}

static void
load_cases(const char *path)
{
	struct fileshape shape = {.path = path};
	struct json *j;
	struct buf why = {0};
	const char *fault;
	struct rec r;
	int at;

	open_records(path);
	record_untyped = 1;
	while (record_next(&r)) {
		if (r.type == REC_END && r.implied)
			continue;
		shape.json = j = record_json(&r);
		shape.line = r.line;
		if (fileshape_fit(&shape, 0, "case", NULL, &why) < 0)
			die(EX_DATAERR, "%s", buf_cstr(&why));
		if (expect_check(j, json_get(j, 0, "expect"), &at, &fault)
		    < 0) {
			fileshape_fault(&shape, at, fault, &why);
			die(EX_DATAERR, "%s", buf_cstr(&why));
		}
		buf_add(&add_item(&cases, &r)->text, r.s, r.n);
	}
	sort_items(&cases, path);
	record_untyped = 0;
}

/* Append the text of a message's content. */
static void
put_text(const struct json *j, struct buf *b)
{
	int i = json_get(j, 0, "content"), k;

	if (json_str(j, i, b) == 0 || json_kind(j, i) != JSON_ARRAY)
		return;
	for (k = json_first(j, i); k >= 0; k = json_next(j, k))
		json_str(j, json_get(j, k, "text"), b);
}

static void
load_verdicts(const char *path)
{
	struct rec r;

	open_records(path);
	while (record_next(&r))
		if (r.type == REC_MESSAGE)
			put_text(record_json(&r),
			    &add_item(&verdicts, &r)->text);
	sort_items(&verdicts, path);
}

static void
put_score(int pass, const struct buf *why)
{
	struct buf b = {0};

	emit_open(&b, '{');
	emit_pair(&b, "type", "score");
	emit_pairn(&b, "case", item->id.p, item->id.n);
	if (repeat > 1)
		emit_pairi(&b, "repeat", repeat);
	if (pass < 0)
		emit_pairj(&b, "pass", span_of("null"));
	else
		emit_pairb(&b, "pass", pass);
	if (why->n > 0)
		emit_pairn(&b, "why", why->p, why->n);
	if (answer.steps > 0)
		emit_pairi(&b, "steps", answer.steps);
	if (answer.hasusage)
		emit_pairi(&b, "tokens", answer.tokens);
	if (answer.haspriced)
		emit_pairf(&b, "cost", answer.cost);
	emit_close(&b, '}');
	record_put(&b);
	buf_free(&b);
}

/* What a judge is asked about an answer. */
struct question {
	struct buf text, condition;
};

static int
fill(struct buf *b, const char *name, size_t n, void *arg)
{
	const struct question *q = arg;
	struct span s = {name, n};

	if (span_is(s, "text"))
		buf_span(b, buf_view(&q->text));
	else if (span_is(s, "answer"))
		buf_span(b, buf_view(&answer.text));
	else if (span_is(s, "condition"))
		buf_span(b, buf_view(&q->condition));
	else
		return 0;
	return 1;
}

static void
read_share(struct buf *b, const char *file)
{
	if (b->n == 0 && textfile_read(b, file) < 0)
		die(EX_CONFIG, "%s: not in the search path", file);
}

static void
put_question(const struct json *j, int expected)
{
	static struct buf prompt, format, text, b;
	static struct question q;

	expected = json_get(j, expected, "judge");
	if (expected < 0 || code != 0)
		return;
	read_share(&prompt, "eval/judge.md");
	read_share(&format, "eval/verdict.json");
	buf_reset(&q.text);
	buf_reset(&q.condition);
	json_str(j, json_get(j, 0, "text"), &q.text);
	json_str(j, expected, &q.condition);
	buf_reset(&text);
	markup_expand(&text, prompt.p, prompt.n, fill, &q);
	emit_open(&b, '{');
	emit_pair(&b, "type", "request");
	emit_pairn(&b, "id", id.p, id.n);
	emit_pair(&b, "model", model);
	emit_key(&b, "messages");
	emit_open(&b, '[');
	emit_open(&b, '{');
	emit_pair(&b, "role", "user");
	emit_pairn(&b, "content", text.p, text.n);
	emit_close(&b, '}');
	emit_close(&b, ']');
	emit_key(&b, "response_format");
	emit_compact(&b, span_trim(buf_view(&format)));
	emit_close(&b, '}');
	record_put(&b);
}

/* The answer is whole. */
static void
finish(void)
{
	static struct json j;
	static struct buf why;
	const struct item *verdict;
	int expected, pass;

	if (item == NULL)
		return;
	json_parse(&j, item->text.p, item->text.n);
	expected = json_get(&j, 0, "expect");
	item->answered = 1;
	buf_reset(&why);
	verdict = find_item(&verdicts, buf_view(&id), NULL);
	if (verdict != NULL)
		buf_span(&answer.verdict, buf_view(&verdict->text));
	if (qflag) {
		put_question(&j, expected);
	} else if (code != 0) {
		/* The model's own outcomes are answers that failed. */
		pass = code >= EXIT_REFUSED && code <= EXIT_SCHEMA
			&& code != EXIT_SPENT ? 0 : -1;
		if (pass < 0 && worst == 0)
			worst = code;
		buf_printf(&why, "error %d: ", code);
		buf_span(&why, buf_view(&message));
		put_score(pass, &why);
	} else {
		pass = expect_holds(&j, expected, &answer, &why);
		if (pass < 0 && worst == 0)
			worst = EX_UNAVAILABLE;
		put_score(pass, &why);
	}
	item = NULL;
}

static void
add_calls(const struct json *j)
{
	int calls = json_get(j, 0, "tool_calls"), i;
	struct expect_call *c;

	for (i = json_first(j, calls); i >= 0; i = json_next(j, i)) {
		size_t had = answer.cap;

		grow(&answer.calls, &answer.cap, answer.ncalls,
		    sizeof(*answer.calls));
		memset(answer.calls + had, 0,
		    (answer.cap - had) * sizeof(*answer.calls));
		c = &answer.calls[answer.ncalls++];
		buf_reset(&c->name);
		buf_reset(&c->args);
		json_str(j, json_at(j, i, "function.name"), &c->name);
		json_str(j, json_at(j, i, "function.arguments"), &c->args);
	}
}

static void
count_record(const struct rec *r, const struct json *j)
{
	long long n;
	double v;

	switch (r->type) {
	case REC_MESSAGE:
		if (!span_is(r->role, "assistant"))
			break;
		answer.steps++;
		buf_reset(&answer.text);
		put_text(j, &answer.text);
		add_calls(j);
		break;
	case REC_USAGE:
		answer.hasusage = 1;
		if (json_int(j, json_get(j, 0, "prompt_tokens"), &n) == 0)
			answer.tokens += n;
		if (json_int(j, json_get(j, 0, "completion_tokens"), &n) == 0)
			answer.tokens += n;
		if (json_num(j, json_get(j, 0, "cost"), &v) == 0) {
			answer.cost += v;
			answer.haspriced = 1;
		}
		break;
	case REC_ERROR:
		code = record_code(r);
		buf_reset(&message);
		json_str(j, json_get(j, 0, "message"), &message);
		break;
	default:
		break;
	}
}

/* The records of one id that follow each other are one answer. */
static void
read_answers(void)
{
	static struct buf now;
	struct json *j;
	struct rec r;

	record_from(STDIN_FILENO, "<stdin>");
	while (record_next(&r)) {
		if (r.type == REC_END && r.implied)
			break;
		j = record_json(&r);
		if (json_get(j, 0, "id") < 0) {
			if (r.type == REC_ERROR)
				die(record_code(&r), "an error record before it");
			if (r.type != REC_MESSAGE && r.type != REC_USAGE)
				continue;
			die_at(EX_DATAERR, "<stdin>", r.line, 1,
			    "expected an id");
		}
		if (r.type == REC_SESSION)
			continue;
		decode_id(j, &now);
		if (item == NULL || !span_same(buf_view(&now), buf_view(&id))) {
			finish();
			expect_reset(&answer);
			code = 0;
			buf_reset(&id);
			buf_span(&id, buf_view(&now));
			item = item_of(buf_view(&id), &repeat);
			if (item == NULL && r.type != REC_END)
				record_bad(&r, json_get(j, 0, "id"),
				    "expected the id of a case");
		}
		if (r.type == REC_END)
			finish();
		else
			count_record(&r, j);
	}
	finish();
}

int
main(int argc, char **argv)
{
	const char *judged = NULL;
	static struct buf why;
	size_t i;
	int c;

	prog = "score";
	record_filter(1);
	opt_libraries = pattern_library;
	schemafit_pattern = pattern_in;
	while ((c = opt_next(argc, argv, "j:m:q", opts, usage)) != -1)
		switch (c) {
		case 'j':
			judged = optarg;
			break;
		case 'm':
			model = optarg;
			break;
		case 'q':
			qflag = 1;
			break;
		}
	if (argc - optind != 1)
		opt_die(usage, "expected a file of cases");
	load_cases(argv[optind]);
	if (judged != NULL)
		load_verdicts(judged);
	read_answers();
	buf_puts(&why, "no answer");
	expect_reset(&answer);
	repeat = 1;
	if (cases.n > 0)
		qsort(cases.v, cases.n, sizeof(*cases.v), by_line);
	for (i = 0; i < cases.n && !qflag; i++)
		if (!cases.v[i].answered) {
			item = &cases.v[i];
			put_score(-1, &why);
			if (worst == 0)
				worst = EX_UNAVAILABLE;
		}
	record_close();
	return worst;
}
